// Bodies with conditions on __CUDA_ARCH__: with one answer for all architectures, in kernels, in
// templates and in a header; with several; in functions for both sides, where the host's is another.
#include <cstdio>
#include <cstdlib>

#include "include/arch_loads.h"

#define SCALE 2

__host__ __device__ inline int side()
{
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

__global__ void product(double *c, const double *a, const double *b, int n)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  double sum = 0;
#if (__CUDA_ARCH__ >= 200) && SCALE > 1 /* } in a comment { */
  for (int k = 0; k < n; k++) {
    sum += load(&a[row * n + k]) * load(b + k * n + col);
  }
#elif !defined(__CUDA_ARCH__)
  sum = -1;
#else
#error no such device
#endif
  c[row * n + col] = SCALE * sum;
}

__global__ void newer(int *c, const int *a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k < n; k++)
#if __CUDA_ARCH__ >= 800
    sum += __ldg(&a[k * n + i]);
#else
    sum += a[k * n + i];
#endif
  c[i] = sum;
}

__global__ void sides(int *c, const int *a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k < n; k++) sum += side() * a[k * n + i];
#ifndef __CUDA_ARCH__
  sum = -1;
#endif
  c[i] = sum;
}

__global__ void total(double *sum, const double *a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if 200 > __CUDA_ARCH__
  i = n;
#endif
  if (i < n) add_to(sum, a[i]);
}

// its condition lies behind a #define, which other code sees, too
__global__ void defines(int *c)
{
#ifdef __CUDA_ARCH__
#define SEEN 1
#else
#define SEEN 2
#endif
  c[threadIdx.x] = SEEN;
}

static int wrong;

static void expect(const char *what, int at, double is, double should)
{
  if (is != should && wrong++ < 10) printf("%s[%d]: %g, not %g\n", what, at, is, should);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 70;
  size_t doubles = sizeof(double) * n * n, ints = sizeof(int) * n * n;
  double *a = (double *)malloc(doubles), *c = (double *)malloc(doubles), *da, *dc;
  int *b = (int *)malloc(ints), *db, *dd;
  cudaMalloc(&da, doubles), cudaMalloc(&dc, doubles);
  cudaMalloc(&db, ints), cudaMalloc(&dd, ints);
  for (int i = 0; i < n * n; i++) a[i] = b[i] = i * 7 % 19 - 9;
  cudaMemcpy(da, a, doubles, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, ints, cudaMemcpyHostToDevice);

  dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
  product<<<grid, block>>>(dc, da, da, n);
  cudaMemcpy(c, dc, doubles, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n * n; i++) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[i / n * n + k] * a[k * n + i % n];
    expect("product", i, c[i], 2 * sum);
  }
  for (int round = 0; round < 2; round++) {
    if (round)
      newer<<<(n + 63) / 64, 64>>>(dd, db, n);
    else
      sides<<<(n + 63) / 64, 64>>>(dd, db, n);
    int *d = (int *)malloc(ints);
    cudaMemcpy(d, dd, n * sizeof *d, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
      int sum = 0;
      for (int k = 0; k < n; k++) sum += b[k * n + i];
      bool twice = !round && d[i] == 2 * sum; /* where the host stands for the device */
      expect(round ? "newer" : "sides", i, twice ? sum : d[i], sum);
    }
    free(d);
  }
  cudaMemset(dc, 0, sizeof *dc);
  total<<<(n * n + 255) / 256, 256>>>(dc, da, n * n);
  cudaMemcpy(c, dc, sizeof *c, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n * n; i++) sum += a[i];
  expect("total", 0, c[0], sum);
  int one;
  defines<<<1, 1>>>(dd);
  cudaMemcpy(&one, dd, sizeof one, cudaMemcpyDeviceToHost);
  expect("defines", 0, one, 1);
  expect("side", 0, side(), 2);
  printf(wrong ? "wrong: %d\n" : "ok\n", wrong);
  return wrong != 0;
}
