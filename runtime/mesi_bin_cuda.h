/* SPDX-License-Identifier: MIT */
/* mesi_bin_cuda.h - the steps of binning on a CUDA device; scans and sorts are CUB's. Included by
 * mesi_bin.h where nvcc, or clang as a CUDA compiler, compiles for the device.
 *
 * Kernels go through elements or bins in strides of the grid, so that a launch has few blocks
 * whatever the sizes are.
 */
#ifndef MESI_BIN_CUDA_H
#define MESI_BIN_CUDA_H

#include "mesi_bin_steps.h"

#include <cuda_runtime.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace mesi_bin_cuda
{

enum { THREADS = 256, MOST_BLOCKS = 4096, FEW_BLOCKS = 1024 };

static inline unsigned blocks_for(long long count)
{
  long long blocks = (count + THREADS - 1) / THREADS;
  return blocks < 1 ? 1 : blocks < MOST_BLOCKS ? (unsigned)blocks : (unsigned)MOST_BLOCKS;
}

static inline const char *cause(cudaError_t status)
{
  return status == cudaSuccess ? NULL : cudaGetErrorString(status);
}

/* A loop over the numbers that belong to a thread. */
#define MESI_BIN_EACH(i, count) \
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < (count); \
       i += (long long)gridDim.x * blockDim.x)

/* ---- locate ---- */

static __device__ inline int bin_of(const mesi_bin_grid &grid, const float at[3])
{
  int place[3];
  for (int a = 0; a < 3; a++)
    if ((place[a] = mesi_bin_at(at[a], grid.low[a], grid.inverse[a], grid.bins[a])) < 0) return -1;
  return (place[2] * grid.bins[1] + place[1]) * grid.bins[0] + place[0];
}

static __device__ inline void note_first(long long *first, long long index)
{
  atomicMin((unsigned long long *)first, (unsigned long long)index);
}

static __global__ void locate_kernel(mesi_bin_grid grid, const unsigned *elements, unsigned words,
                                     long long count, int *bin, int *rank, int *counts,
                                     mesi_bin_found *found)
{
  MESI_BIN_EACH(i, count)
  {
    float at[3];
    for (int a = 0; a < 3; a++) at[a] = __uint_as_float(elements[(size_t)i * words + a]);
    int place = bin_of(grid, at);
    if (place < 0) {
      note_first(isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]) ? &found->outside
                                                                       : &found->not_finite,
                 i);
      place = 0;
    }
    bin[i] = place;
    rank[i] = atomicAdd(&counts[place], 1);
  }
}

static const char *locate(const mesi_bin_grid *grid, const unsigned *elements, unsigned words,
                          long long count, int *bin, int *rank, int *counts, mesi_bin_found *found)
{
  locate_kernel<<<blocks_for(count), THREADS, 0, cudaStreamLegacy>>>(*grid, elements, words, count,
                                                                     bin, rank, counts, found);
  return cause(cudaPeekAtLastError());
}

/* ---- the order of the elements ---- */

/* The places of the parts of a stable sort's working memory. */
struct sort_memory {
  int *sorted, *from, *order; /* bins in order; numbers of the elements, in order */
  void *rest;
  size_t rest_bytes;
};

static inline size_t rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }

static sort_memory sort_parts(void *temporary, size_t bytes, long long count)
{
  size_t each = rounded((size_t)count * sizeof(int));
  char *at = (char *)temporary;
  return {(int *)at, (int *)(at + each), (int *)(at + 2 * each), at + 3 * each,
          bytes > 3 * each ? bytes - 3 * each : 0};
}

static inline int bits_of(long long values)
{
  int bits = 1;
  while (bits < 31 && (1ll << bits) < values) bits++;
  return bits;
}

static size_t temporary(long long count, long long bins, int stable)
{
  size_t scan = 0, sort = 0;
  cub::DeviceScan::ExclusiveSum((void *)NULL, scan, (const int *)NULL, (int *)NULL, (int)bins);
  if (stable)
    cub::DeviceRadixSort::SortPairs((void *)NULL, sort, (const int *)NULL, (int *)NULL,
                                    (const int *)NULL, (int *)NULL, (int)count, 0, bits_of(bins));
  size_t pairs = stable ? 3 * rounded((size_t)count * sizeof(int)) + sort : 0;
  return (scan > pairs ? scan : pairs) + 256;
}

static __global__ void number_kernel(int *to, long long count)
{
  MESI_BIN_EACH(i, count)
  to[i] = (int)i;
}

static __global__ void rank_kernel(const int *sorted, const int *order, const int *starts,
                                   long long count, int *rank)
{
  MESI_BIN_EACH(i, count)
  rank[order[i]] = (int)i - starts[sorted[i]];
}

static const char *rank(const int *bin, long long count, long long bins, const int *starts,
                        int *rank, void *temporary, size_t bytes)
{
  sort_memory memory = sort_parts(temporary, bytes, count);
  number_kernel<<<blocks_for(count), THREADS, 0, cudaStreamLegacy>>>(memory.from, count);
  cudaError_t status = cub::DeviceRadixSort::SortPairs(
      memory.rest, memory.rest_bytes, bin, memory.sorted, memory.from, memory.order, (int)count, 0,
      bits_of(bins), cudaStreamLegacy);
  if (status != cudaSuccess) return cause(status);
  rank_kernel<<<blocks_for(count), THREADS, 0, cudaStreamLegacy>>>(memory.sorted, memory.order,
                                                                   starts, count, rank);
  return cause(cudaPeekAtLastError());
}

static __global__ void order_kernel(const int *bin, const int *rank, const int *starts,
                                    long long count, int *order)
{
  MESI_BIN_EACH(i, count)
  order[starts[bin[i]] + rank[i]] = (int)i;
}

static const char *order(const int *bin, const int *rank, const int *starts, long long count,
                         int *order)
{
  order_kernel<<<blocks_for(count), THREADS, 0, cudaStreamLegacy>>>(bin, rank, starts, count,
                                                                    order);
  return cause(cudaPeekAtLastError());
}

/* ---- bins ---- */

struct measured {
  int least, most;
  unsigned long long empty, sum, squares, beyond, slots;
};

static __device__ inline measured together(const measured &a, const measured &b)
{
  return {min(a.least, b.least), max(a.most, b.most), a.empty + b.empty, a.sum + b.sum,
          a.squares + b.squares, a.beyond + b.beyond, a.slots + b.slots};
}

static __device__ inline measured from_lane(const measured &m, int distance)
{
  return {__shfl_xor_sync(0xffffffffu, m.least, distance),
          __shfl_xor_sync(0xffffffffu, m.most, distance),
          __shfl_xor_sync(0xffffffffu, m.empty, distance),
          __shfl_xor_sync(0xffffffffu, m.sum, distance),
          __shfl_xor_sync(0xffffffffu, m.squares, distance),
          __shfl_xor_sync(0xffffffffu, m.beyond, distance),
          __shfl_xor_sync(0xffffffffu, m.slots, distance)};
}

/* One thread of each of few blocks adds to the results: all of them add to the same few words. */
static __global__ void measure_kernel(const int *counts, long long bins, int depth, unsigned align,
                                      mesi_bin_found *found)
{
  __shared__ measured of_warps[THREADS / 32];
  measured own = {0x7fffffff, 0, 0, 0, 0, 0, 0};
  MESI_BIN_EACH(b, bins)
  {
    int n = counts[b];
    own = together(own, {n, n, (unsigned long long)(n == 0), (unsigned long long)n,
                         (unsigned long long)n * n, (unsigned long long)(n > depth ? n - depth : 0),
                         mesi_bin_kept(n, depth, align)});
  }
  for (int distance = 16; distance > 0; distance /= 2)
    own = together(own, from_lane(own, distance));
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x) return;
  for (int warp = 1; warp < THREADS / 32; warp++) own = together(own, of_warps[warp]);
  atomicMin((unsigned long long *)&found->least, (unsigned long long)own.least);
  atomicMax((unsigned long long *)&found->most, (unsigned long long)own.most);
  atomicAdd((unsigned long long *)&found->empty, own.empty);
  atomicAdd(&found->sum, own.sum);
  atomicAdd(&found->squares, own.squares);
  atomicAdd(&found->beyond, own.beyond);
  atomicAdd(&found->slots, own.slots);
}

static const char *measure(const int *counts, long long bins, int depth, unsigned align,
                           mesi_bin_found *found)
{
  unsigned most = FEW_BLOCKS, grid = blocks_for(bins);
  if (grid > most) grid = most;
  measure_kernel<<<grid, THREADS, 0, cudaStreamLegacy>>>(counts, bins, depth, align, found);
  return cause(cudaPeekAtLastError());
}

static __global__ void limit_kernel(const int *counts, long long bins, int depth, unsigned align,
                                    int beyond, int *to)
{
  MESI_BIN_EACH(b, bins + 1)
  {
    int n = b < bins ? counts[b] : 0;
    to[b] = !beyond ? (int)mesi_bin_kept(n, depth, align) : n > depth ? n - depth : 0;
  }
}

static const char *limit(const int *counts, long long bins, int depth, unsigned align, int beyond,
                         int *to)
{
  limit_kernel<<<blocks_for(bins + 1), THREADS, 0, cudaStreamLegacy>>>(counts, bins, depth, align,
                                                                       beyond, to);
  return cause(cudaPeekAtLastError());
}

static const char *scan(const int *values, int *to, long long count, void *temporary, size_t bytes)
{
  return cause(
      cub::DeviceScan::ExclusiveSum(temporary, bytes, values, to, (int)count, cudaStreamLegacy));
}

static __global__ void split_kernel(const int *overflow_offsets, long long bins, int most,
                                    mesi_bin_piece *pieces, mesi_bin_found *found)
{
  MESI_BIN_EACH(b, bins)
  {
    int end = overflow_offsets[b + 1];
    for (int at = overflow_offsets[b]; at < end; at += most)
      pieces[atomicAdd(&found->pieces, 1)] = {(int)b, at, end - at < most ? end : at + most};
  }
}

static const char *split(const int *overflow_offsets, long long bins, int most,
                         mesi_bin_piece *pieces, mesi_bin_found *found)
{
  split_kernel<<<blocks_for(bins), THREADS, 0, cudaStreamLegacy>>>(overflow_offsets, bins, most,
                                                                   pieces, found);
  return cause(cudaPeekAtLastError());
}

/* ---- elements ---- */

static const char *clear(void *memory, int byte, size_t bytes)
{
  return cause(cudaMemsetAsync(memory, byte, bytes, cudaStreamLegacy));
}

static __global__ void sentinels_kernel(const int *sizes, long long bins, int depth, unsigned pitch,
                                        unsigned vector, unsigned *to)
{
  MESI_BIN_EACH(slot, bins * depth)
  if (slot % depth >= sizes[slot / depth])
    to[mesi_bin_word(slot, 0, pitch, vector)] = __float_as_uint(MESI_BIN_NOTHING);
}

static const char *sentinels(const int *sizes, long long bins, int depth, unsigned pitch,
                             unsigned vector, unsigned *to)
{
  sentinels_kernel<<<blocks_for(bins * depth), THREADS, 0, cudaStreamLegacy>>>(sizes, bins, depth,
                                                                               pitch, vector, to);
  return cause(cudaPeekAtLastError());
}

/* One thread for each word, so that neighbours read neighbouring words. */
static __global__ void place_kernel(mesi_bin_placing p)
{
  MESI_BIN_EACH(at, p.count * p.words)
  {
    long long i = at / p.words;
    unsigned w = (unsigned)(at - i * p.words);
    int bin = p.bin[i], rank = p.rank[i];
    if (rank < p.depth) {
      long long slot = p.offsets ? p.offsets[bin] + rank : (long long)bin * p.depth + rank;
      p.to[mesi_bin_word(slot, w, p.pitch, p.vector)] = p.from[at];
    } else {
      p.overflow[(size_t)(p.overflow_offsets[bin] + rank - p.depth) * p.words + w] = p.from[at];
    }
  }
}

static const char *place(const mesi_bin_placing *placing)
{
  place_kernel<<<blocks_for(placing->count * placing->words), THREADS, 0, cudaStreamLegacy>>>(
      *placing);
  return cause(cudaPeekAtLastError());
}

static const mesi_bin_steps steps = {temporary, clear, locate,    rank,  order, measure,
                                     limit,     scan,  sentinels, place, split};

static __attribute__((constructor, used)) void use() { mesi_bin_use(&steps); }

#undef MESI_BIN_EACH

} // namespace mesi_bin_cuda

#endif
