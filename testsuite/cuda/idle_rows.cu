// args: --mapping=always
// Blocks with rows of threads that all do what the first one does: sums of columns and of rows in
// memory and in registers, elements one by one; rows that a kernel names, counts, or adds up by
// atomic operations, which stay.
#include <cstdio>
#include <cstdlib>

__global__ void columns(int *y, const int *a, int n, int m)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i * m + j];
    y[j] = s;
  }
}

__global__ void rows(int *y, const int *a, const int *x, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = 0;
  for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
  y[i] = s;
}

__global__ void elements(int *y, const int *a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a[i] * 3 + 1;
}

// each row of threads adds its own
__global__ void added(int *y, const int *a, int n, int m)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m) return;
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i * m + j];
  atomicAdd(&y[j], s);
}

__global__ void counted(int *y, const int *a, int n, int m)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m) return;
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i * m + j] * (int)blockDim.y;
  y[j] = s;
}

__global__ void named(int *y, const int *a, int n, int m)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m) return;
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i * m + j];
  y[threadIdx.y * m + j] = s;
}

static int wrong;

static void expect(const char *what, int at, int is, int should)
{
  if (is != should && wrong++ < 10) printf("%s [%d]: %d, not %d\n", what, at, is, should);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 150, m = n + 45;
  dim3 block(32, 8), across((m + 31) / 32, 1), down((n + 31) / 32, 1);
  size_t bytes = sizeof(int) * n * m, few = sizeof(int) * 8 * m;
  int *a = (int *)malloc(bytes), *y = (int *)malloc(few), *x = (int *)malloc(few);
  int *sums = (int *)calloc(m, sizeof(int)), *da, *dx, *dy;
  cudaMalloc(&da, bytes), cudaMalloc(&dx, few), cudaMalloc(&dy, few);
  for (int i = 0; i < n * m; i++) a[i] = i * 7 % 101 - 50, sums[i % m] += a[i];
  for (int i = 0; i < 8 * m; i++) x[i] = i % 11 - 5;
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dx, x, few, cudaMemcpyHostToDevice);
  columns<<<across, block>>>(dy, da, n, m);
  cudaMemcpy(y, dy, few, cudaMemcpyDeviceToHost);
  for (int j = 0; j < m; j++) expect("columns", j, y[j], sums[j]);
  rows<<<down, block>>>(dy, da, dx, n, m);
  cudaMemcpy(y, dy, few, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
    expect("rows", i, y[i], s);
  }
  elements<<<across, block>>>(dy, da, m);
  cudaMemcpy(y, dy, few, cudaMemcpyDeviceToHost);
  for (int j = 0; j < m; j++) expect("elements", j, y[j], a[j] * 3 + 1);
  cudaMemset(dy, 0, few);
  added<<<across, block>>>(dy, da, n, m);
  cudaMemcpy(y, dy, few, cudaMemcpyDeviceToHost);
  for (int j = 0; j < m; j++) expect("added", j, y[j], 8 * sums[j]);
  counted<<<across, block>>>(dy, da, n, m);
  cudaMemcpy(y, dy, few, cudaMemcpyDeviceToHost);
  for (int j = 0; j < m; j++) expect("counted", j, y[j], 8 * sums[j]);
  named<<<across, block>>>(dy, da, n, m);
  cudaMemcpy(y, dy, few, cudaMemcpyDeviceToHost);
  for (int j = 0; j < 8 * m; j++) expect("named", j, y[j], sums[j % m]);
  printf(wrong ? "wrong: %d\n" : "ok\n", wrong);
  return wrong != 0;
}
