/* shared: a histogram for each warp in shared memory, 16-byte loads, a grid that fills the device
 * once. */
#include "../../peer.h"
#include "../histogram.h"

enum { THREADS = 512, WARPS = THREADS / 32 };

__global__ __launch_bounds__(THREADS) void histogram(const int4 *__restrict__ values, int *count)
{
  __shared__ int part[WARPS][BINS + 1];
  int *mine = part[threadIdx.x / 32];
  long stride = (long)gridDim.x * THREADS;

  for (int e = threadIdx.x; e < WARPS * (BINS + 1); e += THREADS)
    (&part[0][0])[e] = 0;
  __syncthreads();
#pragma unroll 4
  for (long i = (long)blockIdx.x * THREADS + threadIdx.x; i < N / 4; i += stride) {
    int4 v = __ldcs(values + i);
    atomicAdd(mine + v.x, 1);
    atomicAdd(mine + v.y, 1);
    atomicAdd(mine + v.z, 1);
    atomicAdd(mine + v.w, 1);
  }
  if (blockIdx.x == 0 && threadIdx.x < N % 4)
    atomicAdd(mine + ((const int *)values)[N / 4 * 4 + threadIdx.x], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += THREADS) {
    int sum = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++)
      sum += part[w][b];
    atomicAdd(count + b, sum);
  }
}

int main()
{
  int *h = new int[N], blocks = 0, device = 0;
  cudaDeviceProp properties;

  fill_values(h, N);
  MUST(cudaGetDeviceProperties(&properties, device));
  blocks = properties.multiProcessorCount * 4;
  int *values = device_copy(h, N), *count = device_array<int>(BINS);
  auto work = [&] { histogram<<<blocks, THREADS>>>((const int4 *)values, count); };
  work();
  check(h, host_copy(count, BINS), N, 1);
  print_kernel_ms(work);
  return check_done();
}
