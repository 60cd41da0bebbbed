// Methods of class templates that launch: in the class and behind it, of several types and numbers,
// overloaded, static, const, private, of bases, with types of the class, beside others that stay.
#include <cstdio>
#include <vector>

template <class T> __global__ void axpy(T a, const T *x, T *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
template <class T, int B> __global__ void dot(const T *x, const T *y, T *out, int n)
{
  __shared__ T part[B];
  T sum = 0;
  for (int i = threadIdx.x; i < n; i += B) sum += x[i] * y[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int k = B / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = part[0];
}
__global__ void fill(int *p, int v, int n)
{
  if (threadIdx.x < n) p[threadIdx.x] = v;
}

namespace work
{
template <class T> struct base {
  base(int n) : n_(n)
  {
    cudaMallocManaged(&x, n * sizeof(T));
    cudaMallocManaged(&y, n * sizeof(T));
    cudaMallocManaged(&out, sizeof(T));
  }
  ~base()
  {
    cudaFree(x);
    cudaFree(y);
    cudaFree(out);
  }
  T *x, *y, *out;

protected:
  int n_;
};
template <class T, int B = 64> class solver : public base<T>
{
public:
  using real = T;
  struct result {
    T value;
    int steps;
  };
  explicit solver(int n) : base<T>(n), blocks_((n + B - 1) / B)
  {
    for (int i = 0; i < n; i++) {
      this->x[i] = T(i % 5);
      this->y[i] = T(i % 3);
    }
  }
  T solve(int steps)
  { // calls what is declared below
    T sum = 0;
    for (int i = 0; i < steps; i++) {
      step(T(1) / T(2));
      step(1, 0);
      sum += product();
    }
    return sum;
  }
  void later(T a);
  real typed()
  {
    step(2, 1);
    return product();
  }
  result both() const;
  static void set(int *p, int v) { fill<<<1, B>>>(p, v, B); }
  virtual T chosen()
  {
    axpy<T><<<blocks_, B>>>(T(3), this->x, this->y, this->n_);
    return product();
  }
  T often()
  {
    static int calls = 0;
    axpy<<<blocks_, B>>>(T(++calls), this->x, this->y, this->n_);
    return product();
  }
  T given(T a = T(4))
  {
    axpy<<<blocks_, B>>>(a, this->x, this->y, this->n_);
    return product();
  }
  template <class U> T converted(U u)
  {
    axpy<<<blocks_, B>>>(T(u), this->x, this->y, this->n_);
    return product();
  }
  solver &operator+=(T a)
  {
    axpy<<<blocks_, B>>>(a, this->x, this->y, this->n_);
    return *this;
  }
  T copied()
  {
    solver other(this->n_);
    other.step(1, 1);
    return other.product() + product();
  }
  virtual ~solver() {}

private:
  void step(T a) { axpy<T><<<blocks_, B>>>(a, this->x, this->y, this->n_); }
  void step(int a, int b) { axpy<<<blocks_, B>>>(T(a + b), this->x, this->y, this->n_); }
  T product() const
  {
    dot<T, B><<<1, B>>>(this->x, this->y, this->out, this->n_);
    cudaDeviceSynchronize();
    return *this->out;
  }
  int blocks_;
};
double early(solver<double> &s)
{
  s.later(0.25);
  return s.both().value;
}
template <class T, int B> void solver<T, B>::later(T a)
{
  axpy<T><<<blocks_, B>>>(a, this->x, this->y, this->n_);
}
template <class T, int B> typename solver<T, B>::result solver<T, B>::both() const
{
  return {product(), B};
}
} // namespace work

template <class T> struct doubled {
  void run(T *p, int n) { axpy<T><<<1, 64>>>(T(1), p, p, n); }
};
template <> void doubled<int>::run(int *p, int n) { fill<<<1, 64>>>(p, 7, n); }
template <class T> struct doubled<T *> {
  void run(T *p, int n) { axpy<T><<<1, 64>>>(T(2), p, p, n); }
};
struct own {
  float v;
  __host__ __device__ own(float a = 0) : v(a) {}
  __device__ own operator*(own o) const { return v * o.v; }
  __device__ own &operator+=(own o)
  {
    v += o.v;
    return *this;
  }
};
template <class T> double all(int n)
{
  work::solver<T> s(n);
  work::solver<T, 32> t(n);
  double sum = s.solve(2) + t.typed() + s.both().steps + s.chosen() + s.often() + t.given() +
               s.converted(1.5f) + (s += 1).copied();
  t.later(T(2));
  return sum + t.both().value;
}

int main()
{
  int n = 100, *p;
  double f = all<float>(n), d = all<double>(n), i = all<int>(n);
  work::solver<double> s(n);
  double e = early(s);
  cudaMallocManaged(&p, 64 * sizeof *p);
  work::solver<float, 32>::set(p, 5);
  doubled<int *>().run(p, 16);
  cudaDeviceSynchronize();
  int before = p[15] + p[16];
  doubled<int>().run(p, 20);
  doubled<own> o;
  own *q;
  cudaMallocManaged(&q, 64 * sizeof *q);
  for (int k = 0; k < 64; k++) q[k].v = k;
  o.run(q, 60);
  cudaDeviceSynchronize();
  bool fine = f == d && p[19] == 7 && p[20] == 5 && before == 20 &&
              q[59].v == 59 + 59 * 59 / 59.f && q[60].v == 60;
  printf("%g %g %g %g %d %g\n", f, d, i, e, before, q[59].v);
  if (!fine) return 1;
  puts("ok");
  return 0;
}
