// args: --mapping=always
// Matrix products in the first steps in which people learn them: blocks in a row whose threads take
// their number apart, along either axis of the grid, with signed and unsigned numbers; and kernels
// whose blocks stay in a row: several divisors, a thread's own number.
#include "include/products.h"

// The row from blockIdx.x, signed.
__global__ void rows_first(const float *a, const float *b, float *c, int m, int n, int k)
{
  int row = blockIdx.x * T + threadIdx.x / T, col = blockIdx.y * T + threadIdx.x % T;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// The row from blockIdx.y, unsigned, with shifts and masks.
__global__ void columns_first(const float *a, const float *b, float *c, unsigned m, unsigned n,
                              unsigned k)
{
  const unsigned t = threadIdx.x;
  const unsigned row = blockIdx.y * 8 + (t >> 5), col = blockIdx.x * 32 + (t & 31);
  if (row < m && col < n) {
    float sum = 0;
    for (unsigned i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

// A template's number of threads, an update of the result.
template <const unsigned SIZE>
__global__ void updated(const float *a, const float *b, float *c, int m, int n, int k, float alpha,
                        float beta)
{
  const int row = blockIdx.x * SIZE + (threadIdx.x / SIZE);
  const int col = blockIdx.y * SIZE + (threadIdx.x % SIZE);
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = alpha * sum + beta * c[row * n + col];
  }
}

// ---- blocks that stay in a row ----

__global__ void two_divisors(const float *a, const float *b, float *c, int m, int n, int k)
{
  int row = blockIdx.x * T + threadIdx.x / T, col = blockIdx.y * T + threadIdx.x % T;
  if (row >= m || col >= n) return;
  float sum = threadIdx.x % 8;
  for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

__global__ void own_number(const float *a, const float *b, float *c, int m, int n, int k)
{
  int row = blockIdx.x * T + threadIdx.x / T, col = blockIdx.y * T + threadIdx.x % T;
  if (row >= m || col >= n) return;
  float sum = threadIdx.x;
  for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

static int blocks(int n, int size) { return (n + size - 1) / size; }

static void any_size(int m, int n, int k)
{
  dim3 turned(blocks(m, T), blocks(n, T));

  rows_first<<<turned, T * T>>>(left, right, out, m, n, k);
  check("rows_first", m, n, k, 1, 0);
  columns_first<<<dim3(blocks(n, 32), blocks(m, 8)), 256>>>(left, right, out, m, n, k);
  check("columns_first", m, n, k, 1, 0);
  updated<T><<<turned, T * T>>>(left, right, out, m, n, k, 2, 3);
  check("updated", m, n, k, 2, 3);
  two_divisors<<<turned, T * T>>>(left, right, out, m, n, k);
  check("two_divisors", m, n, k, 1, 0, LAST_OF_8);
  own_number<<<turned, T * T>>>(left, right, out, m, n, k);
  check("own_number", m, n, k, 1, 0, NUMBER);
}

int main(int argc, char **)
{
  allocate();
  any_size(64 * argc, 96 * argc, 48 * argc);
  any_size(70 * argc, 33 * argc, 65 * argc);
  any_size(5 * argc, 90 * argc, 7 * argc);
  printf(failures ? "wrong\n" : "ok\n");
  return failures != 0;
}
