// args: --mapping=always
// Names of variable templates in kernels: conditions on types, if constexpr or not, numbers and
// reals, their specialisations, negative and wide values, and one that is no constant.
#include <cstdio>
#include <type_traits>

template <class A, class B> constexpr bool same = false;
template <class A> constexpr bool same<A, A> = true;
template <class T> constexpr int weight = 3;
template <> constexpr int weight<double> = -2;
template <class T> constexpr unsigned long long wide = 5000000000ull;
template <class T> constexpr T half_of = T(1) / 2;
template <class T> constexpr T minus = -T(1) / 4;
template <class T> constexpr float endless = __builtin_huge_valf();
template <int N> constexpr int twice = 2 * N;
template <class T> constexpr signed char small = -7;
template <class T> __device__ int count = 4;

template <class T>
__global__ void product(const T *a, const T *b, T *c, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  T sum = 0;
  for (int k = 0; k < n; k++) {
    if constexpr (std::is_same_v<T, float>)
      sum += a[y * n + k] * b[k * n + x];
    else if constexpr (std::is_floating_point_v<T> && !std::is_integral_v<T>)
      sum -= a[y * n + k] * b[k * n + x];
    else
      sum += a[y * n + k] - b[k * n + x];
  }
  c[y * n + x] = same<T, double> ? sum + 1 : sum;
}

template <class T>
__global__ void numbers(const T *a, const T *b, T *c, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  T sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x] * weight<T>;
  c[y * n + x] = sum * half_of<T> + twice<21> + (T)(wide<T> / 1000000000) + small<T> - minus<T>;
}

template <class T>
__global__ void counted(const T *a, const T *b, T *c, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  T sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = endless<float> > 1 ? sum * count<T> : sum;
}

template <class T> __global__ void set() { count<T> = 6; }

enum { N = 48 };
static int wrong;

template <class T> static void run(const char *name)
{
  T *a, *b, *c;
  cudaMallocManaged(&a, N * N * sizeof(T));
  cudaMallocManaged(&b, N * N * sizeof(T));
  cudaMallocManaged(&c, N * N * sizeof(T));
  for (int i = 0; i < N * N; i++) a[i] = (T)(i % 7), b[i] = (T)(i % 5);
  dim3 grid(3, 3), block(16, 16);
  for (int way = 0; way < 3; way++) {
    if (way == 0) product<T><<<grid, block>>>(a, b, c, N);
    if (way == 1) numbers<T><<<grid, block>>>(a, b, c, N);
    if (way == 2) set<T><<<1, 1>>>(), counted<T><<<grid, block>>>(a, b, c, N);
    cudaDeviceSynchronize();
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) {
        T products = 0, sums = 0;
        for (int k = 0; k < N; k++) {
          products += a[y * N + k] * b[k * N + x];
          sums += a[y * N + k] - b[k * N + x];
        }
        bool is_double = sizeof(T) == 8, is_int = (T)0.5 == 0;
        T first = is_int ? sums : is_double ? 1 - products : products;
        T second = products * (is_double ? -2 : 3) * (is_int ? 0 : (T)0.5) + 42 + 5 - 7 + (is_int ? 0 : (T)0.25);
        T want = way == 0 ? first : way == 1 ? second : products * 6;
        if (c[y * N + x] != want && wrong++ < 5)
          printf("%s, %d, %d %d: %g, not %g\n", name, way, y, x, (double)c[y * N + x],
                 (double)want);
      }
  }
}

int main()
{
  run<float>("float");
  run<double>("double");
  run<int>("int");
  puts(wrong ? "wrong" : "ok");
  return wrong != 0;
}
