/* SPDX-License-Identifier: MIT */
/* warp.h - barriers of the block and operations over the lanes of a warp. */
#ifndef MESI_CUDA_WARP_H
#define MESI_CUDA_WARP_H

#include "math.h"
#include "scheduler.h"

#include <string.h>

#if !MESI_PARSE /* there a builtin */
MESI_FN void __syncthreads() { mesi_cpu_barrier(MESI_CPU_SYNC, 0); }
#endif
MESI_FN int __syncthreads_count(int predicate)
{
  return mesi_cpu_barrier(MESI_CPU_SYNC_COUNT, predicate);
}
MESI_FN int __syncthreads_and(int predicate)
{
  return mesi_cpu_barrier(MESI_CPU_SYNC_AND, predicate);
}
MESI_FN int __syncthreads_or(int predicate)
{
  return mesi_cpu_barrier(MESI_CPU_SYNC_OR, predicate);
}

MESI_FN void __syncwarp(unsigned int mask = 0xffffffffu) { mesi_cpu_warp_barrier(mask); }
MESI_FN unsigned int __activemask() { return mesi_cpu_active_mask(); }
MESI_FN unsigned int __ballot_sync(unsigned int mask, int predicate)
{
  return mesi_cpu_vote(mask, MESI_CPU_BALLOT, predicate);
}
MESI_FN int __any_sync(unsigned int mask, int predicate)
{
  return (int)mesi_cpu_vote(mask, MESI_CPU_ANY, predicate);
}
MESI_FN int __all_sync(unsigned int mask, int predicate)
{
  return (int)mesi_cpu_vote(mask, MESI_CPU_ALL, predicate);
}

/* ---- shuffles: any 4- or 8-byte value ---- */

template <class MesiT>
MESI_FN MesiT mesi_cpu_shuffle_value(unsigned int mask, enum mesi_cpu_shuffle how, MesiT value,
                                     int lane, int width)
{
  static_assert(sizeof(MesiT) <= 8, "shuffled values have up to 8 bytes");
  uint64_t bits = 0;
  memcpy(&bits, (const void *)&value, sizeof value);
  bits = mesi_cpu_shuffle(mask, how, bits, lane, width);
  memcpy((void *)&value, &bits, sizeof value);
  return value;
}
#define MESI_SHUFFLE(MesiT) \
  MESI_FN MesiT __shfl_sync(unsigned int mask, MesiT value, int lane, int width = 32) \
  { \
    return mesi_cpu_shuffle_value(mask, MESI_CPU_SHFL, value, lane, width); \
  } \
  MESI_FN MesiT __shfl_up_sync(unsigned int mask, MesiT value, unsigned int delta, int width = 32) \
  { \
    return mesi_cpu_shuffle_value(mask, MESI_CPU_SHFL_UP, value, (int)delta, width); \
  } \
  MESI_FN MesiT __shfl_down_sync(unsigned int mask, MesiT value, unsigned int delta, \
                                 int width = 32) \
  { \
    return mesi_cpu_shuffle_value(mask, MESI_CPU_SHFL_DOWN, value, (int)delta, width); \
  } \
  MESI_FN MesiT __shfl_xor_sync(unsigned int mask, MesiT value, int lane, int width = 32) \
  { \
    return mesi_cpu_shuffle_value(mask, MESI_CPU_SHFL_XOR, value, lane, width); \
  }
MESI_SHUFFLE(int)
MESI_SHUFFLE(unsigned int)
MESI_SHUFFLE(long)
MESI_SHUFFLE(unsigned long)
MESI_SHUFFLE(long long)
MESI_SHUFFLE(unsigned long long)
MESI_SHUFFLE(float)
MESI_SHUFFLE(double)
#undef MESI_SHUFFLE

/* ---- match and reduce ---- */

#define MESI_MATCH(MesiT) \
  MESI_FN unsigned int __match_any_sync(unsigned int mask, MesiT value) \
  { \
    uint64_t bits = 0; \
    memcpy(&bits, &value, sizeof value); \
    return mesi_cpu_match_any(mask, bits); \
  } \
  MESI_FN unsigned int __match_all_sync(unsigned int mask, MesiT value, int *all) \
  { \
    uint64_t bits = 0; \
    memcpy(&bits, &value, sizeof value); \
    return mesi_cpu_match_all(mask, bits, all); \
  }
MESI_MATCH(int)
MESI_MATCH(unsigned int)
MESI_MATCH(long)
MESI_MATCH(unsigned long)
MESI_MATCH(long long)
MESI_MATCH(unsigned long long)
MESI_MATCH(float)
MESI_MATCH(double)
#undef MESI_MATCH

#define MESI_REDUCE(name, MesiT, how) \
  MESI_FN MesiT name(unsigned int mask, MesiT value) \
  { \
    return (MesiT)mesi_cpu_reduce(mask, how, (unsigned int)value); \
  }
MESI_REDUCE(__reduce_add_sync, int, MESI_CPU_ADD)
MESI_REDUCE(__reduce_add_sync, unsigned int, MESI_CPU_ADD)
MESI_REDUCE(__reduce_min_sync, int, MESI_CPU_MIN_S)
MESI_REDUCE(__reduce_min_sync, unsigned int, MESI_CPU_MIN_U)
MESI_REDUCE(__reduce_max_sync, int, MESI_CPU_MAX_S)
MESI_REDUCE(__reduce_max_sync, unsigned int, MESI_CPU_MAX_U)
MESI_REDUCE(__reduce_and_sync, unsigned int, MESI_CPU_AND)
MESI_REDUCE(__reduce_or_sync, unsigned int, MESI_CPU_OR)
MESI_REDUCE(__reduce_xor_sync, unsigned int, MESI_CPU_XOR)
#undef MESI_REDUCE

#endif
