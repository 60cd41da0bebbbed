/* warp: a block of four warps a row, 16-byte loads, sums over lanes by shuffles. */
#include "../../peer.h"
#include "../gemv.h"

enum { THREADS = 128 };

__global__ __launch_bounds__(THREADS) void gemv_rows(const float *__restrict__ a,
                                                     const float *__restrict__ x,
                                                     float *__restrict__ y)
{
  __shared__ float part[THREADS / 32];
  const float *row = a + (long)blockIdx.x * N;
  float sum = 0;

  if (N % 4 == 0) {
    const float4 *row4 = (const float4 *)row, *x4 = (const float4 *)x;
#pragma unroll 4
    for (int j = threadIdx.x; j < N / 4; j += THREADS) {
      float4 p = __ldcs(&row4[j]), q = __ldg(&x4[j]);
      sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
  } else {
    for (int j = threadIdx.x; j < N; j += THREADS)
      sum += row[j] * x[j];
  }
  for (int lane = 16; lane > 0; lane /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, lane);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}

int main()
{
  float *ha = new float[(long)M * N], *hx = new float[N];

  fill(ha, (long)M * N, 1);
  fill(hx, N, 2);
  float *a = device_copy(ha, (long)M * N), *x = device_copy(hx, N), *y = device_array<float>(M);
  auto work = [&] { gemv_rows<<<M, THREADS>>>(a, x, y); };
  work();
  check(ha, hx, host_copy(y, M));
  print_kernel_ms(work);
  return check_done();
}
