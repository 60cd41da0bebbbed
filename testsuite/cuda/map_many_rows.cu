// args: --mapping=untiled
// More rows than a grid has blocks along y: a launch whose threads take neighbours, in blocks of one
// row each, keeps its shape then. The arguments may overlap, which each launch asks besides.
#include <cstdio>

__global__ void add(int *to, int *also, const int *from, const int *other, int width,
                    int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    to[y * width + x] = 3 * from[y * width + x];
    also[y * width + x] = other[y * width + x] + 1;
  }
}

static int check(int *to, int *also, int *from, int *other, int width, int height)
{
  for (int i = 0; i < width * height; i++) other[i] = from[i] = i % 29;
  dim3 grid((width + 7) / 8, (height + 31) / 32);
  add<<<grid, dim3(8, 32)>>>(to, also, from, other, width, height);
  if (cudaDeviceSynchronize() != cudaSuccess) return printf("%d rows do not run\n", height), 1;
  for (int i = 0; i < width * height; i++) {
    int first = i % 29 * 3, second = (to == other ? first : i % 29) + 1;
    if (to[i] != first || also[i] != second)
      return printf("%d rows: %d is %d, %d\n", height, i, to[i], also[i]), 1;
  }
  return 0;
}

int main()
{
  const int count = 4 * 70000;
  int *to, *also, *from;
  if (cudaMallocManaged(&to, count * sizeof(int))) return 1;
  if (cudaMallocManaged(&also, count * sizeof(int))) return 1;
  if (cudaMallocManaged(&from, count * sizeof(int))) return 1;
  for (int *other : {from, to})
    if (check(to, also, from, other, 4, 70000) || check(to, also, from, other, 400, 50)) return 1;
  printf("ok\n");
  return 0;
}
