// Objects of methods that their arguments would choose anew, and copies that a method changes.
#include <cstdio>
#include <vector>

const int N = 256, M = 32;
static __device__ int id() { return blockIdx.x * blockDim.x + threadIdx.x; }

struct total {
  int n;
  __host__ __device__ void add(int v)
  {
    for (int k = 0; k < 2; k++) n += v * (k + 1);
  }
  __host__ __device__ int times(int c) const
  {
    int r = 0;
    for (int k = 0; k < c; k++) r += n + k;
    return r;
  }
};
static __host__ __device__ total made(int v)
{
  total t = {v};
  return t;
}

__global__ void elements(const int *a, const int *x, int *y, int n, int m)
{
  int i = id(), s = 0;
  if (i >= n) return;
  total t[4] = {{1}, {2}, {3}, {4}};
  for (int k = 0; k < m; k++) {
    int j = k % 3;
    t[j].add(a[i * m + k] + j++); // t[j] is chosen first
    s += t[j].n * x[k];
  }
  y[i] = s;
}

__global__ void made_first(const int *a, const int *x, int *y, int n, int m)
{
  int i = id(), s = 0;
  if (i >= n) return;
  for (int k = 0; k < m; k++) {
    int j = x[k];
    s += made(j).times(j++); // made of j as it was
    s += total{j}.times(j++ & 3) + a[i * m + k];
  }
  y[i] = s;
}

struct pair {
  int n, w;
  __host__ __device__ void bump()
  {
    n += 3;
    w = w * 2 % 101;
  }
};
struct counter {
  int c;
  __host__ __device__ int with(pair p) const // the caller's pair stays
  {
    int r = 0;
    for (int k = 0; k < 2; k++) {
      p.bump();
      r += p.n + p.w;
    }
    return r + c;
  }
};
__global__ void copies(const int *a, const int *x, int *y, int n, int m)
{
  int i = id(), s = 0;
  if (i >= n) return;
  pair q = {1, 1};
  counter t = {i};
  for (int k = 0; k < m; k++) s += t.with(q) * x[k] + q.n * a[i * m + k];
  y[i] = s + q.n * 1000 + q.w;
}

/* ... where the element that a loop updates stays in a register */
__global__ void copies_updated(const int *x, int *y, int n, int m)
{
  int i = id();
  if (i >= n) return;
  pair q = {1, 1};
  counter t = {i};
  for (int k = 0; k < m; k++) y[i] += t.with(q) * x[k];
  y[i] += q.n * 1000 + q.w;
}

template <class T> static T *to_device(const std::vector<T> &v)
{
  T *p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
static int differ(const char *name, int *device, const std::vector<int> &wanted)
{
  std::vector<int> found(wanted.size());
  cudaMemcpy(found.data(), device, found.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < found.size(); i++)
    if (found[i] != wanted[i]) {
      printf("%s[%zu]: found %d, expected %d\n", name, i, found[i], wanted[i]);
      return 1;
    }
  return 0;
}

int main()
{
  std::vector<int> a(N * M), x(M), y(N);
  unsigned seed = 9;
  int wrong = 0;
  auto next = [&] { return (seed = seed * 1664525u + 1013904223u) >> 20; };
  for (int &v : a) v = (int)(next() % 50) - 5;
  for (int &v : x) v = (int)(next() % 9);
  int *da = to_device(a), *dx = to_device(x), *dy = to_device(y);

  elements<<<N / 64, 64>>>(da, dx, dy, N, M);
  for (int i = 0; i < N; i++) {
    int t[4] = {1, 2, 3, 4};
    y[i] = 0;
    for (int k = 0; k < M; k++) {
      int j = k % 3;
      t[j] += 3 * (a[i * M + k] + j);
      y[i] += t[j + 1] * x[k];
    }
  }
  wrong += differ("elements", dy, y);

  made_first<<<N / 64, 64>>>(da, dx, dy, N, M);
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    for (int k = 0; k < M; k++) {
      int j = x[k];
      y[i] += made(j).times(j) + made(j + 1).times((j + 1) & 3) + a[i * M + k];
    }
  }
  wrong += differ("made_first", dy, y);

  copies<<<N / 64, 64>>>(da, dx, dy, N, M);
  for (int i = 0; i < N; i++) {
    y[i] = 1001;
    for (int k = 0; k < M; k++) y[i] += (counter{i}.with({1, 1})) * x[k] + a[i * M + k];
  }
  wrong += differ("copies", dy, y);

  copies_updated<<<N / 64, 64>>>(dx, dy, N, M);
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < M; k++) y[i] += (counter{i}.with({1, 1})) * x[k];
    y[i] += 1001;
  }
  wrong += differ("copies_updated", dy, y);

  printf(wrong ? "FAILED\n" : "ok\n");
  return wrong != 0;
}
