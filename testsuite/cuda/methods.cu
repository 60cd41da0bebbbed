// Member functions of views, functors and values: with loops, returns, effects on their object, of
// base classes, of class templates, with elements and members as objects and arguments.
#include <cstdio>
#include <vector>

const int N = 512, M = 96;
static __device__ int id() { return blockIdx.x * blockDim.x + threadIdx.x; }
namespace util {
struct index {
  static __device__ int x() { return blockIdx.x * blockDim.x + threadIdx.x; }
};
} // namespace util

template <class F> __global__ void for_each(int n, F f)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

struct product { // a functor with a loop, and one with a return in the middle
  const int *a, *x;
  int *y;
  int m;
  __device__ void operator()(int i) const
  {
    int s = 0;
    for (int k = 0; k < m; ++k) s += a[i * m + k] * x[k];
    y[i] = s;
  }
};
struct halves {
  const int *a;
  int *y;
  __device__ void operator()(int i) const
  {
    if (a[i] % 2) return;
    y[i] = a[i] / 2;
  }
};

template <class T> class rows { // of a class template, private
  const T *data;
  int width;
  __device__ const T *row(int i) const { return data + i * width; }
  __device__ T clamped(int i, int k) const
  {
    if (k < 0) return row(i)[0];
    if (k >= width) return row(i)[width - 1];
    return row(i)[k];
  }

public:
  __host__ __device__ rows(const T *p, int w) : data(p), width(w) {}
  __device__ int cols() const { return width; }
  __device__ T dot(int i, const T *x) const
  {
    T s = 0;
    for (int k = 0; k < width; k++) s += row(i)[k] * x[k];
    return s;
  }
  __device__ T near(int i, int k) const { return clamped(i, k - 1) + clamped(i, k + 1); }
};
__global__ void dots(rows<int> a, const int *x, int *y, int n)
{
  if (id() < n) y[id()] = a.dot(id(), x);
}
__global__ void sums(rows<int> a, int *y, int n)
{
  int i = util::index::x(), s = 0;
  if (i >= n) return;
  for (int k = 0; k < a.cols(); k++) s = s * 3 + a.near(i, k);
  y[i] = s;
}

struct statistics { // methods that change their object
  int count = 0;
  long long sum = 0, squares = 0;
  __device__ void add(int v)
  {
    count++;
    sum += v;
    squares += (long long)v * v;
  }
  __device__ statistics &merge(const statistics &o)
  {
    count += o.count;
    sum += o.sum;
    squares += o.squares;
    return *this;
  }
  __device__ void scale(int f) { sum *= f, squares *= f * f; }
  __device__ void scale_by_count(statistics o) // a copy of the object, perhaps
  {
    count += 1;
    sum += o.count;
    squares -= o.count;
  }
};
__global__ void gather(const int *a, long long *y, int n, int m)
{
  int i = id();
  if (i >= n) return;
  statistics s, t;
  for (int k = 0; k < m; k++) s.add(a[i * m + k]);
  t.merge(s).merge(s);
  t.merge(t);
  t.scale(3);
  t.scale_by_count(t);
  y[i] = t.sum * 7 + t.squares - s.count + t.count;
}

struct random_numbers {
  unsigned state;
  __device__ explicit random_numbers(unsigned seed) : state(seed) {}
  __device__ unsigned next()
  {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  }
  __device__ int below(int n) { return (int)(next() % (unsigned)n); }
};
__global__ void drawn(const int *w, int *y, int n, int m)
{
  int i = id(), s = 0;
  if (i >= n) return;
  random_numbers r(i + 1);
  for (int k = 0; k < m; k++) s += w[k] * r.below(5);
  int other = r.below(100), state = (int)(r.state % 1000u);
  y[i] = s + r.below(10) * 2 + other + state;
}

template <class T> struct soa { // results by reference
  T *x, *y, *z;
  __device__ void load(int i, T &a, T &b, T &c) const { a = x[i], b = y[i], c = z[i]; }
  __device__ void store(int i, T a, T b, T c)
  {
    x[i] = a;
    y[i] = b;
    z[i] = c;
  }
};
__global__ void turned(soa<int> p, int n)
{
  int i = id(), a, b, c;
  if (i >= n) return;
  p.load(i, a, b, c);
  p.store(i, b, c, a + 1);
}

struct vec3 { // elements as objects and arguments
  int x, y, z;
  __device__ vec3 operator-(const vec3 &o) const { return {x - o.x, y - o.y, z - o.z}; }
  __device__ vec3 &operator+=(const vec3 &o)
  {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  __device__ int dot(const vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
  __device__ void swap(vec3 &o)
  {
    vec3 t = *this;
    *this = o;
    o = t;
  }
};
__global__ void pairs(vec3 *p, const vec3 *q, int *y, int n)
{
  int i = id(), s = 0;
  if (i >= n / 2) return;
  for (int j = 0; j < n; j++) {
    vec3 d = q[j] - p[i];
    s += d.dot(q[j]) % 13;
  }
  p[i] += q[i];
  p[i + n / 2].swap(p[i]);
  int k = i;
  p[k].x += k;
  y[i] = s;
}

struct cell { // an object whose index the method steps, and a method whose order counts
  int v;
  __device__ void advance(int &k)
  {
    v += k;
    k++;
    v *= 2;
  }
};
__global__ void stepping(cell *p, int *y, int n, int m)
{
  int i = id(), k = 0, s = 0;
  if (i >= n) return;
  random_numbers r(i + 7);
  while (k < m) {
    p[i * m + k].advance(k);
    s += (int)(r.state & 7u) << r.below(3);
  }
  y[i] = s + k;
}

template <class T> struct base { // members of a base, one of which the class hides
  T *data;
  int width, extra;
  __device__ T &at(int i, int k) const { return data[i * width + k]; }
  __device__ int get() const { return extra; }
};
template <class T> struct derived : base<T> {
  int extra;
  __device__ T &operator()(int i, int k) const { return this->at(i, k); }
  __device__ int both() const { return this->get() * 10 + extra; }
};
__global__ void bases(derived<int> a, int *y, int n)
{
  int i = id(), s = 0;
  if (i >= n) return;
  for (int k = 0; k < a.width; k++) s += a(i, k) * (k + 1);
  y[i] = s + a.both();
}

template <class D> struct expression {
  __device__ int operator[](int i) const { return static_cast<const D &>(*this).value(i); }
};
struct leaf : expression<leaf> {
  const int *p;
  __host__ __device__ explicit leaf(const int *q) : p(q) {}
  __device__ int value(int i) const { return p[i]; }
};
template <class L, class R> struct sum_of : expression<sum_of<L, R>> {
  L l;
  R r;
  __host__ __device__ sum_of(L a, R b) : l(a), r(b) {}
  __device__ int value(int i) const { return l[i] + 2 * r[i]; }
};
template <class E> __global__ void evaluate(E e, int *y, int n, int m)
{
  int i = id(), s = 0;
  if (i >= n) return;
  for (int k = 0; k < m; k++) s += e[i * m + k] * k;
  y[i] = s;
}

template <class T> static T *to_device(const std::vector<T> &v)
{
  T *p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T> static int differ(const char *name, T *device, const std::vector<T> &wanted)
{
  std::vector<T> found(wanted.size());
  cudaMemcpy(found.data(), device, found.size() * sizeof(T), cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < found.size(); i++)
    if (found[i] != wanted[i]) {
      printf("%s[%zu]: found %lld, expected %lld\n", name, i, (long long)found[i],
             (long long)wanted[i]);
      return 1;
    }
  return 0;
}

static unsigned step(unsigned &s)
{
  s ^= s << 13;
  s ^= s >> 17;
  return s ^= s << 5;
}

int main()
{
  std::vector<int> a(N * M), b(N * M), x(M), y(N), p(3 * N), q(3 * N);
  std::vector<long long> l(N);
  unsigned seed = 9;
  int wrong = 0;
  for (int &v : a) v = (int)(step(seed) % 100u) - 40;
  for (int &v : b) v = (int)(step(seed) % 100u);
  for (int &v : x) v = (int)(step(seed) % 9u);
  for (int &v : p) v = (int)(step(seed) % 50u);
  for (int &v : q) v = (int)(step(seed) % 50u);
  int *da = to_device(a), *db = to_device(b), *dx = to_device(x), *dy = to_device(y);
  int *dp = to_device(p), *dq = to_device(q);
  long long *dl = to_device(l);

  for_each<<<N / 128, 128>>>(N, product{da, dx, dy, M});
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    for (int k = 0; k < M; k++) y[i] += a[i * M + k] * x[k];
  }
  wrong += differ("product", dy, y);
  cudaMemset(dy, 0, N * sizeof(int));
  dots<<<N / 128, 128>>>(rows<int>(da, M), dx, dy, N);
  wrong += differ("dots", dy, y);
  for_each<<<N / 128, 128>>>(N, halves{da, dy});
  for (int i = 0; i < N; i++) y[i] = a[i] % 2 ? y[i] : a[i] / 2;
  wrong += differ("halves", dy, y);

  sums<<<N / 128, 128>>>(rows<int>(da, M), dy, N);
  for (int i = 0; i < N; i++) {
    unsigned s = 0;
    for (int k = 0; k < M; k++)
      s = s * 3 + (unsigned)(a[i * M + (k ? k - 1 : 0)] + a[i * M + (k < M - 1 ? k + 1 : k)]);
    y[i] = (int)s;
  }
  wrong += differ("sums", dy, y);

  gather<<<N / 128, 128>>>(da, dl, N, M);
  for (int i = 0; i < N; i++) {
    long long s = 0, r = 0;
    for (int k = 0; k < M; k++) s += a[i * M + k], r += (long long)a[i * M + k] * a[i * M + k];
    l[i] = (4 * s * 3 + 4 * M) * 7 + 4 * r * 9 - 4 * M - M + 4 * M + 1;
  }
  wrong += differ("gather", dl, l);

  drawn<<<N / 128, 128>>>(dx, dy, N, M);
  for (int i = 0; i < N; i++) {
    unsigned r = (unsigned)i + 1;
    y[i] = 0;
    for (int k = 0; k < M; k++) y[i] += x[k] * (int)(step(r) % 5u);
    y[i] += (int)(step(r) % 100u);
    y[i] += (int)(r % 1000u);
    y[i] += (int)(step(r) % 10u) * 2;
  }
  wrong += differ("drawn", dy, y);

  turned<<<N / 128, 128>>>(soa<int>{dp, dp + N, dp + 2 * N}, N);
  for (int i = 0; i < N; i++) {
    int first = p[i];
    p[i] = p[N + i], p[N + i] = p[2 * N + i], p[2 * N + i] = first + 1;
  }
  wrong += differ("turned", dp, p);

  pairs<<<N / 256, 128>>>((vec3 *)dp, (vec3 *)dq, dy, N);
  for (int i = 0; i < N / 2; i++) {
    y[i] = 0;
    for (int j = 0; j < N; j++) {
      int d = 0;
      for (int c = 0; c < 3; c++) d += (q[3 * j + c] - p[3 * i + c]) * q[3 * j + c];
      y[i] += d % 13;
    }
  }
  for (int i = 0; i < N / 2; i++)
    for (int c = 0; c < 3; c++) {
      int own = p[3 * i + c] + q[3 * i + c], far = 3 * (i + N / 2) + c;
      p[3 * i + c] = p[far] + (c ? 0 : i);
      p[far] = own;
    }
  wrong += differ("pairs", dy, y) + differ("places", dp, p);

  stepping<<<N / 128, 128>>>((cell *)db, dy, N, M);
  for (int i = 0; i < N; i++) {
    unsigned r = (unsigned)i + 7;
    y[i] = M;
    for (int k = 0; k < M; k++) {
      int left = (int)(r & 7u);
      y[i] += left << (int)(step(r) % 3u);
      b[i * M + k] = (b[i * M + k] + k) * 2;
    }
  }
  wrong += differ("stepping", dy, y) + differ("cells", db, b);

  derived<int> d;
  d.data = da, d.width = M, d.base<int>::extra = 3, d.extra = 4;
  bases<<<N / 128, 128>>>(d, dy, N);
  for (int i = 0; i < N; i++) {
    y[i] = 34;
    for (int k = 0; k < M; k++) y[i] += a[i * M + k] * (k + 1);
  }
  wrong += differ("bases", dy, y);

  evaluate<<<N / 128, 128>>>(sum_of<leaf, leaf>(leaf(da), leaf(db)), dy, N, M);
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    for (int k = 0; k < M; k++) y[i] += (a[i * M + k] + 2 * b[i * M + k]) * k;
  }
  wrong += differ("evaluate", dy, y);

  printf(wrong ? "FAILED\n" : "ok\n");
  return wrong != 0;
}
