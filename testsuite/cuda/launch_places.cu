// launches: plain
// Launches where only a void expression can stand: returned by a function without a result, beside
// (void)0 and another launch in ?:, in the heads of loops. A kernel with a default argument gets a
// plan at its launch (-O1).
#include <cstdio>

enum { N = 48, SIZE = N * N };

__global__ void product(const int *a, const int *b, int *c, int n, int factor = 1)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  int s = 0;
  for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
  c[i * n + j] = s * factor;
}

__global__ void add(int *data, int n, int by = 1)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += by;
}

static void twice(int *data, int n) { return add<<<(n + 63) / 64, 64>>>(data, n, 2); }

static void several(int depth, int *data)
{
  if (depth == 0) return add<<<1, 32>>>(data, 10);
  return several(depth - 1, data), add<<<1, 32>>>(data, 20, depth);
}

static int a[SIZE], b[SIZE], c[SIZE], wanted[SIZE];

static void want(int n, int factor)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
      wanted[i * n + j] = s * factor;
    }
}

static void want_add(int n, int by)
{
  for (int i = 0; i < n; i++) wanted[i] += by;
}

static int *copied(const int *host)
{
  int *device;
  if (cudaMalloc(&device, SIZE * sizeof(int)) != cudaSuccess) return nullptr;
  cudaMemcpy(device, host, SIZE * sizeof(int), cudaMemcpyHostToDevice);
  return device;
}

int main(int count, char **)
{
  for (int i = 0; i < SIZE; i++) {
    a[i] = i * 7 % 11 - 5;
    b[i] = i * 5 % 13 - 6;
  }
  int n = N + 1 - count, *da = copied(a), *db = copied(b), *dc = copied(c);
  dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);

  product<<<grid, block>>>(da, db, dc, n, 3);
  want(n, 3);
  product<<<grid, block>>>(da, db, dc, n);
  want(n, 1);
  twice(dc, SIZE);
  want_add(SIZE, 2);
  several(3, dc);
  want_add(10, 1);
  want_add(20, 1 + 2 + 3);
  n > 100 ? product<<<grid, block>>>(db, da, dc, n, 7) : add<<<1, 64>>>(dc, 50, 4);
  want_add(50, 4);
  n > 100 ? add<<<1, 64>>>(dc, 9, 9) : (void)0;
  for (int i = 0; i < 3; i++, add<<<1, 64>>>(dc, 33, 5)) want_add(33, 5);

  if (cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  for (int i = 0; i < SIZE; i++)
    if (c[i] != wanted[i]) {
      printf("[%d] is %d, not %d\n", i, c[i], wanted[i]);
      return 1;
    }
  printf("ok\n");
  return 0;
}
