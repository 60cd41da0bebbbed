// SPDX-License-Identifier: MIT
// Launches whose grid or block ends in a macro, so that their text cannot stand at another place:
// of kernels that would ask for the launch's shape, a row a block and an id along each axis.
#include <cstdio>

#define SHUT )

__global__ void rows(const float *a, const float *b, float *c, int n)
{
  int i = blockIdx.x, j = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

__global__ void ids(const float *a, const float *b, float *c, int n)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

static int wrong(float *c, int n)
{
  int count = 0;
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++) sum += (float)((i * n + k) % 5 * ((k * n + j) % 7));
      count += c[i * n + j] != sum;
      c[i * n + j] = -1;
    }
  return count;
}

int main(int argc, char **)
{
  int n = argc > 9 ? 32 : 64, count = 0; /* only the run knows it */
  dim3 grid(n / 16, n / 8), block(16, 8);
  float *a, *b, *c;
  cudaMallocManaged(&a, n * n * sizeof *a);
  cudaMallocManaged(&b, n * n * sizeof *b);
  cudaMallocManaged(&c, n * n * sizeof *c);
  for (int i = 0; i < n * n; i++) a[i] = i % 5, b[i] = i % 7, c[i] = -1;
  rows<<<n, (n SHUT>>>(a, b, c, n);
  count += wrong(c, n);
  rows<<<(n SHUT, n>>>(a, b, c, n);
  count += wrong(c, n);
  rows<<<n, n>>>(a, b, c, (n SHUT);
  count += wrong(c, n);
  rows<<<n, (64 SHUT>>>(a, b, c, n);
  count += wrong(c, n);
  ids<<<grid, (block SHUT>>>(a, b, c, n);
  count += wrong(c, n);
  ids<<<(grid SHUT, block>>>(a, b, c, n);
  count += wrong(c, n);
  printf("wrong: %d\n", count);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return count != 0;
}
