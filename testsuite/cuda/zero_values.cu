// design 3: numbers and pointers that are made without a value: T(), T{}, {}. Each has its type.
#include <cstdio>
#include <cuda_runtime.h>

const int N = 256;

template <typename T> __global__ void sums(const T *a, const T *x, T *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T sum = T(), more{}, last = {};
  for (int k = 0; k < n; k++) sum += a[i * n + k] * x[k];
  for (int k = 0; k < n; k++) more += a[i * n + k];
  y[i] = sum + more + last + T{};
}

// 2^24 + 1 is 2^24 as a float, and 2^24 + 1 as a double
__global__ void single(const float *a, const float *x, float *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = float();
  for (int k = 0; k < n; k++) sum += (a[i * n + k] + float()) + x[k] - a[i * n + k];
  y[i] = sum;
}

__global__ void whole(const int *a, const int *x, int *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int *none = {};
  bool odd = bool();
  unsigned sum{};
  for (int k = 0; k < n; k++) sum += a[i * n + k] * x[k] < unsigned() + n ? 1 : 3;
  if (none != nullptr || odd) sum = 0;
  y[i] = sum;
}

template <typename T> int wrong(const T *y, const T *a, const T *x)
{
  int bad = 0;
  for (int i = 0; i < N; i++) {
    T sum = 0, more = 0;
    for (int k = 0; k < N; k++) sum += a[i * N + k] * x[k];
    for (int k = 0; k < N; k++) more += a[i * N + k];
    bad += y[i] != sum + more;
  }
  return bad;
}

template <typename T> int test()
{
  T *a, *x, *y;
  cudaMallocManaged(&a, N * N * sizeof(T));
  cudaMallocManaged(&x, N * sizeof(T));
  cudaMallocManaged(&y, N * sizeof(T));
  for (int i = 0; i < N * N; i++) a[i] = (T)(i % 7);
  for (int i = 0; i < N; i++) x[i] = (T)(i % 5);
  sums<<<N / 128, 128>>>(a, x, y, N);
  cudaDeviceSynchronize();
  int bad = wrong(y, a, x);
  cudaFree(a), cudaFree(x), cudaFree(y);
  return bad;
}

int main()
{
  float *a, *x, *y;
  int *b, *c, *d, bad = test<float>() + test<double>() + test<int>() + test<unsigned long long>();
  cudaMallocManaged(&a, N * N * sizeof *a), cudaMallocManaged(&b, N * N * sizeof *b);
  cudaMallocManaged(&x, N * sizeof *x), cudaMallocManaged(&c, N * sizeof *c);
  cudaMallocManaged(&y, N * sizeof *y), cudaMallocManaged(&d, N * sizeof *d);
  for (int i = 0; i < N * N; i++) a[i] = 16777216.0f, b[i] = i % 9 - 4;
  for (int i = 0; i < N; i++) x[i] = 1.0f + i % 2, c[i] = i % 4;
  single<<<N / 128, 128>>>(a, x, y, N);
  whole<<<N / 128, 128>>>(b, c, d, N);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++) {
    unsigned count = 0;
    for (int k = 0; k < N; k++) count += (unsigned)(b[i * N + k] * c[k]) < (unsigned)N ? 1 : 3;
    bad += (y[i] != N) + (d[i] != (int)count);
  }
  printf(bad ? "%d wrong\n" : "ok\n", bad);
  return bad != 0;
}
