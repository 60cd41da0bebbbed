// args: --mapping=always
// Objects of classes with private members that launches make in their arguments: constructors,
// braces with and without the class, functions, conversions, a base that is not the first one, a
// constructor that counts.
#include <cstdio>

enum { N = 48 };
static int made;

template <class T> class View {
  T *p;
  int n;

public:
  __host__ __device__ View(T *q, int m) : p(q), n(m) {}
  __host__ __device__ T &operator()(int y, int x) const { return p[y * n + x]; }
  __host__ __device__ int size() const { return n; }
};

class Counted {
  float *p;
  int n;

public:
  Counted(float *q, int m) : p(q), n(m) { made++; }
  __device__ float &operator()(int y, int x) const { return p[y * n + x]; }
  __device__ int size() const { return n; }
};

struct Before {
  double weight;
  int kind;
};
class Behind : public Before, public View<float> {
public:
  Behind(float *q, int m) : View<float>(q, m) { weight = 3, kind = 5; }
};

class Matrix {
  int kind = 1;
  float *q;

public:
  explicit Matrix(float *d) : q(d) {}
  View<float> view() { return View<float>(q, N); }
  View<const float> view() const { return {q, N}; }
  operator View<float>() const { return View<float>(q, N); }
};

template <class T> static View<T> view_of(T *p, int n) { return View<T>(p, n); }


template <int> __global__ void product(View<const float> a, View<const float> b, View<float> c)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.size() || y >= c.size()) return;
  float sum = 0;
  for (int k = 0; k < c.size(); k++) sum += a(y, k) * b(k, x);
  c(y, x) = sum;
}

__global__ void counted(View<const float> a, View<const float> b, Counted c)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= c.size() || y >= c.size()) return;
  float sum = 0;
  for (int k = 0; k < c.size(); k++) sum += a(y, k) * b(k, x);
  c(y, x) = sum;
}

static float *a, *b, *c;
static int wrong;

static void expect(const char *what)
{
  cudaDeviceSynchronize();
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      float sum = 0;
      for (int k = 0; k < N; k++) sum += a[y * N + k] * b[k * N + x];
      if (c[y * N + x] != sum && wrong++ < 5)
        printf("%s, %d %d: %g, not %g\n", what, y, x, c[y * N + x], sum);
      c[y * N + x] = -1;
    }
}

int main()
{
  dim3 grid(3, 3), block(16, 16);
  cudaMallocManaged(&a, N * N * sizeof *a);
  cudaMallocManaged(&b, N * N * sizeof *b);
  cudaMallocManaged(&c, N * N * sizeof *c);
  for (int i = 0; i < N * N; i++) a[i] = i % 7, b[i] = i % 5;
  product<1><<<grid, block>>>(View<const float>(a, N), View<const float>(b, N), View<float>(c, N));
  expect("constructors");
  product<2><<<grid, block>>>({a, N}, {b, N}, {c, N});
  expect("braces");
  product<3><<<grid, block>>>(View<const float>{a, N}, View<const float>{b, N}, View<float>{c, N});
  expect("braces of a class");
  product<4><<<grid, block>>>(view_of<const float>(a, N), view_of<const float>(b, N), view_of(c, N));
  expect("functions");
  const Matrix left(a);
  Matrix right(b), out(c);
  const Matrix &same = right;
  product<5><<<grid, block>>>(left.view(), same.view(), out.view());
  expect("methods");
  product<6><<<grid, block>>>(left.view(), same.view(), out);
  expect("a conversion");
  product<7><<<grid, block>>>(left.view(), same.view(), Behind(c, N));
  expect("a second base");
  View<const float> kept(a, N), *pointed = &kept;
  product<8><<<grid, block>>>(*pointed, same.view(), (View<float>)out);
  expect("what a pointer leads to");
  for (int i = 0; i < 2; i++) {
    counted<<<grid, block>>>({a, N}, {b, N}, {c, N});
    expect("counted");
    counted<<<grid, block>>>({a, N}, {b, N}, Counted(c, N));
    expect("counted by a constructor");
  }
  if (made != 4) wrong++, printf("made %d\n", made);
  puts(wrong ? "wrong" : "ok");
  return wrong != 0;
}
