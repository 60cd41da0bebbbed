/* row_peer.h - for the programs written by hand that have a block a row: the row in registers, 16
 * bytes at once, and sums and greatest values over the block. N is a multiple of 4.
 */
#pragma once
#include "peer.h"

enum {
  THREADS = N <= 512 ? 128 : N <= 4096 ? 256 : 512,
  PLACES = (N / 4 + THREADS - 1) / THREADS /* of 16 bytes, of a thread */
};

struct add {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct greater_of {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

/* For all threads; `parts` of each call are its own. */
template <class Op> static __device__ float over_block(float value, float *parts, Op op)
{
  for (int lane = 16; lane > 0; lane /= 2)
    value = op(value, __shfl_xor_sync(0xffffffffu, value, lane));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (int i = 1; i < THREADS / 32; i++) value = op(value, parts[i]);
  return value;
}

/* f(place, element of the row / 4) for the thread's places. */
template <class F> static __device__ void for_places(F f)
{
#pragma unroll
  for (int k = 0; k < PLACES; k++) {
    int at = k * THREADS + threadIdx.x;
    if (at < N / 4) f(k, at);
  }
}

static __device__ void load_row(float4 *v, const float *row)
{
  for_places([&](int k, int at) { v[k] = __ldg((const float4 *)row + at); });
}
