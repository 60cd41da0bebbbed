// args: --mapping=always
// Structures that kernels get by value: sizes and pointers are members, of members too. Launches
// give variables, elements, what pointers lead to. Some kernels change their own copy, hand it on,
// or take an address in it: what they read then is in their copy alone.
#include <cstdio>
#include <cstdlib>

struct matrix {
  float *data;
  int rows, cols;
};

struct job {
  matrix left, right;
  struct {
    float factor;
    unsigned narrow : 3;
  } how;
};

struct weights {
  float of[4];
  int count;
};

union either {
  int count;
  float other;
};

enum { SIZE = 64 * 1024 };

__global__ void product(matrix a, const matrix b, matrix c)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c.rows || j >= c.cols) return;
  float sum = 0;
  for (int k = 0; k < a.cols; k++) sum += a.data[i * a.cols + k] * b.data[k * b.cols + j];
  c.data[i * c.cols + j] = sum;
}

__global__ void columns(float *out, job all)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= all.right.cols) return;
  float sum = 0;
  for (int i = 0; i < all.right.rows; i++)
    sum += all.left.data[i] * all.right.data[i * all.right.cols + j];
  out[j] = sum * all.how.factor + all.how.narrow;
}

// The loop ends where its copy says, not the launch's.
__global__ void shortened(float *out, matrix m, int by)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m.cols) return;
  float sum = 0;
  m.rows -= by;
  for (int i = 0; i < m.rows; i++) sum += m.data[i * m.cols + j];
  out[j] = sum;
}

__global__ void stepped(float *out, matrix m)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, n = m.rows;
  if (j >= m.cols) return;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    sum += m.data[j];
    m.data += m.cols;
  }
  out[j] = sum;
}

__device__ void halve(matrix &m) { m.rows /= 2; }
__device__ void narrow(int *count) { *count -= 1; }
__device__ float first(matrix m) { return m.data[0]; }

__global__ void handed_on(float *out, matrix m, matrix n)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m.cols) return;
  float sum = first(n);
  halve(m);
  narrow(&n.rows);
  for (int i = 0; i < m.rows; i++) sum += m.data[i * m.cols + j];
  for (int i = 0; i < n.rows; i++) sum += n.data[i * n.cols + j] * 2;
  out[j] = sum;
}

__global__ void weighted(float *out, matrix m, weights w, either e)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m.cols) return;
  float sum = 0;
  float *own = w.of;
  own[1] = 3;
  for (int i = 0; i < m.rows; i++)
    for (int k = 0; k < w.count; k++) sum += m.data[i * m.cols + j] * w.of[k];
  out[j] = sum * e.count;
}

static float *host, *expected, *device;

static void fill()
{
  for (int i = 0; i < SIZE; i++) expected[i] = host[i] = (float)((i * 13 + i / 7) % 16) / 4 - 1;
  cudaMemcpy(device, host, SIZE * sizeof(float), cudaMemcpyHostToDevice);
}

static int differs(const char *what)
{
  cudaMemcpy(host, device, SIZE * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < SIZE; i++)
    if (host[i] != expected[i]) {
      printf("%s: element %d is %g, not %g\n", what, i, host[i], expected[i]);
      return 1;
    }
  return 0;
}

static float *here(const float *p) { return expected + (p - device); }

// b's rows may be shorter than c's: its last elements are those of the next row.
static int products(int n, int m, int k, int ld)
{
  matrix all[3] = {{device + 16 * 1024, n, k}, {device + 32 * 1024, k, ld}, {device, n, m}};
  matrix *out = &all[2];
  fill();
  const float *a = here(all[0].data), *b = here(all[1].data);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float sum = 0;
      for (int c = 0; c < k; c++) sum += a[i * k + c] * b[c * ld + j];
      expected[i * m + j] = sum;
    }
  product<<<dim3((m + 15) / 16, (n + 7) / 8), dim3(16, 8)>>>(all[0], all[1], *out);
  return differs("product");
}

static int sums(int rows, int cols)
{
  matrix m = {device + 32 * 1024, rows, cols};
  job work = {{device + 16 * 1024, rows, 1}, m, {2, 5}};
  int grid = (cols + 63) / 64;
  const float *in = here(m.data), *left = here(work.left.data);
  fill();
  for (int j = 0; j < cols; j++) {
    float sum = 0;
    for (int i = 0; i < rows; i++) sum += left[i] * in[i * cols + j];
    expected[j] = sum * 2 + 5;
  }
  columns<<<grid, 64>>>(device, work);
  if (differs("columns")) return 1;
  for (int j = 0; j < cols; j++) {
    expected[j] = expected[cols + j] = 0;
    for (int i = 0; i < rows; i++) expected[cols + j] += in[i * cols + j];
    for (int i = 0; i < rows - 3; i++) expected[j] += in[i * cols + j];
  }
  shortened<<<grid, 64>>>(device, m, 3);
  stepped<<<grid, 64>>>(device + cols, work.right);
  if (differs("shortened, stepped")) return 1;
  for (int j = 0; j < cols; j++) {
    expected[j] = in[0];
    for (int i = 0; i < rows / 2; i++) expected[j] += in[i * cols + j];
    for (int i = 0; i < rows - 1; i++) expected[j] += in[i * cols + j] * 2;
  }
  handed_on<<<grid, 64>>>(device, m, m);
  return differs("handed on");
}

static int products_of_weights(int rows, int cols)
{
  matrix m = {device + 32 * 1024, rows, cols};
  weights w = {{1, 2, 4, 8}, 3};
  either e = {2};
  fill();
  for (int j = 0; j < cols; j++) {
    float sum = 0;
    for (int i = 0; i < rows; i++) sum += here(m.data)[i * cols + j] * 8;
    expected[j] = sum * 2;
  }
  weighted<<<(cols + 63) / 64, 64>>>(device, m, w, e);
  return differs("weighted");
}

int main()
{
  host = (float *)malloc(SIZE * sizeof(float));
  expected = (float *)malloc(SIZE * sizeof(float));
  if (cudaMalloc(&device, SIZE * sizeof(float)) != cudaSuccess) return 1;
  if (products(40, 64, 48, 64) || products(33, 50, 40, 80) || products(16, 64, 96, 40) ||
      products(64, 128, 32, 128) || products(1, 80, 30, 79))
    return 1;
  if (sums(40, 128) || sums(17, 200) || sums(4, 3)) return 1;
  if (products_of_weights(20, 128) || products_of_weights(3, 65)) return 1;
  printf("ok\n");
  return cudaFree(device) != cudaSuccess;
}
