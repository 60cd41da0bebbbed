// Arguments that are the same number in all launches of a kernel, as divisors and as the ends of
// short loops; beside them launches with other numbers, a kernel that changes its parameter, and
// types of all widths.
#include <cstdio>
#include <cstdlib>

static int failures;

static void expect(const char *name, const float *got, const float *want, int count)
{
  for (int i = 0; i < count; i++)
    if (got[i] != want[i]) {
      printf("%s: element %d is %.9g, not %.9g\n", name, i, got[i], want[i]);
      failures++;
      return;
    }
}

#define POOL(qualifiers, name) \
  qualifiers void name(float *out, const float *in, int n, int c, int h, int w, int k, int s, int p)

#define POOL_BODY(i) \
  int ho = (h + 2 * p - k) / s + 1, wo = (w + 2 * p - k) / s + 1; \
  if (i < n * c * ho * wo) { \
    int x = i % wo, y = (i / wo) % ho, plane = i / (wo * ho); \
    float m = -1e30f; \
    for (int dy = 0; dy < k; dy++) \
      for (int dx = 0; dx < k; dx++) { \
        int yy = y * s + dy - p, xx = x * s + dx - p; \
        if (yy >= 0 && yy < h && xx >= 0 && xx < w) { \
          float v = in[(plane * h + yy) * w + xx]; \
          if (v > m) m = v; \
        } \
      } \
    out[i] = m; \
  }

POOL(__global__, pool)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  POOL_BODY(i)
}

static POOL(, pool_host)
{
  for (int i = 0; i < n * c * h * w; i++) {
    POOL_BODY(i)
  }
}

__global__ void box(float *out, const float *in, unsigned n, unsigned char taps, long long step)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int t = 0; t < taps; t++) sum += in[(i + t * step) % n];
  out[i] = sum / taps;
}

__global__ void counts_down(float *out, const float *in, int n, int k)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < 3; t++) sum += in[i % k + t];
  while (k > 1) {
    sum += i % k;
    k /= 2;
  }
  if (i < n) out[i] = sum;
}

template <typename T> __global__ void repeated(T *out, const T *in, int n, int factor)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i / factor] + in[i % factor];
}

enum { N = 2 * 3 * 40 * 36 };

static float in[N + 64], want[N], got[N];
static float *in_d, *out_d;

static void take(int count)
{
  cudaMemcpy(got, out_d, count * sizeof *got, cudaMemcpyDeviceToHost);
  cudaMemset(out_d, 0, sizeof got);
}

int main(int argc, char **)
{
  for (int i = 0; i < N + 64; i++) in[i] = (float)(i * 7919 % 1013 - 500) / 8;
  cudaMalloc(&in_d, sizeof in);
  cudaMalloc(&out_d, sizeof got);
  cudaMemcpy(in_d, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemset(out_d, 0, sizeof got);
  pool<<<(N + 127) / 128, 128>>>(out_d, in_d, 2, 3, 40, 36, 3, 2, 1);
  take(2 * 3 * 20 * 18);
  pool_host(want, in, 2, 3, 40, 36, 3, 2, 1);
  expect("pool 3", got, want, 2 * 3 * 20 * 18);
  pool<<<(N + 127) / 128, 128>>>(out_d, in_d, 3, 2, 36, 40, 2, 2, 0);
  take(2 * 3 * 18 * 20);
  pool_host(want, in, 3, 2, 36, 40, 2, 2, 0);
  expect("pool 2", got, want, 2 * 3 * 18 * 20);
  int k = 2 + argc;
  pool<<<(N + 127) / 128, 128>>>(out_d, in_d, 2, 3, 40, 36, k, 1, k / 2);
  take(2 * 3 * (40 + k / 2 * 2 - k + 1) * (36 + k / 2 * 2 - k + 1));
  pool_host(want, in, 2, 3, 40, 36, k, 1, k / 2);
  expect("pool k", got, want, 2 * 3 * (40 + k / 2 * 2 - k + 1) * (36 + k / 2 * 2 - k + 1));
  box<<<(1000 + 63) / 64, 64>>>(out_d, in_d, 1000, 5, -7LL + 1007);
  take(1000);
  for (unsigned i = 0; i < 1000; i++) {
    float sum = 0;
    for (int t = 0; t < 5; t++) sum += in[(i + t * 1000LL) % 1000];
    want[i] = sum / 5;
  }
  expect("box", got, want, 1000);
  counts_down<<<8, 128>>>(out_d, in_d, 1000, 24);
  take(1000);
  for (int i = 0; i < 1000; i++) {
    want[i] = 0;
    for (int t = 0; t < 3; t++) want[i] += in[i % 24 + t];
    for (int d = 24; d > 1; d /= 2) want[i] += i % d;
  }
  expect("counts down", got, want, 1000);
  for (int pass = 0; pass < 2; pass++) {
    repeated<<<8, 128>>>(out_d, in_d, 1000, 7);
    take(1000);
    for (int i = 0; i < 1000; i++) want[i] = in[i / 7] + in[i % 7];
    expect("repeated", got, want, 1000);
    for (int factor = 3; factor < 6; factor++) {
      repeated<<<8, 128>>>(out_d, in_d, 1000, factor);
      take(1000);
      for (int i = 0; i < 1000; i++) want[i] = in[i / factor] + in[i % factor];
      expect("repeated, others", got, want, 1000);
    }
  }
  printf(failures ? "FAILED\n" : "ok\n");
  return failures != 0;
}
