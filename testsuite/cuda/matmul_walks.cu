// args: --mapping=always
// Matrix products with tiles by hand behind pointers that walk, or unsigned indices: blocks in a row
// and in rows, grids that are no squares.
#include "include/products.h"

// Tiles of whole matrices, pointers that walk.
template <const int SIZE>
__global__ void tiles_in_a_row(const float *a, const float *b, float *c, int m, int n, int k)
{
  const unsigned block_row = blockIdx.x, block_col = blockIdx.y;
  __shared__ float as[SIZE * SIZE];
  __shared__ float bs[SIZE * SIZE];
  const unsigned col = threadIdx.x % SIZE, row = threadIdx.x / SIZE;
  a += block_row * SIZE * k;
  b += block_col * SIZE;
  c += block_row * SIZE * n + block_col * SIZE;
  float sum = 0;
  for (int at = 0; at < k; at += SIZE) {
    as[row * SIZE + col] = a[row * k + col];
    bs[row * SIZE + col] = b[row * n + col];
    __syncthreads();
    a += SIZE;
    b += SIZE * n;
    for (int i = 0; i < SIZE; ++i) sum += as[row * SIZE + i] * bs[i * SIZE + col];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

// The same with blocks of two dimensions, and a step that is behind the use.
__global__ void tiles_in_rows(const float *a, const float *b, float *c, int m, int n, int k)
{
  __shared__ float as[T][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  const float *left = a + blockIdx.y * T * k, *right = b + blockIdx.x * T;
  c += blockIdx.y * T * n + blockIdx.x * T;
  float sum = 0;
  for (int at = 0; at < k; at += T) {
    as[ty][tx] = left[ty * k + tx];
    bs[ty][tx] = right[ty * n + tx];
    __syncthreads();
    for (int i = 0; i < T; i++) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
    left += T;
    right += T * n;
  }
  c[ty * n + tx] = sum;
}

// Indices without pointers that walk, all of them unsigned.
__global__ void tiles_of_unsigned(const float *a, const float *b, float *c, unsigned m, unsigned n,
                                  unsigned k)
{
  __shared__ float as[T][T], bs[T][T];
  const unsigned tx = threadIdx.x % T, ty = threadIdx.x / T;
  const unsigned row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0;
  for (unsigned at = 0; at < k; at += T) {
    as[ty][tx] = a[row * k + at + tx];
    bs[ty][tx] = b[(at + ty) * n + col];
    __syncthreads();
    for (unsigned i = 0; i < T; i++) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

static void whole_tiles(int m, int n, int k)
{
  dim3 turned(m / T, n / T), grid(n / T, m / T);

  tiles_in_a_row<T><<<turned, T * T>>>(left, right, out, m, n, k);
  check("tiles_in_a_row", m, n, k, 1, 0);
  tiles_in_rows<<<grid, dim3(T, T)>>>(left, right, out, m, n, k);
  check("tiles_in_rows", m, n, k, 1, 0);
  tiles_of_unsigned<<<grid, T * T>>>(left, right, out, m, n, k);
  check("tiles_of_unsigned", m, n, k, 1, 0);
}

int main(int argc, char **)
{
  allocate();
  whole_tiles(64 * argc, 96 * argc, 48 * argc);
  whole_tiles(96 * argc, 32 * argc, 80 * argc);
  whole_tiles(16 * argc, 16 * argc, 16 * argc);
  printf(failures ? "wrong\n" : "ok\n");
  return failures != 0;
}
