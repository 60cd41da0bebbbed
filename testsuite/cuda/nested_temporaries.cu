// args: --mapping=always
// Structures in structures that launches make in their arguments: expression templates, functors in
// functors, constructors in lists and lists in constructors, copies of variables, constructors that
// do more, members that are made of other members.
#include <cstdio>

struct leaf {
  const float *p;
  explicit leaf(const float *q) : p(q) {}
  __device__ float operator()(int i) const { return p[i]; }
};
struct plain {
  const float *p;
  __device__ float operator()(int i) const { return p[i]; }
};
template <class L, class R> struct sum {
  L l;
  R r;
  sum(L a, const R &b) : l(a), r(b) {}
  __device__ float operator()(int i) const { return l(i) + r(i); }
};
struct two { // other numbers at the places of the others
  const float *p, *q;
  int at;
  __device__ float operator()(int i) const { return p[i + at] + 2 * q[i]; }
};
struct outer {
  leaf first;
  two second;
  __device__ float operator()(int i) const { return first(i) + 4 * second(i); }
};
static int made;
struct counted {
  const float *p;
  counted(const float *q) : p(q) { made++; }
  __device__ float operator()(int i) const { return p[i]; }
};
template <class T> struct holds {
  T t;
  holds(T a) { t = a; }
  __device__ float operator()(int i) const { return t(i); }
};
template <class T> struct in_list {
  T t;
  int times;
  __device__ float operator()(int i) const { return times * t(i); }
};
struct crossed {
  plain a, b;
  crossed(plain x, plain y) : a(y), b(a) {}
  __device__ float operator()(int i) const { return a(i) + 8 * b(i); }
};

struct extent {
  int width, height;
};
struct picture {
  int pad;
  extent size;
  plain at;
};
__global__ void widths(picture e, float *o)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= e.size.height) return;
  float s = 0;
  for (int k = 0; k < e.size.width; k++) s += e.at(i * e.size.width + k);
  o[i] = s;
}
template <class E> __global__ void rows(E e, float *o, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k < m; k++) s += e(i * m + k);
  o[i] = s;
}

enum { N = 70, M = 40 };
static float a[N * M + 1], b[N * M + 1], c[N * M + 1];

template <class F> static int wrong(const char *what, float *o, F f)
{
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++) {
    float s = 0;
    for (int k = 0; k < M; k++) s += f(i * M + k);
    if (o[i] != s) return printf("%s %d: %g, not %g\n", what, i, o[i], s), 1;
  }
  return 0;
}

static float *managed(const float *from)
{
  float *p;
  cudaMallocManaged(&p, sizeof a);
  for (int i = 0; i <= N * M; i++) p[i] = from[i];
  return p;
}

int main()
{
  for (int i = 0; i <= N * M; i++) a[i] = i * 7 % 11, b[i] = i * 5 % 13, c[i] = i * 3 % 7;
  float *x = managed(a), *y = managed(b), *z = managed(c), *o = managed(a);
  const dim3 grid(3), block(32);
  int bad = 0, step = 1;
  auto ab = [](int i) { return a[i] + b[i]; };
  rows<<<grid, block>>>(sum<leaf, leaf>(leaf(x), leaf(y)), o, N, M);
  bad |= wrong("sum", o, ab);
  rows<<<grid, block>>>(sum<leaf, sum<plain, leaf>>(leaf(x), {plain{y}, leaf(z)}), o, N, M);
  bad |= wrong("deep", o, [](int i) { return a[i] + b[i] + c[i]; });
  plain named{y};
  rows<<<grid, block>>>(sum<leaf, plain>(leaf{x}, named), o, N, M);
  named.p = z;
  bad |= wrong("named", o, ab);
  rows<<<grid, block>>>(outer{leaf(x), {y, z, 1}}, o, N, M);
  bad |= wrong("outer", o, [](int i) { return a[i] + 4 * (b[i + 1] + 2 * c[i]); });
  rows<<<grid, block>>>(outer{leaf(x), two{y + step, z, step++ - 1}}, o, N, M);
  bad |= wrong("step", o, [](int i) { return a[i] + 4 * (b[i + 1] + 2 * c[i]); });
  if (step != 2) return printf("step %d\n", step), 1;
  rows<<<grid, block>>>(sum<counted, leaf>(counted(x), leaf(y)), o, N, M);
  rows<<<grid, block>>>(in_list<counted>{x, 1}, o, N, M);
  if (made != 2) return printf("made %d\n", made), 1;
  bad |= wrong("counted", o, [](int i) { return a[i]; });
  rows<<<grid, block>>>(holds<plain>(plain{z}), o, N, M);
  bad |= wrong("holds", o, [](int i) { return c[i]; });
  rows<<<grid, block>>>(in_list<in_list<leaf>>{{leaf(x), 2}, 3}, o, N, M);
  bad |= wrong("lists", o, [](int i) { return 3 * (2 * a[i]); });
  rows<<<grid, block>>>(in_list<sum<leaf, plain>>{sum<leaf, plain>(leaf(x), {y})}, o, N, M);
  bad |= wrong("zero", o, [](int) { return 0.0f; });
  rows<<<grid, block>>>(crossed({x}, {y}), o, N, M);
  bad |= wrong("crossed", o, [](int i) { return b[i] + 8 * b[i]; });
  widths<<<2, 32>>>(picture{1, {33, 64}, {x}}, o);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i++) {
    float s = 0;
    for (int k = 0; k < 33; k++) s += a[i * 33 + k];
    if (o[i] != s) return printf("width %d: %g, not %g\n", i, o[i], s), 1;
  }
  if (bad) return 1;
  puts("ok");
  return 0;
}
