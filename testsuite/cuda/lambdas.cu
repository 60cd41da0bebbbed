// args: --mapping=always
// Lambdas in kernels: without captures, with captures by reference and by value, of a value that changes after the
// lambda has copied it, that call each other, that add to a local; results and arguments that are converted.
#include <cstdio>
#include <cuda_runtime.h>

const int N = 128;

__global__ void tones(const float *x, unsigned char *out, int n)
{
  auto q = [](float v) { return (unsigned char)(255.99f * fminf(sqrtf(v), 1.f)); };
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = q(x[i]) / 2 + q(x[n - 1 - i]) / 2;
}

__global__ void smooth(const float *u, float *v, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  auto U = [&](int i, int j) { return u[j * n + i]; };
  v[y * n + x] = (U(x + 1, y) + U(x - 1, y) + U(x, y + 1) + U(x, y - 1)) / 4 - U(x, y);
}

// the column is copied while k is a, the row while r is row
template <class T> __global__ void product(const T *a, const T *b, T *c, int n)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  T s = 0;
  auto add = [&s](T v) { s += v; };
  for (int k = 0; k < n; k++) {
    auto left = [=](int r) { return a[r * n + k]; };
    auto both = [&](int r, int x) { return left(r) * b[k * n + x]; };
    add(both(row, col));
  }
  c[row * n + col] = s;
}

__global__ void copied(const int *a, int *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 3, m = 5;
  auto scaled = [k, &m](int v) { return v * k + m; };
  k = 100;
  m = 7;
  int s = 0;
  for (int t = 0; t < n; t++) s += scaled(a[t]);
  out[i] = s + k;
}

// 1.75 is 1 as an int, 300 is 44 as an unsigned char
__global__ void converted(const float *a, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto low = [](float v) -> int { return v * 2; };
  auto part = [](unsigned char v) { return v; };
  float s = 0;
  for (int t = 0; t < n; t++) s += low(a[t]) + part(300 + t);
  out[i] = s + a[i];
}

// nothing is left of what the lambda does to its parameter
__global__ void kept(const int *a, int *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0, m = n;
  auto lost = [](int v) { v += 1000; };
  lost(m);
  for (int t = 0; t < n; t++) s += a[t];
  out[i] = s + m;
}

__global__ void elements(float *a, int n)
{
  __shared__ float tile[N];
  auto at = [&](int i) -> float & { return tile[i]; };
  auto put = [=](int i, float v) { a[i] = v; };
  int t = threadIdx.x;
  at(t) = a[blockIdx.x * N + t];
  __syncthreads();
  {
    int n = 1;
    put(blockIdx.x * N + t, at(N - 1 - t) + n);
  }
  if (n < 0) at(0) += 1;
}

static int wrong;

static void check(const char *what, int i, double got, double want)
{
  if (got == want) return;
  if (wrong++ < 8) std::printf("%s: element %d is %g, not %g\n", what, i, got, want);
}

static float *x, *y, *z;
static int *p, *r;
static unsigned char *w;

static float at(int i) { return x[i] * 4; }

static void check_all()
{
  for (int i = 0; i < N; i++) {
    int sum = 100;
    float converted_sum = 0;
    for (int t = 0; t < N; t++) {
      sum += p[t] * 3 + 7;
      converted_sum += (int)(x[t] * 2) + (unsigned char)(300 + t);
    }
    check("copied", i, r[i], sum);
    check("kept", i, r[N + i], (sum - 100 - 7 * N) / 3 + N);
    check("converted", i, z[i], converted_sum + x[i]);
  }
  for (int i = 0; i < N * N; i++) check("elements", i, y[i], x[i / N * N + N - 1 - i % N] + 1);
}

int main()
{
  cudaMallocManaged(&x, N * N * sizeof *x);
  cudaMallocManaged(&y, N * N * sizeof *y);
  cudaMallocManaged(&z, N * N * sizeof *z);
  cudaMallocManaged(&p, N * sizeof *p);
  cudaMallocManaged(&r, 2 * N * sizeof *r);
  cudaMallocManaged(&w, N * N);
  for (int i = 0; i < N * N; i++) x[i] = i * 13 % 4 / 4.f;
  for (int i = 0; i < N; i++) p[i] = i * 7 % 11;
  dim3 block(16, 16), grid(N / 16, N / 16);
  tones<<<N, N>>>(x, w, N * N);
  smooth<<<grid, block>>>(x, z, N);
  product<float><<<grid, block>>>(x, x, y, N);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("a launch failed"), 1;
  for (int i = 0; i < N * N; i++) {
    int want = (int)(unsigned char)(255.99f * sqrtf(x[i])) / 2;
    want += (int)(unsigned char)(255.99f * sqrtf(x[N * N - 1 - i])) / 2;
    int row = i / N, col = i % N;
    float sum = 0;
    for (int k = 0; k < N; k++) sum += x[row * N + k] * x[k * N + col];
    check("tones", i, w[i], want);
    check("product", i, y[i], sum);
    if (row < 1 || col < 1 || row >= N - 1 || col >= N - 1) continue;
    check("smooth", i, z[i] * 16, at(i + 1) + at(i - 1) + at(i + N) + at(i - N) - 4 * at(i));
  }
  copied<<<1, N>>>(p, r, N);
  kept<<<1, N>>>(p, r + N, N);
  converted<<<1, N>>>(x, z, N);
  cudaMemcpy(y, x, N * N * sizeof *x, cudaMemcpyDefault);
  elements<<<N, N>>>(y, N);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("a launch failed"), 1;
  check_all();
  return wrong != 0;
}
