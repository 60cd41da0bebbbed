// Types that the body of a kernel declares, of a template or not: using and typedef, of parameters,
// of traits, of pointers, used in declarations, casts, loops, shared arrays and template arguments,
// beside names that hold the alias.
#include <cstdio>

template <class T> struct traits {
  using sum = double;
  static constexpr int step = 2;
};
template <> struct traits<int> {
  using sum = long long;
  static constexpr int step = 3;
};
template <class T> __device__ T plus(T a, T b) { return a + b; }

template <class T> __global__ void sums(const T *x, double *__restrict__ out, int n)
{
  using A = typename traits<T>::sum;
  typedef const T *pointer;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  pointer row = x + i * 8;
  A All = 0, B = A(2);
  if (i >= n) return;
  for (int k = 0; k < 8; k += traits<T>::step) All += static_cast<A>(row[k]) * B;
  for (int k = 0; k < 4; k++) out[i] += A(x[k]) / 2;
  out[i] += All;
}
template <class T, int N> __global__ void tiles(const T *x, T *out, int n)
{
  using element = T;
  using tile = element[N];
  __shared__ tile s;
  int i = blockIdx.x * N + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : element(0);
  __syncthreads();
  element sum = element();
  for (int k = 0; k < N; k++) sum = plus<element>(sum, s[k]);
  if (i < n) out[i] = sum;
}
template <class T> __global__ void shorts(const T *x, T *__restrict__ out, int n)
{
  using T2 = unsigned char;
  int i = threadIdx.x;
  if (i < n)
    for (int k = 0; k < 5; k++) {
      T2 low = x[i] * 100 + k;
      out[i] += T(low) + (T)(T2)(x[k] * 90);
    }
}

__global__ void plain(const float *x, float *__restrict__ out, int n)
{
  using row = float[32];
  typedef float A;
  __shared__ row s;
  __shared__ A t[32];
  int i = threadIdx.x;
  s[i] = x[i], t[i] = x[i + 1];
  __syncthreads();
  if (i < n)
    for (int k = 0; k < 4; k++) out[i] += A(s[k]) * t[i];
}

template <class T> int check()
{
  T *x, *y;
  double *out;
  cudaMallocManaged(&x, 512 * sizeof(T));
  cudaMallocManaged(&y, 512 * sizeof(T));
  cudaMallocManaged(&out, 64 * sizeof *out);
  for (int i = 0; i < 512; i++) x[i] = T(i % 7), y[i] = 0;
  for (int i = 0; i < 64; i++) out[i] = i;
  sums<<<2, 32>>>(x, out, 60);
  tiles<T, 32><<<16, 32>>>(x, y, 500);
  cudaDeviceSynchronize();
  for (int i = 0; i < 60; i++) {
    double want = i;
    using A = typename traits<T>::sum;
    for (int k = 0; k < 4; k++) want += A(x[k]) / 2;
    for (int k = 0; k < 8; k += traits<T>::step) want += 2 * A(x[i * 8 + k]);
    if (out[i] != want) return printf("sums %d: %g, not %g\n", i, out[i], want), 1;
  }
  for (int i = 0; i < 480; i++) {
    T want = 0;
    for (int k = 0; k < 32; k++) want += x[i / 32 * 32 + k];
    if (y[i] != want) return printf("tiles %d\n", i), 2;
    y[i] = 0;
  }
  shorts<<<1, 64>>>(x, y, 50);
  cudaDeviceSynchronize();
  for (int i = 0; i < 50; i++) {
    T want = 0;
    for (int k = 0; k < 5; k++)
      want += T((unsigned char)(x[i] * 100 + k)) + (T)(unsigned char)(x[k] * 90);
    if (y[i] != want) return printf("shorts %d\n", i), 3;
  }
  return 0;
}
int main()
{
  int bad = check<float>();
  if (!bad) bad = check<int>();
  if (bad) return bad;
  float *x;
  cudaMallocManaged(&x, 100 * sizeof *x);
  for (int i = 0; i < 100; i++) x[i] = i < 50 ? i : 0;
  plain<<<1, 32>>>(x, x + 50, 30);
  cudaDeviceSynchronize();
  for (int i = 0; i < 30; i++)
    if (x[50 + i] != 6 * (i + 1)) return 4;
  puts("ok");
  return 0;
}
