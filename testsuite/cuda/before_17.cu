// args: -std=c++11
// A unit of C++11. Before C++17 dim3(16, 16) and what a function returns are copied to where they
// are used, as far as the language goes: shapes and arguments are known all the same.
#include <cstdio>
#include <cuda_runtime.h>

enum { W = 96, H = 80, N = 64 };

struct view {
  float *at;
  int pitch;
};

static view view_of(float *at, int pitch)
{
  view made = {at, pitch};
  return made;
}

static dim3 blocks_for(int width, int height)
{
  return dim3((width + 15) / 16, (height + 15) / 16);
}

__global__ void product(const float *a, const float *b, float *c, int n)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void blurred(view to, view from, int width, int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) sum += from.at[(y + dy) * from.pitch + x + dx];
  to.at[y * to.pitch + x] = sum;
}

static float *a, *b, *c;

static int product_is_wrong()
{
  for (int i = 0; i < N * N; i++) a[i] = (float)(i % 7), b[i] = (float)(i % 5 - 2), c[i] = 0;
  product<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(a, b, c, N);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < N * N; i++) {
    float sum = 0;
    for (int k = 0; k < N; k++) sum += a[i / N * N + k] * b[k * N + i % N];
    wrong += c[i] != sum;
  }
  const float *from = a, *by = b;
  float *to = c;
  int n = N;
  void *args[] = {&by, &from, &to, &n};
  cudaLaunchKernel((const void *)product, dim3(N / 16, N / 16), dim3(16, 16), args, 0, 0);
  cudaDeviceSynchronize();
  for (int i = 0; i < N * N; i++) {
    float sum = 0;
    for (int k = 0; k < N; k++) sum += b[i / N * N + k] * a[k * N + i % N];
    wrong += c[i] != sum;
  }
  return wrong;
}

static int blur_is_wrong()
{
  dim3 block = dim3(16, 16);
  for (int i = 0; i < W * H; i++) a[i] = (float)(i * 7 % 23), c[i] = 0;
  blurred<<<blocks_for(W, H), block>>>(view_of(c, W), view{a, W}, W, H);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int y = 1; y < H - 1; y++)
    for (int x = 1; x < W - 1; x++) {
      float sum = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) sum += a[(y + dy) * W + x + dx];
      wrong += c[y * W + x] != sum;
    }
  return wrong;
}

int main()
{
  cudaMallocManaged(&a, W * H * sizeof *a);
  cudaMallocManaged(&b, W * H * sizeof *b);
  cudaMallocManaged(&c, W * H * sizeof *c);
  int product = product_is_wrong(), blur = blur_is_wrong();
  if (product || blur) printf("wrong: %d of the product, %d of the blur\n", product, blur);
  else printf("ok\n");
  return product || blur;
}
