/* gemm_int.h - c = a b for int, which cuBLAS does not have: 128 x 128 elements a block, 8 x 8 a
 * thread, the next tiles loaded while these are multiplied. */
#pragma once

enum { TILE = 128, DEPTH = 8, PART = 8 };

__global__ __launch_bounds__(256) void gemm_int_kernel(int m, int n, int k,
                                                       const int *__restrict__ a,
                                                       const int *__restrict__ b,
                                                       int *__restrict__ c)
{
  __shared__ int at[2][DEPTH][TILE + 4], bt[2][DEPTH][TILE];
  int t = threadIdx.x, row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
  int arow = t / 2, acol = t % 2 * 4, brow = t / 32, bcol = t % 32 * 4, ty = t / 16, tx = t % 16;
  int sum[PART][PART] = {}, next_a[4], next_b[4];

  auto load = [&](int k0) {
    for (int e = 0; e < 4; e++) {
      next_a[e] =
          row0 + arow < m && k0 + acol + e < k ? a[(long)(row0 + arow) * k + k0 + acol + e] : 0;
      next_b[e] =
          k0 + brow < k && col0 + bcol + e < n ? b[(long)(k0 + brow) * n + col0 + bcol + e] : 0;
    }
  };
  auto store = [&](int side) {
    for (int e = 0; e < 4; e++) {
      at[side][acol + e][arow] = next_a[e];
      bt[side][brow][bcol + e] = next_b[e];
    }
  };
  load(0);
  store(0);
  __syncthreads();
  for (int k0 = 0, side = 0; k0 < k; k0 += DEPTH, side ^= 1) {
    load(k0 + DEPTH);
#pragma unroll
    for (int d = 0; d < DEPTH; d++) {
      int x[PART], y[PART];
#pragma unroll
      for (int e = 0; e < PART; e++) {
        y[e] = at[side][d][(e / 4) * 64 + ty * 4 + e % 4];
        x[e] = bt[side][d][(e / 4) * 64 + tx * 4 + e % 4];
      }
#pragma unroll
      for (int i = 0; i < PART; i++)
#pragma unroll
        for (int j = 0; j < PART; j++) sum[i][j] += y[i] * x[j];
    }
    store(side ^ 1);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < PART; i++)
#pragma unroll
    for (int j = 0; j < PART; j++) {
      int row = row0 + (i / 4) * 64 + ty * 4 + i % 4, col = col0 + (j / 4) * 64 + tx * 4 + j % 4;
      if (row < m && col < n) c[(long)row * n + col] = sum[i][j];
    }
}

static inline void gemm(bool, bool, int m, int n, int k, int, const int *a, const int *b, int,
                        int *c)
{
  gemm_int_kernel<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), 256>>>(m, n, k, a, b, c);
}
