// args: --mapping=always
// Kernels whose pointers may overlap: launches with arrays apart, launches with one array in two
// places, with rows that overlap by one element, with an output inside of an input. Each gives what
// the kernel as written gives, element after element in an order that the program fixes.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    if ((call) != cudaSuccess) return 1;                                                           \
  } while (0)

// One thread an element; where `out` is `left`, a row of it is written and read by one block only.
__global__ void product(float *out, const float *left, const float *right, int n)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += left[row * n + k] * right[k * n + col];
    out[row * n + col] = sum;
  }
}

// A sum over memory that the loop itself changes where `sum` lies in `from`.
__global__ void running(float *sum, const float *from, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < m; k++) sum[i] += from[k * n + i] * 0.5f;
}

// Of three arrays each two may be the ones that overlap.
__global__ void weighted(float *sum, const float *from, const float *weights, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  sum[i] += 1;
  for (int k = 0; k < m; k++) sum[i] += from[k * n + i] * weights[k * n + i];
}

// Neighbours: with `to` one element behind `from` an element is read after it was written, unless
// one thread does all.
__global__ void shift(float *to, const float *from, int n)
{
  for (int i = 1; i < n - 1; i++) to[i] = from[i - 1] + 2 * from[i] - from[i + 1];
}

// What the loop loads is written by the loop, where `table` is `to`.
__global__ void scale(float *to, const float *table, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < m; k++) to[i] = to[i] * table[i] + 1;
}

static float *host, *expected;

static void fill(float *device, int count)
{
  for (int i = 0; i < count; i++) host[i] = (float)((i * 37 + 11) % 64) / 8 - 3;
  cudaMemcpy(device, host, count * sizeof(float), cudaMemcpyHostToDevice);
  for (int i = 0; i < count; i++) expected[i] = host[i];
}

static int same(const float *device, int count, const char *what)
{
  cudaMemcpy(host, device, count * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i++)
    if (host[i] != expected[i]) {
      printf("%s: element %d is %g, not %g\n", what, i, host[i], expected[i]);
      return 1;
    }
  return 0;
}

static int products(float *memory, int n)
{
  dim3 block(16, 8), grid((n + 15) / 16, (n + 7) / 8);
  fill(memory, 3 * n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++) sum += expected[n * n + i * n + k] * expected[2 * n * n + k * n + j];
      expected[i * n + j] = sum;
    }
  product<<<grid, block>>>(memory, memory + n * n, memory + 2 * n * n, n);
  return same(memory, 3 * n * n, "arrays apart");
}

static int sums(float *memory, int n, int m, int offset)
{
  fill(memory, n * (m + 1));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) expected[offset + i] += expected[k * n + i] * 0.5f;
  running<<<(n + 63) / 64, 64>>>(memory + offset, memory, n, m);
  return same(memory, n * (m + 1), "a sum inside of what is added up");
}

static int weights(float *memory, int n, int m, int to, int from, int by)
{
  fill(memory, n * (2 * m + 1));
  for (int i = 0; i < n; i++) {
    expected[to + i] += 1;
    for (int k = 0; k < m; k++)
      expected[to + i] += expected[from + k * n + i] * expected[by + k * n + i];
  }
  weighted<<<(n + 63) / 64, 64>>>(memory + to, memory + from, memory + by, n, m);
  return same(memory, n * (2 * m + 1), "sums of products");
}

static int shifts(float *memory, int n, int by)
{
  fill(memory, n + 8);
  for (int i = 1; i < n - 1; i++)
    expected[by + i] = expected[i - 1] + 2 * expected[i] - expected[i + 1];
  shift<<<1, 1>>>(memory + by, memory, n);
  return same(memory, n + 8, "neighbours");
}

static int scales(float *memory, int n, int m, int by)
{
  fill(memory, 3 * n);
  for (int k = 0; k < m; k++)
    for (int i = 0; i < n; i++) expected[i] = expected[i] * expected[by + i] + 1;
  scale<<<(n + 63) / 64, 64>>>(memory, memory + by, n, m);
  return same(memory, 3 * n, "one array twice");
}

int main()
{
  const int n = 96, count = 4 * n * n;
  float *memory;
  host = (float *)malloc(count * sizeof(float));
  expected = (float *)malloc(count * sizeof(float));
  CHECK(cudaMalloc(&memory, count * sizeof(float)));
  if (products(memory, n) || products(memory, 33)) return 1;
  // each column of `from` is one thread's own
  if (sums(memory, 64, 20, 64 * 20) || sums(memory, 64, 20, 64 * 7)) return 1;
  const int row = 64;  // `sum` behind both, in the first, in the second
  if (weights(memory, row, 6, 12 * row, 0, 6 * row)) return 1;
  if (weights(memory, row, 6, 2 * row, 0, 6 * row)) return 1;
  if (weights(memory, row, 6, 9 * row, 0, 6 * row)) return 1;
  for (int by = 0; by < 4; by++)
    if (shifts(memory, 100, by)) return 1;
  if (scales(memory, 128, 3, 0) || scales(memory, 128, 3, 256)) return 1;
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(memory));
  printf("ok\n");
  return 0;
}
