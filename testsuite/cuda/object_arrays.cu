// args: --mapping=always
// Objects that only a constructor with arguments makes are no arrays of a thread's elements: walks,
// objects in objects, elements of arrays that are such objects.
#include <cstdio>

template <class T> struct walk {
  T *p;
  int by = 0;
  __device__ explicit walk(T *q) : p(q) {}
  __device__ void turn() { p++, by++; }
  __device__ T &operator[](int i) { return p[i - by]; }
};
struct holder {
  walk<const int> w;
  int times;
};
struct number {
  int value;
  __host__ __device__ explicit number(int v) : value(v) {}
  __device__ int operator*(const number &o) const { return value * o.value; }
};

__global__ void walks(const int *a, const int *b, int *c, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  walk<const int> w(a);
  int s = 0;
  for (int j = 0; j < n; j++) {
    s += w[y * n + j] * b[j * n + x];
    if (j == y) w.turn();
  }
  c[y * n + x] = s;
}
__global__ void held(const int *a, const int *b, int *c, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  holder h = {walk<const int>(b), 2};
  int s = 0;
  for (int j = 0; j < n; j++) {
    s += h.times * a[y * n + j] * h.w[j * n + x];
    if (j == x) h.w.turn();
  }
  c[y * n + x] = s;
}
__global__ void numbers(const number *a, const number *b, int *c, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  int s = 0;
  for (int j = 0; j < n; j++) s += a[y * n + j] * b[j * n + x];
  c[y * n + x] = s;
}

enum { N = 70 };
static int wrong(const char *what, const int *a, const int *b, const int *c, int times)
{
  cudaDeviceSynchronize();
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      int s = 0;
      for (int j = 0; j < N; j++) s += times * a[y * N + j] * b[j * N + x];
      int is = c[y * N + x];
      if (is != s) return printf("%s %d %d: %d, not %d\n", what, y, x, is, s), 1;
    }
  return 0;
}

int main()
{
  int *a, *b, *c;
  cudaMallocManaged(&a, N * N * sizeof(int));
  cudaMallocManaged(&b, N * N * sizeof(int));
  cudaMallocManaged(&c, N * N * sizeof(int));
  for (int i = 0; i < N * N; i++) a[i] = i * 7 % 11 - 5, b[i] = i * 5 % 13 - 6;
  const dim3 grid((N + 15) / 16, (N + 15) / 16), block(16, 16);
  walks<<<grid, block>>>(a, b, c, N);
  int bad = wrong("walks", a, b, c, 1);
  held<<<grid, block>>>(a, b, c, N);
  bad |= wrong("held", a, b, c, 2);
  numbers<<<grid, block>>>((const number *)a, (const number *)b, c, N);
  bad |= wrong("numbers", a, b, c, 1);
  if (bad) return 1;
  puts("ok");
  return 0;
}
