// Structures that launches make in their arguments: braces with and without the class, constructors
// that only set members or do more, members in another order or of another width, structures in
// structures, values that change later.
#include <cstdio>

struct span {
  float *p;
  int n, stride;
};
template <class T> struct view {
  T *data;
  int n;
  __host__ __device__ view(T *d, int m) : data(d), n(m) {}
  __host__ __device__ T &operator[](int i) const { return data[i]; }
};
struct swapped {
  int b, a;
  float *p;
  __host__ __device__ swapped(float *q, int x, int y) : b(y), a(x), p(q) {}
};
struct narrow {
  float *p;
  unsigned char n;
  __host__ __device__ narrow(float *q, int m) : p(q), n(m) {}
};
static int made;
struct counted {
  float *p;
  int n;
  counted(float *q, int m) : p(q), n(m) { made++; }
};
struct pair {
  span first, second;
};
struct filled {
  float *p = nullptr;
  int n = 3, stride = 1;
};

__global__ void sum_rows(span a, span out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < out.n)
    for (int k = 0; k < a.n; k++) out.p[i] += a.p[i * a.stride + k];
}
__global__ void axpy(view<const float> x, view<float> y, float a)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < y.n) y[i] += a * x[i];
}
__global__ void order(swapped s)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.a)
    for (int k = 0; k < s.b; k++) s.p[i] += k;
}
__global__ void few(narrow s)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n) s.p[i] += 1;
}
__global__ void once(counted s)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n) s.p[i] += 1;
}
__global__ void both(pair s, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < s.second.n; k++) s.first.p[i * s.first.stride] += s.second.p[k];
}
__global__ void given(filled s)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n) s.p[i * s.stride] += 2;
}

static float a[40 * 24], x[100], y[100];
static int wrong(const char *what, float *d, float *e, int n)
{
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++)
    if (d[i] != e[i]) return printf("%s %d: %g, not %g\n", what, i, d[i], e[i]), 1;
  return 0;
}

int main()
{
  float *da, *dx, *dy;
  cudaMallocManaged(&da, sizeof a);
  cudaMallocManaged(&dx, sizeof x);
  cudaMallocManaged(&dy, sizeof y);
  for (int i = 0; i < 40 * 24; i++) da[i] = a[i] = i * 7 % 11;
  for (int i = 0; i < 100; i++) dx[i] = x[i] = i, dy[i] = y[i] = 100 - i;
  int rows = 40, bad = 0, step = 3;
  sum_rows<<<2, 32>>>(span{da, 20, 24}, span{dy, rows, 1});
  sum_rows<<<2, 32>>>({da, 24, 24}, {dy + 1, rows - 1, 1});
  for (int i = 0; i < 40; i++)
    for (int k = 0; k < 20; k++) y[i] += a[i * 24 + k];
  for (int i = 0; i < 39; i++)
    for (int k = 0; k < 24; k++) y[i + 1] += a[i * 24 + k];
  bad |= wrong("rows", dy, y, 100);
  axpy<<<1, 128>>>(view<const float>(dx, 100), view<float>(dy, 100), 2);
  axpy<<<1, 128>>>({dx, 50}, {dy, 60}, 1);
  axpy<<<1, 128>>>(view<const float>{dx + 1, 50}, view<float>{dy, 50}, 3);
  for (int i = 0; i < 100; i++)
    y[i] += 2 * x[i] + (i < 60 ? x[i] : 0) + (i < 50 ? 3 * x[i + 1] : 0);
  bad |= wrong("axpy", dy, y, 100);
  order<<<1, 64>>>(swapped(dy, 50, 4));
  order<<<1, 64>>>({dy, 50, 4});
  for (int i = 0; i < 50; i++) y[i] += 12;
  bad |= wrong("order", dy, y, 100);
  few<<<1, 128>>>(narrow(dy, 256 + 30));
  for (int i = 0; i < 30; i++) y[i]++;
  once<<<1, 128>>>(counted(dy, 70));
  once<<<1, 128>>>({dy, 70});
  for (int i = 0; i < 70; i++) y[i] += 2;
  if (made != 2) return printf("made %d\n", made), 1;
  both<<<1, 32>>>(pair{{dy, 0, step}, span{dx, 5, 1}}, 20);
  both<<<1, 32>>>({span{dy, 0, step}, {dx, 5, 1}}, 20);
  both<<<1, 32>>>({dy, 0, step, dx, 5, 1}, 20);
  for (int i = 0; i < 20; i++)
    for (int k = 0; k < 15; k++) y[i * 3] += x[k % 5];
  given<<<1, 32>>>({dy});
  given<<<1, 32>>>(filled{dy + 9, step++, step++});
  for (int i = 0; i < 3; i++) y[i] += 2, y[9 + 4 * i] += 2;
  bad |= wrong("last", dy, y, 100);
  for (step = 1; step < 4; step++)
    sum_rows<<<2, 32>>>(span{da + step, step, 24}, span{dy, rows, step});
  for (int s = 1; s < 4; s++)
    for (int i = 0; i < 40; i++)
      for (int k = 0; k < s; k++) y[i] += a[i * 24 + s + k];
  bad |= wrong("loop", dy, y, 100);
  if (bad) return 1;
  puts("ok");
  return 0;
}
