// Templates: functors and functions for host and device, a grid-stride helper, variadic arguments.
#include <cstdio>
#include <vector>

template <class T> struct Vec3 {
  T x, y, z;
  __host__ __device__ Vec3(T a, T b, T c) : x(a), y(b), z(c) {}
  __host__ __device__ T dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
  __host__ __device__ Vec3 operator+(const Vec3 &o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
};

struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct Norm {
  template <class T> __host__ __device__ T operator()(T x, T y) const { return Vec3<T>(x, y, 1).dot(Vec3<T>(x, y, 1)); }
};

template <class F, class T> __global__ void map(F f, const T *x, const T *y, T *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = f(x[i], y[i]);
}

template <class T> __host__ __device__ T total(T v) { return v; }
template <class T, class... Rest> __host__ __device__ T total(T v, Rest... rest) { return v + total(rest...); }
template <class... A> __global__ void sum_all(double *out, A... a) { *out = total((double)a...); }

template <class F> bool test(F f) {
  const int n = 1000;
  std::vector<float> x(n), y(n), r(n);
  for (int i = 0; i < n; i++) x[i] = i * 0.5f, y[i] = n - i;
  float *d;
  cudaMalloc(&d, 3 * n * sizeof(float));
  cudaMemcpy(d, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d + n, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  map<<<3, 64>>>(f, d, d + n, d + 2 * n, n);
  cudaMemcpy(r.data(), d + 2 * n, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d);
  for (int i = 0; i < n; i++)
    if (r[i] != f(x[i], y[i])) return false;
  return true;
}

int main() {
  if (!test(Saxpy{2.0f}) || !test(Norm())) return 1;
  double *d, result;
  cudaMalloc(&d, sizeof *d);
  sum_all<<<1, 1>>>(d, 1, 2.5f, 3.25, 'A');
  cudaMemcpy(&result, d, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%g\n", result);
  return result != 71.75;
}
