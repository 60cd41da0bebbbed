/* SPDX-License-Identifier: MIT */
/* mesi_strip.h - for kernels whose threads together look at segments of a table, one each. Included
 * by mesi_cuda.h and mesi_cpu.h.
 */
#ifndef MESI_EMITTED_STRIP_H
#define MESI_EMITTED_STRIP_H

/* Iterations of a loop from `first` to `last`, which counts where the loop is inclusive. More than
 * MESI_MOST_TRIPS count as MESI_MOST_TRIPS + 1. */
#define MESI_MOST_TRIPS (1 << 30)
template <class MesiT>
static __device__ inline int mesi_loop_trips(MesiT first, MesiT last, bool inclusive, int step)
{
  if (!(first < last || (inclusive && first == last))) return 0;
  const unsigned long long span =
      (unsigned long long)last - (unsigned long long)first - (inclusive ? 0 : 1);
  const unsigned long long trips = span / (unsigned)step;
  return trips < MESI_MOST_TRIPS ? (int)trips + 1 : MESI_MOST_TRIPS + 1;
}

/* Iterations of nested loops; 0: none, or more than MESI_MOST_TRIPS. */
static __device__ inline int mesi_nest_trips(int one, int two = 1, int three = 1, int four = 1)
{
  long long all = (long long)one * two;
  all = all > MESI_MOST_TRIPS ? MESI_MOST_TRIPS + 1ll : all;
  all *= three;
  all = all > MESI_MOST_TRIPS ? MESI_MOST_TRIPS + 1ll : all;
  all *= four;
  return all > MESI_MOST_TRIPS ? 0 : (int)all;
}

template <class MesiT>
static __device__ inline long long mesi_segment_length(MesiT first, MesiT end)
{
  return first < end ? (long long)((unsigned long long)end - (unsigned long long)first) : 0;
}

/* The sum of the values of the threads before this one. All threads of the block call it; a barrier
 * of theirs must come before the next call. */
static __device__ inline long long mesi_sum_before(int thread, int threads, long long own)
{
#if defined(__CUDA_ARCH__)
  __shared__ long long mesi_warps_[32];
  const int warp = thread / 32, lane = thread % 32,
            lanes = threads - 32 * warp < 32 ? threads - 32 * warp : 32;
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  long long sum = own;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const long long below = __shfl_up_sync(mask, sum, step);
    sum += lane >= step ? below : 0;
  }
  if (lane == lanes - 1) mesi_warps_[warp] = sum;
  __syncthreads();
  sum -= own;
  for (int i = 0; i < warp; i++) sum += mesi_warps_[i];
  return sum;
#else
  __shared__ long long mesi_before_[1024];
  mesi_before_[thread] = own;
  __syncthreads();
  long long sum = 0;
  for (int i = 0; thread == 0 && i < threads; i++) {
    const long long next = mesi_before_[i];
    mesi_before_[i] = sum;
    sum += next;
  }
  __syncthreads();
  return mesi_before_[thread];
#endif
}

/* The segment of the element. `segments` is their number; sums[i] elements come before segment
 * i. */
static __device__ inline int mesi_segment_of(const long long *sums, int segments, long long element)
{
  int segment = 0;
  for (int left = segments; left > 1; left -= left / 2)
    segment += sums[segment + left / 2] <= element ? left / 2 : 0;
  return segment;
}

#endif
