/* registers: a thread keeps its point in registers, loaded 16 bytes at a time; the centers lie in
 * shared memory, where all lanes read the same one. Distances as |c|^2 / 2 - p c, one
 * multiplication and addition a dimension. */
#include "../../peer.h"
#include "../kmeans.h"

enum { THREADS = 128, MINE = 2 };

__global__ __launch_bounds__(THREADS) void assign(const float4 *__restrict__ points,
                                                  const float4 *__restrict__ centers,
                                                  int *__restrict__ nearest)
{
  __shared__ float4 center[K][D / 4];
  __shared__ float half[K];
  int first = blockIdx.x * THREADS * MINE + threadIdx.x;
  float4 p[MINE][D / 4];

  for (int e = threadIdx.x; e < K * D / 4; e += THREADS)
    center[e / (D / 4)][e % (D / 4)] = centers[e];
#pragma unroll
  for (int m = 0; m < MINE; m++)
#pragma unroll
    for (int d = 0; d < D / 4; d++)
      p[m][d] = points[(long)min(first + m * THREADS, N - 1) * (D / 4) + d];
  __syncthreads();
  for (int c = threadIdx.x; c < K; c += THREADS) {
    float sum = 0;
    for (int d = 0; d < D / 4; d++) {
      float4 v = center[c][d];
      sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    half[c] = 0.5f * sum;
  }
  __syncthreads();
  float least[MINE];
  int best[MINE] = {};
#pragma unroll
  for (int m = 0; m < MINE; m++)
    least[m] = 1e30f;
#pragma unroll 4
  for (int c = 0; c < K; c++) {
    float sum[MINE];
#pragma unroll
    for (int m = 0; m < MINE; m++)
      sum[m] = half[c];
#pragma unroll
    for (int d = 0; d < D / 4; d++) {
      float4 v = center[c][d];
#pragma unroll
      for (int m = 0; m < MINE; m++)
        sum[m] -= v.x * p[m][d].x + v.y * p[m][d].y + v.z * p[m][d].z + v.w * p[m][d].w;
    }
#pragma unroll
    for (int m = 0; m < MINE; m++)
      if (sum[m] < least[m]) {
        least[m] = sum[m];
        best[m] = c;
      }
  }
#pragma unroll
  for (int m = 0; m < MINE; m++)
    if (first + m * THREADS < N)
      nearest[first + m * THREADS] = best[m];
}

int main()
{
  static_assert(D % 4 == 0, "16-byte loads");
  float *hp = new float[(long)N * D], *hc = new float[K * D];

  fill(hp, (long)N * D, 1);
  fill(hc, K * D, 2);
  float *points = device_copy(hp, (long)N * D), *centers = device_copy(hc, K * D);
  int *nearest = device_array<int>(N);
  auto work = [&] {
    assign<<<(N + THREADS * MINE - 1) / (THREADS * MINE), THREADS>>>(
        (const float4 *)points, (const float4 *)centers, nearest);
  };
  work();
  check(hp, hc, host_copy(nearest, N));
  print_kernel_ms(work);
  return check_done();
}
