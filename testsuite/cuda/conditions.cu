// Declarations and statements in the conditions of if, while and switch: the order of their parts,
// names that are valid in the else part, in loops that the cache or several threads change.
#include <cstdio>
#include <vector>

const int N = 1024, M = 96;
struct point {
  float c[3];
  __host__ __device__ float distance(const point &o) const
  {
    float s = 0;
    for (int i = 0; i < 3; ++i) {
      float d = c[i] - o.c[i];
      s += d * d;
    }
    return s;
  }
};

template <class T> __global__ void rows(const T *a, const T *x, T *y, unsigned n, int m)
{
  if (const unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n) {
    T s = 0;
    for (int k = 0; k < m; ++k) s += a[i * m + k] * x[k];
    y[i] = s;
  }
}

__global__ void nearest(const point *q, const point *r, int nq, int nr, int *index)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = -1;
  float best = 1e30f;
  if (i >= nq) return;
  for (int j = 0; j < nr; ++j)
    if (float d = q[i].distance(r[j]); d < best) best = d, at = j;
  index[i] = at;
}

__global__ void counts(const int *a, int *o, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, c = 0;
  if (i >= n) return;
  for (int k = 0; k < m; k++)
    if (int v = a[i * m + k] % 5)
      c += v & 1;
    else
      c += 3 + v;
  o[i] = c;
}

__global__ void ordered(const int *a, int *o, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0, v = 0;
  if (i >= n) return;
  for (int k = 0; k < m; k++) {
    if (v = a[i * m + k]; v % 3) s += v;
    if (v += k; v % 2)
      s -= v;
    else
      s += 2;
    if (s ^= k; int w = s % 7)
      s += w;
    else if (int u = v % 11, t = u + 1; t > 5)
      s += u - w;
    else
      s -= t + u;
  }
  o[i] = s + v;
}

__global__ void assigned(const int *a, int *o, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0, v;
  if (i >= n) return;
  for (int k = 0; k < m; k++)
    if (v = a[i * m + k] % 9; v > 4) s += v;
  o[i] = s;
}

__global__ void bits(const unsigned *a, int *o, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, c = 0;
  if (i >= n) return;
  unsigned v = a[i];
  while (unsigned low = v & (0u - v)) {
    v ^= low;
    if (low & 0x50u) continue;
    c += low % 29;
    if (c > 300) break;
  }
  switch (int k = c & 3; k) {
  case 0: c += 100; break;
  case 1: c += 200; /* on */
  default: c += k; break;
  }
  switch (int k = c % 5) {
  case 3: c += k;
  case 4: c -= 7; break;
  default: c *= 2;
  }
  o[i] = c;
}

#define SUM_IF(s, first, test, value) if (first; test) s += value; else s -= 1
__global__ void macros(const int *a, int *o, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0, t = 0;
  if (i >= n) return;
  SUM_IF(s, t = a[i] % 9, t > 4, t * 3);
  SUM_IF(s, int u = t + a[i + 1] % 3, u > 5, u);
  o[i] = s;
}

static int on_host(int v, int *steps)
{
  int s = 0;
  if (s = v; v > 3)
    s++;
  else
    s--;
  switch (int k = v & 1; k) {
  case 0: *steps += 1; break;
  default: *steps += 2;
  }
  if (int *p = steps; *p > v) s += *p;
  return s;
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
      printf("%s[%zu]: found %g, expected %g\n", name, i, (double)found[i], (double)wanted[i]);
      return 1;
    }
  return 0;
}

int main()
{
  std::vector<int> a(N * M + 1), o(N);
  std::vector<float> f(N * M), x(M), y(N);
  std::vector<point> p(N), q(N);
  std::vector<unsigned> u(N);
  unsigned seed = 5;
  auto next = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  int wrong = 0;
  for (int &v : a) v = next() % 1000;
  for (float &v : f) v = next() % 16;
  for (float &v : x) v = next() % 8;
  for (unsigned &v : u) v = next();
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++) p[i].c[k] = next() % 64, q[i].c[k] = next() % 64;
  int *da = to_device(a), *d_o = to_device(o);
  float *df = to_device(f), *dx = to_device(x), *dy = to_device(y);
  point *dp = to_device(p), *dq = to_device(q);
  unsigned *du = to_device(u);

  rows<<<N / 128, 128>>>(df, dx, dy, (unsigned)N, M);
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    for (int k = 0; k < M; k++) y[i] += f[i * M + k] * x[k];
  }
  wrong += differ("rows", dy, y);

  nearest<<<N / 128, 128>>>(dp, dq, N, N, d_o);
  for (int i = 0; i < N; i++) {
    float best = 1e30f;
    for (int j = 0; j < N; j++) {
      float d = p[i].distance(q[j]);
      if (d < best) best = d, o[i] = j;
    }
  }
  wrong += differ("nearest", d_o, o);

  counts<<<N / 128, 128>>>(da, d_o, N, M);
  for (int i = 0; i < N; i++) {
    o[i] = 0;
    for (int k = 0; k < M; k++) {
      int v = a[i * M + k] % 5;
      o[i] += v ? v & 1 : 3;
    }
  }
  wrong += differ("counts", d_o, o);

  ordered<<<N / 128, 128>>>(da, d_o, N, M);
  for (int i = 0; i < N; i++) {
    int s = 0, v = 0;
    for (int k = 0; k < M; k++) {
      v = a[i * M + k];
      s += v % 3 ? v : 0;
      v += k;
      s += v % 2 ? -v : 2;
      s ^= k;
      int w = s % 7, r = v % 11;
      s += w ? w : r + 1 > 5 ? r : -(r + 1 + r);
    }
    o[i] = s + v;
  }
  wrong += differ("ordered", d_o, o);

  assigned<<<N / 128, 128>>>(da, d_o, N, M);
  for (int i = 0; i < N; i++) {
    o[i] = 0;
    for (int k = 0; k < M; k++) o[i] += a[i * M + k] % 9 > 4 ? a[i * M + k] % 9 : 0;
  }
  wrong += differ("assigned", d_o, o);

  bits<<<N / 128, 128>>>(du, d_o, N);
  for (int i = 0; i < N; i++) {
    int c = 0;
    for (unsigned v = u[i], low; (low = v & (0u - v)) != 0;) {
      v ^= low;
      if (low & 0x50u) continue;
      c += low % 29;
      if (c > 300) break;
    }
    int k = c & 3;
    c += k == 0 ? 100 : k == 1 ? 201 : k;
    k = c % 5;
    if (k == 3) c += k;
    c = k == 3 || k == 4 ? c - 7 : c * 2;
    o[i] = c;
  }
  wrong += differ("bits", d_o, o);

  macros<<<N / 128, 128>>>(da, d_o, N);
  for (int i = 0; i < N; i++) {
    int t = a[i] % 9, v = t + a[i + 1] % 3;
    o[i] = (t > 4 ? t * 3 : -1) + (v > 5 ? v : -1);
  }
  wrong += differ("macros", d_o, o);

  int steps = 0, got = on_host(4, &steps) + on_host(1, &steps);
  if (got != 8 || steps != 3) printf("on_host: found %d, %d\n", got, steps), wrong++;
  printf(wrong ? "FAILED\n" : "ok\n");
  return wrong != 0;
}
