// args: --mapping=always
// Types that a kernel's body gives names of its own, in arguments of templates, in shared arrays, in sizeof; the
// same name for two types, and for a variable, too.
#include <cstdio>
#include <cuda_runtime.h>

const int N = 128;

template <class T> struct traits {
  using sum = double;
};
template <> struct traits<unsigned short> {
  using sum = unsigned int;
};

template <class To, class From> __host__ __device__ To convert(From v) { return static_cast<To>(v); }
template <class T> __host__ __device__ T plus(T a, T b) { return a + b; }

template <class T> __global__ void product(const T *a, const T *b, typename traits<T>::sum *c)
{
  using acc = typename traits<T>::sum;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  acc s = acc(0);
  for (int k = 0; k < N; k++) s += convert<acc>(a[y * N + k]) * convert<acc>(b[k * N + x]);
  c[y * N + x] = plus<acc>(s, sizeof(acc));
}

template <class T> __global__ void total(const T *a, typename traits<T>::sum *out)
{
  typedef typename traits<T>::sum acc;
  __shared__ acc part[N];
  int t = threadIdx.x;
  acc s = 0;
  for (int i = t; i < N * N; i += N) s = plus<acc>(s, a[i]);
  part[t] = s;
  __syncthreads();
  for (int d = N / 2; d > 0; d /= 2) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) *out = part[0];
}

// 2^24 + 1 is 2^24 as a float
__global__ void twice_named(const int *a, double *y)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  {
    using number = float;
    for (int k = 0; k < N; k++) s += convert<number>(a[k * N + i]);
  }
  {
    using number = double;
    for (int k = 0; k < N; k++) s += convert<number>(a[k * N + i]);
  }
  y[i] = s;
}

__global__ void named_as_variable(const int *a, double *y)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  {
    using number = float;
    for (int k = 0; k < N; k++) s += convert<number>(a[k * N + i]);
  }
  for (int number = 0; number < N; number++) s += plus<double>(a[number * N + i], number);
  y[i] = s;
}

template <class T> int test()
{
  using sum = typename traits<T>::sum;
  T *a, *b;
  sum *c, *d;
  int bad = 0;
  cudaMallocManaged(&a, N * N * sizeof(T));
  cudaMallocManaged(&b, N * N * sizeof(T));
  cudaMallocManaged(&c, N * N * sizeof(sum));
  cudaMallocManaged(&d, sizeof(sum));
  for (int i = 0; i < N * N; i++) a[i] = (T)(40000 + i % 7), b[i] = (T)(30000 + i % 5);
  product<T><<<dim3(N / 16, N / 16), dim3(16, 16)>>>(a, b, c);
  total<T><<<1, N>>>(a, d);
  cudaDeviceSynchronize();
  sum all = 0;
  for (int i = 0; i < N * N; i++) {
    sum s = 0;
    for (int k = 0; k < N; k++) s += (sum)a[i / N * N + k] * (sum)b[k * N + i % N];
    bad += c[i] != s + (sum)sizeof(sum);
    all += a[i];
  }
  bad += *d != all;
  if (bad) printf("%d wrong of %d bytes\n", bad, (int)sizeof(T));
  return bad;
}

int main()
{
  int *a, bad = test<unsigned short>() + test<int>() + test<double>();
  double *y, *z;
  cudaMallocManaged(&a, N * N * sizeof(int));
  cudaMallocManaged(&y, N * sizeof(double));
  cudaMallocManaged(&z, N * sizeof(double));
  for (int i = 0; i < N * N; i++) a[i] = 16777216 + i % 9;
  twice_named<<<1, N>>>(a, y);
  named_as_variable<<<1, N>>>(a, z);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++) {
    double s = 0, t = 0;
    for (int k = 0; k < N; k++) s += (double)(float)a[k * N + i] + a[k * N + i];
    for (int k = 0; k < N; k++) t += (double)(float)a[k * N + i] + a[k * N + i] + k;
    bad += (y[i] != s) + (z[i] != t);
  }
  puts(bad ? "wrong" : "ok");
  return bad != 0;
}
