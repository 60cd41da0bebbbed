// args: --mapping=always
// Launches whose shape the host's code does not tell: dim3 parameters, members that are set one by
// one, numbers from the command line. Kernels are changed for the shape that their indices are made
// for, and other launches give what the kernel as written gives.
#include <cstdio>
#include <cstdlib>

enum { N = 96 };
#define SIDE 8

// Blocks may have layers: each does the same.
__global__ void product(float *out, const float *left, const float *right, int n)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += left[i * n + k] * right[k * n + j];
  out[i * n + j] = sum;
}

// Blocks have 8 x 8 threads, for all that the kernel says: with others there are gaps, or elements
// that two threads have.
__global__ void product_of_side(float *out, const float *left, const float *right, int n)
{
  int j = blockIdx.x * SIDE + threadIdx.x, i = (blockIdx.y << 3) + threadIdx.y;
  if (i >= n || j >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += left[i * n + k] * right[k * n + j];
  out[i * n + j] = sum + 1;
}

// A line of threads in a grid of one row of blocks, or of several.
__global__ void weights(float *out, const float *in, const float *factors, int n)
{
  int i = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  if (i >= n * n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += in[k] * factors[k * n + i % n];
  out[i] = sum + (float)i;
}

__global__ void scaled(float *out, const float *in, const float *factors, int n)
{
  unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  unsigned i = blockDim.x * block + threadIdx.x;
  if (i >= (unsigned)(n * n)) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += in[k] * factors[k];
  out[i] = in[i] + sum;
}

static float host[N * N], expected[N * N];
static float *out, *left, *right;

static float left_of(int i) { return (float)(i * 7 % 13) / 4 - 1; }
static float right_of(int i) { return (float)(i * 5 % 11) / 2 - 2; }

static void clear() { cudaMemset(out, 0, sizeof host); }

static int same(const char *what, dim3 grid, dim3 block)
{
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N * N; i++)
    if (host[i] != expected[i]) {
      printf("%s <<<%u %u %u, %u %u %u>>>: element %d is %g, not %g\n", what, grid.x, grid.y,
             grid.z, block.x, block.y, block.z, i, host[i], expected[i]);
      return 1;
    }
  return 0;
}

// What the launch as written computes: id = size * block + thread along each axis.
static void expect_product(dim3 grid, dim3 block, int n, int side_x, int side_y, float add)
{
  for (int i = 0; i < N * N; i++) expected[i] = 0;
  for (int by = 0; by < (int)grid.y; by++)
    for (int bx = 0; bx < (int)grid.x; bx++)
      for (int ty = 0; ty < (int)block.y; ty++)
        for (int tx = 0; tx < (int)block.x; tx++) {
          int i = by * side_y + ty, j = bx * side_x + tx;
          if (i >= n || j >= n) continue;
          float sum = 0;
          for (int k = 0; k < n; k++) sum += left_of(i * n + k) * right_of(k * n + j);
          expected[i * n + j] = sum + add;
        }
}

static int products(dim3 grid, dim3 block, int n)
{
  expect_product(grid, block, n, (int)block.x, (int)block.y, 0);
  clear();
  product<<<grid, block>>>(out, left, right, n);
  return same("product", grid, block);
}

static int products_of_side(dim3 grid, dim3 block, int n)
{
  expect_product(grid, block, n, SIDE, SIDE, 1);
  clear();
  product_of_side<<<grid, block>>>(out, left, right, n);
  return same("product_of_side", grid, block);
}

static int lines(dim3 grid, int threads, int n)
{
  int all = (int)(grid.x * grid.y) * threads;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += left_of(k) * right_of(k);
  for (int i = 0; i < N * N; i++) {
    expected[i] = 0;
    if (i >= n * n || i >= all) continue;
    for (int k = 0; k < n; k++) expected[i] += left_of(k) * right_of(k * n + i % n);
    expected[i] += (float)i;
  }
  clear();
  weights<<<grid, threads>>>(out, left, right, n);
  int failed = same("weights", grid, threads);
  for (int i = 0; i < N * N; i++) expected[i] = i < n * n && i < all ? left_of(i) + sum : 0;
  clear();
  scaled<<<grid, threads>>>(out, left, right, n);
  return failed + same("scaled", grid, threads);
}

int main(int argc, char **argv)
{
  int one = argc > 1 ? atoi(argv[1]) : 1, failed = 0;
  dim3 grid, block;
  grid.x = grid.y = (unsigned)(N / SIDE * one);
  block.x = block.y = (unsigned)(SIDE * one);
  block.z = grid.z = (unsigned)one;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&left, sizeof host);
  cudaMalloc(&right, sizeof host);
  for (int i = 0; i < N * N; i++) host[i] = left_of(i);
  cudaMemcpy(left, host, sizeof host, cudaMemcpyHostToDevice);
  for (int i = 0; i < N * N; i++) host[i] = right_of(i);
  cudaMemcpy(right, host, sizeof host, cudaMemcpyHostToDevice);

  failed += products(grid, block, N);
  failed += products(grid, dim3(SIDE, SIDE / 2, 2), 60);
  failed += products(dim3(3, 12), dim3(32, 8, 2), N - 1);
  failed += products_of_side(grid, block, N);
  failed += products_of_side(grid, dim3(SIDE / 2, SIDE), N);
  failed += products_of_side(grid, dim3(SIDE, SIDE / 2, 2), N - 3);
  failed += products_of_side(dim3(6, 6), dim3(SIDE, SIDE), N);
  failed += lines(dim3(N, 1), 96 * one, N);
  failed += lines(dim3(N / 2, 2), 96 * one, N);
  failed += lines(dim3(9, 9), 64, 72);
  printf("%d launches differ\n", failed);
  cudaFree(out);
  cudaFree(left);
  cudaFree(right);
  return failed != 0;
}
