// args: --mapping=always
// Sums of columns and of rows, the largest of a row, and rows that are normed, with counters that
// are unsigned or size_t: threads that share such a loop go through it by counting.
#include <cstdio>
#include <cstdlib>

enum { MOST = 40000 };

__global__ void columns(const unsigned *a, unsigned *s, unsigned n, unsigned m)
{
  unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) sum += a[i * m + j];
    s[j] = sum;
  }
}

__global__ void columns_from(const unsigned *a, unsigned *s, size_t first, size_t n, size_t m)
{
  size_t j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    unsigned sum = 5;
    for (size_t i = first; i < n; i++) sum += a[i * m + j];
    s[j] = sum;
  }
}

__global__ void rows(const unsigned *a, unsigned *s, unsigned n, unsigned m)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned sum = 0;
    for (unsigned j = 0; j < m; j++) sum += a[i * m + j] * (j + 1);
    s[i] = sum;
  }
}

__global__ void narrow(const unsigned *a, unsigned *s, int n, unsigned char m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned sum = 0;
    for (unsigned char j = 0; j < m; j++) sum += a[i * m + j];
    s[i] = sum;
  }
}

// All numbers are small, whole ones: the sums of floats are exact in any order.
__global__ void normed(const float *a, float *s, unsigned n, unsigned m)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float largest = -1e30f, sum = 0;
    for (unsigned j = 0; j < m; j++) largest = fmaxf(largest, a[i * m + j]);
    for (unsigned j = 0; j < m; j++) sum += largest - a[i * m + j];
    for (unsigned j = 0; j < m; j++) s[i * m + j] = (largest - a[i * m + j]) * 2 + sum;
  }
}

static unsigned a[MOST], s[MOST];
static float fa[MOST], fs[MOST];
static unsigned *in, *out;
static float *fin, *fout;
static int failures;

static void check(const char *what, int n, int m, int i, unsigned right)
{
  if (s[i] == right) return;
  if (!failures++) printf("%s %d %d: %d is %u, not %u\n", what, n, m, i, s[i], right);
}

static void fetch() { cudaMemcpy(s, out, sizeof s, cudaMemcpyDeviceToHost); }

static void check_columns(int n, int m, int first)
{
  columns<<<(m + 127) / 128, 128>>>(in, out, n, m);
  fetch();
  for (int j = 0; j < m; j++) {
    unsigned sum = 0;
    for (int i = 0; i < n; i++) sum += a[i * m + j];
    check("columns", n, m, j, sum);
  }
  columns_from<<<(m + 127) / 128, 128>>>(in, out, first, n, m);
  fetch();
  for (int j = 0; j < m; j++) {
    unsigned sum = 5;
    for (int i = first; i < n; i++) sum += a[i * m + j];
    check("columns_from", n, m, j, sum);
  }
}

static void check_rows(int n, int m)
{
  rows<<<(n + 63) / 64, 64>>>(in, out, n, m);
  fetch();
  for (int i = 0; i < n; i++) {
    unsigned sum = 0;
    for (int j = 0; j < m; j++) sum += a[i * m + j] * (j + 1);
    check("rows", n, m, i, sum);
  }
  if (m > 255) return;
  narrow<<<(n + 63) / 64, 64>>>(in, out, n, m);
  fetch();
  for (int i = 0; i < n; i++) {
    unsigned sum = 0;
    for (int j = 0; j < m; j++) sum += a[i * m + j];
    check("narrow", n, m, i, sum);
  }
}

static void check_normed(int n, int m)
{
  normed<<<(n + 63) / 64, 64>>>(fin, fout, n, m);
  cudaMemcpy(fs, fout, sizeof fs, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) {
    float largest = -1e30f, sum = 0;
    for (int j = 0; j < m; j++) largest = fa[i * m + j] > largest ? fa[i * m + j] : largest;
    for (int j = 0; j < m; j++) sum += largest - fa[i * m + j];
    for (int j = 0; j < m; j++) {
      float right = (largest - fa[i * m + j]) * 2 + sum;
      if (fs[i * m + j] != right && !failures++)
        printf("normed %d %d: %d %d is %g, not %g\n", n, m, i, j, fs[i * m + j], right);
    }
  }
}

static void all(int n, int m, int first)
{
  check_columns(n, m, first);
  check_rows(n, m);
  check_normed(n, m);
}

int main(int argc, char **)
{
  for (int i = 0; i < MOST; i++) {
    a[i] = (unsigned)((i * 37 + 11) % 1000);
    fa[i] = (float)((i * 23 + 5) % 13 - 6);
  }
  cudaMalloc((void **)&in, sizeof a);
  cudaMalloc((void **)&out, sizeof s);
  cudaMalloc((void **)&fin, sizeof fa);
  cudaMalloc((void **)&fout, sizeof fs);
  cudaMemset(out, 0, sizeof s);
  cudaMemset(fout, 0, sizeof fs);
  cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(fin, fa, sizeof fa, cudaMemcpyHostToDevice);
  all(200 * argc, 200 * argc, 0);
  all(1000 * argc, 40 * argc, 7);
  all(3 * argc, 3000 * argc, 1);
  all(130 * argc, 257 * argc, 129);
  all(37 * argc, 1 * argc, 37);
  printf(failures ? "wrong\n" : "ok\n");
  return failures != 0;
}
