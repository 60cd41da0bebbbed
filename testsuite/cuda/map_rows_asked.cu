// args: --mapping=always
// Flat arrays whose rows have a constant length, or one of their own, and loops whose ends are
// parameters: launches whose ends are within a row, at its end, and beyond it, where an element
// belongs to the next row as well. Each gives what the kernel as written gives.
#include <cstdio>
#include <cstdlib>

enum { ROWS = 48, STRIDE = 64 };

__global__ void product(float *out, const float *left, const float *right, int n, int m, int k)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m) {
    float sum = 0;
    for (int c = 0; c < k; c++) sum += left[i * STRIDE + c] * right[c * STRIDE + j];
    out[i * STRIDE + j] = sum;
  }
}

// The length of a row is a parameter, too.
__global__ void weights(float *out, const float *in, int n, int m, int length)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) {
    float sum = 0;
    for (int c = 0; c < m; c++) sum += in[j * length + c] * (float)(c + 1);
    out[j] = sum;
  }
}

// A row is read and written by one thread: with rows that run into one another by two.
__global__ void rows(float *a, int n, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int c = 0; c < m; c++) a[i * STRIDE + c] = a[i * STRIDE + c] * 2 + 1;
}

static float *host, *expected, *device;
static const int count = 4 * ROWS * STRIDE;

static void fill()
{
  for (int i = 0; i < count; i++) expected[i] = host[i] = (float)((i * 29 + 5) % 32) / 4 - 3;
  cudaMemcpy(device, host, count * sizeof(float), cudaMemcpyHostToDevice);
}

static int same(const char *what, int n, int m)
{
  cudaMemcpy(host, device, count * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i++)
    if (host[i] != expected[i]) {
      printf("%s %d %d: element %d is %g, not %g\n", what, n, m, i, host[i], expected[i]);
      return 1;
    }
  return 0;
}

static int products(int n, int m, int k)
{
  float *left = device + ROWS * STRIDE, *right = device + 2 * ROWS * STRIDE;
  const float *l = expected + ROWS * STRIDE, *r = expected + 2 * ROWS * STRIDE;
  fill();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float sum = 0;
      for (int c = 0; c < k; c++) sum += l[i * STRIDE + c] * r[c * STRIDE + j];
      expected[i * STRIDE + j] = sum;
    }
  product<<<dim3((m + 15) / 16, (n + 7) / 8), dim3(16, 8)>>>(device, left, right, n, m, k);
  return same("products", m, k);
}

static int sums(int n, int m, int length)
{
  fill();
  for (int j = 0; j < n; j++) {
    float sum = 0;
    for (int c = 0; c < m; c++) sum += expected[ROWS * STRIDE + j * length + c] * (float)(c + 1);
    expected[j] = sum;
  }
  weights<<<(n + 31) / 32, 32>>>(device, device + ROWS * STRIDE, n, m, length);
  return same("weights", m, length);
}

static int updates(int n, int m)
{
  fill();
  for (int i = 0; i < n; i++)
    for (int c = 0; c < m; c++) expected[i * STRIDE + c] = expected[i * STRIDE + c] * 2 + 1;
  rows<<<(n + 31) / 32, 32>>>(device, n, m);
  return same("updates", n, m);
}

int main()
{
  host = (float *)malloc(count * sizeof(float));
  expected = (float *)malloc(count * sizeof(float));
  if (cudaMalloc(&device, count * sizeof(float)) != cudaSuccess) return 1;
  // within rows, at their ends, and a loop that goes on in the next row
  if (products(40, 64, 48) || products(33, 50, 40) || products(16, 64, 96) || products(1, 80, 30))
    return 1;
  if (sums(40, 20, 32) || sums(40, 32, 32) || sums(40, 50, 32) || sums(64, 33, 1)) return 1;
  if (updates(20, 64) || updates(7, 13) || updates(1, 100)) return 1;
  printf("ok\n");
  return cudaFree(device) != cudaSuccess;
}
