// args: --mapping=always
// Tiles in shared memory by hand, whole ones only, so that nothing guards the sums: a turned tile
// whose first row stays free, tiles of one dimension that begin behind their arrays' begin, weights
// by the places in a tile, and by the number of a tile.
#include <cstdio>

enum { T = 16, N = 64, DEPTH = 48 };

// The left matrix is read by columns.
__global__ void turned(const float *a, const float *b, float *c, int m, int n, int depth)
{
  __shared__ float as[T + 1][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0;
  for (int p = 0; p < depth / T; p++) {
    as[tx + 1][ty] = a[(p * T + tx) * m + row];
    bs[ty][tx] = b[(p * T + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < T; i++) sum += as[i + 1][ty] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void flat(const float *a, const float *b, float *c, int m, int n, int depth)
{
  __shared__ float as[T * T + 3], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0;
  for (int p = 0; p < depth / T; p++) {
    as[3 + ty * T + tx] = a[row * depth + p * T + tx];
    bs[ty][tx] = b[(p * T + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < T; i++) sum += as[ty * T + i + 3] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void by_place(const float *a, const float *b, float *c, int m, int n, int depth)
{
  __shared__ float as[T][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0;
  for (int p = 0; p < depth / T; p++) {
    as[ty][tx] = a[row * depth + p * T + tx];
    bs[ty][tx] = b[(p * T + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < T; i++) sum += as[ty][i] * bs[i][tx] * (float)(i + 1);
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void by_tile(const float *a, const float *b, float *c, int m, int n, int depth)
{
  __shared__ float as[T][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0;
  for (int p = 0; p < depth / T; p++) {
    as[ty][tx] = a[row * depth + p * T + tx];
    bs[ty][tx] = b[(p * T + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < T; i++) sum += as[ty][i] * bs[i][tx] * (float)(p + 1);
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

static float a[N * N], b[N * N], c[N * N];

template <class Weight> static int differ(const char *name, bool turn, Weight weight)
{
  int wrong = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < DEPTH; k++)
        sum += (turn ? a[k * N + i] : a[i * DEPTH + k]) * b[k * N + j] * weight(k);
      wrong += c[i * N + j] != sum;
    }
  if (wrong) printf("%s: %d wrong\n", name, wrong);
  return wrong;
}

int main(int argc, char **)
{
  float *left, *right, *out;
  int n = N * argc, depth = DEPTH * argc, wrong = 0; /* known at run time only */
  for (int i = 0; i < N * N; i++) {
    a[i] = (float)((i * 37 + 11) % 17 - 8);
    b[i] = (float)((i * 23 + 5) % 13 - 6);
  }
  cudaMalloc((void **)&left, sizeof a);
  cudaMalloc((void **)&right, sizeof b);
  cudaMalloc((void **)&out, sizeof c);
  cudaMemcpy(left, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(right, b, sizeof b, cudaMemcpyHostToDevice);
  dim3 block(T, T), grid(n / T, n / T);
  turned<<<grid, block>>>(left, right, out, n, n, depth);
  cudaMemcpy(c, out, sizeof c, cudaMemcpyDeviceToHost);
  wrong += differ("turned", true, [](int) { return 1.0f; });
  flat<<<grid, block>>>(left, right, out, n, n, depth);
  cudaMemcpy(c, out, sizeof c, cudaMemcpyDeviceToHost);
  wrong += differ("flat", false, [](int) { return 1.0f; });
  by_place<<<grid, block>>>(left, right, out, n, n, depth);
  cudaMemcpy(c, out, sizeof c, cudaMemcpyDeviceToHost);
  wrong += differ("by place", false, [](int k) { return (float)(k % T + 1); });
  by_tile<<<grid, block>>>(left, right, out, n, n, depth);
  cudaMemcpy(c, out, sizeof c, cudaMemcpyDeviceToHost);
  wrong += differ("by tile", false, [](int k) { return (float)(k / T + 1); });
  printf(wrong ? "wrong\n" : "ok\n");
  return wrong != 0;
}
