// args: --mapping=always
// Matrix products whose ids, sizes and counters are unsigned, size_t, or mixed with int, and one
// whose strides wrap around on purpose: its rows are read from the last to the first.
#include <cstdio>
#include <cstdlib>

enum { MOST = 96 * 96 };

__global__ void all_unsigned(const float *a, const float *b, float *c, unsigned m, unsigned n,
                             unsigned k)
{
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0;
    for (unsigned i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

__global__ void mixed(const float *a, const float *b, float *c, int m, int n, int k)
{
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

__global__ void sizes(const float *a, const float *b, float *c, size_t m, size_t n, size_t k)
{
  size_t row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0;
    for (size_t i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

// A row's stride is a number modulo 2^32: 4294967295 goes back by one.
__global__ void strides(const float *a, const float *b, float *c, unsigned m, unsigned n,
                        unsigned k, unsigned first, unsigned stride)
{
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0;
    for (unsigned i = 0; i < k; i++) sum += a[first + row * stride + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

static float a[MOST], b[MOST], c[MOST], *left, *right, *out;
static int failures;

static void check(const char *what, int m, int n, int k, int first, int stride)
{
  cudaMemcpy(c, out, sizeof c, cudaMemcpyDeviceToHost);
  cudaMemset(out, 0, sizeof c);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int p = 0; p < k; p++) sum += a[first + i * stride + p] * b[p * n + j];
      if (c[i * n + j] == sum) continue;
      printf("%s %d %d %d: %d %d is %g, not %g\n", what, m, n, k, i, j, c[i * n + j], sum);
      failures++;
      return;
    }
}

static void products(int m, int n, int k)
{
  dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);

  all_unsigned<<<grid, block>>>(left, right, out, m, n, k);
  check("all_unsigned", m, n, k, 0, k);
  mixed<<<grid, block>>>(left, right, out, m, n, k);
  check("mixed", m, n, k, 0, k);
  sizes<<<grid, block>>>(left, right, out, m, n, k);
  check("sizes", m, n, k, 0, k);
  strides<<<grid, block>>>(left, right, out, m, n, k, 5, k);
  check("strides", m, n, k, 5, k);
  strides<<<grid, block>>>(left, right, out, m, n, k, (m - 1) * k, 0u - k);
  check("strides back", m, n, k, (m - 1) * k, -k);
}

int main(int argc, char **)
{
  for (int i = 0; i < MOST; i++) {
    a[i] = (float)((i * 37 + 11) % 17 - 8);
    b[i] = (float)((i * 23 + 5) % 13 - 6);
  }
  cudaMalloc((void **)&left, sizeof a);
  cudaMalloc((void **)&right, sizeof b);
  cudaMalloc((void **)&out, sizeof c);
  cudaMemcpy(left, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(right, b, sizeof b, cudaMemcpyHostToDevice);
  products(64 * argc, 96 * argc, 48 * argc);
  products(70 * argc, 65 * argc, 33 * argc);
  products(2 * argc, 3 * argc, 1 * argc);
  printf(failures ? "wrong\n" : "ok\n");
  return failures != 0;
}
