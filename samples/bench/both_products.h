/* both_products.h - q += a p and s += a^T r in one pass over a: a block holds 512 columns of s in
 * registers, four a thread, and goes down ROWS rows; the sums over its columns go through shuffles
 * and one atomic addition a row. */
#pragma once
#include "peer.h"

enum { THREADS = 128, WIDE = 4 * THREADS, ROWS = 64, AT_ONCE = 4 };

__global__ __launch_bounds__(THREADS) void both_products(int m, int n, const float *__restrict__ a,
                                                         const float *__restrict__ p,
                                                         const float *__restrict__ r,
                                                         float *__restrict__ q,
                                                         float *__restrict__ s)
{
  __shared__ float part[ROWS][THREADS / 32];
  int column = blockIdx.x * WIDE + threadIdx.x * 4, row0 = blockIdx.y * ROWS,
      rows = min(ROWS, m - row0);
  float4 mine = make_float4(0, 0, 0, 0), x = mine;

  if (column < n) x = *(const float4 *)(p + column);
  for (int i = 0; i < rows; i += AT_ONCE) {
    float4 v[AT_ONCE];
#pragma unroll
    for (int e = 0; e < AT_ONCE; e++)
      v[e] = column < n && i + e < rows
                 ? __ldcs((const float4 *)(a + (long)(row0 + i + e) * n + column))
                 : make_float4(0, 0, 0, 0);
#pragma unroll
    for (int e = 0; e < AT_ONCE; e++) {
      float y = i + e < rows ? __ldg(r + row0 + i + e) : 0.0f;
      float sum = v[e].x * x.x + v[e].y * x.y + v[e].z * x.z + v[e].w * x.w;
      mine.x += v[e].x * y;
      mine.y += v[e].y * y;
      mine.z += v[e].z * y;
      mine.w += v[e].w * y;
      for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lane);
      if (threadIdx.x % 32 == 0 && i + e < rows) part[i + e][threadIdx.x / 32] = sum;
    }
  }
  __syncthreads();
  if (threadIdx.x < rows) {
    float sum = 0;
    for (int w = 0; w < THREADS / 32; w++) sum += part[threadIdx.x][w];
    atomicAdd(q + row0 + threadIdx.x, sum);
  }
  if (column < n) {
    atomicAdd(s + column, mine.x);
    atomicAdd(s + column + 1, mine.y);
    atomicAdd(s + column + 2, mine.z);
    atomicAdd(s + column + 3, mine.w);
  }
}

/* n has to be a multiple of 4. */
static inline void add_both_products(int m, int n, const float *a, const float *p, const float *r,
                                     float *q, float *s)
{
  both_products<<<dim3((n + WIDE - 1) / WIDE, (m + ROWS - 1) / ROWS), THREADS>>>(m, n, a, p, r, q,
                                                                                 s);
}
