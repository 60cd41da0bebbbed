/* SPDX-License-Identifier: MIT */
/* mesi_apart.h - do two pointers lead to two allocations? For units that have nothing to tell the
 * runtime: their objects are linked without libmesi. Included by mesi_cuda.h.
 *
 *     mesi_choose(..., mesi_allocated_apart(a, c), ...)
 */
#ifndef MESI_APART_H
#define MESI_APART_H

#include <cuda_runtime.h>

/* A function of the driver, by the runtime interface alone. NULL: there is none. */
inline void *mesi_driver_range()
{
  void *call = nullptr;
#if CUDART_VERSION >= 12050
  cudaDriverEntryPointQueryResult found;
  if (cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &call, 12000, cudaEnableDefault,
                                       &found) != cudaSuccess ||
      found != cudaDriverEntryPointSuccess)
    return nullptr;
#elif CUDART_VERSION >= 11030
  if (cudaGetDriverEntryPoint("cuMemGetAddressRange", &call, cudaEnableDefault) != cudaSuccess)
    return nullptr;
#endif
  return call;
}

/* Where the allocation begins that the pointer leads to, and its bytes. False: CUDA's driver knows
 * of none. */
inline bool mesi_allocation(const volatile void *pointer, unsigned long long *ret_begin,
                            size_t *ret_bytes)
{
  typedef int get_range(unsigned long long *begin, size_t *bytes, unsigned long long pointer);
  static void *const call = mesi_driver_range();
  get_range *const range = (get_range *)call;
  return range && !range(ret_begin, ret_bytes, (unsigned long long)(size_t)pointer);
}

/* What mesi_plan_no_alias answers where no VS variable is. */
inline bool mesi_allocated_apart(const volatile void *p, const volatile void *q)
{
  unsigned long long first, second;
  size_t bytes;
  return mesi_allocation(p, &first, &bytes) && mesi_allocation(q, &second, &bytes) &&
         first != second;
}

/* Ends the allocation behind the pointer within so many bytes? False: it does not, or CUDA's driver
 * knows of none. Nothing but time rests on the answer. */
inline bool mesi_allocated_within(const volatile void *p, long long bytes)
{
  unsigned long long begin;
  size_t all;
  return mesi_allocation(p, &begin, &all) &&
         begin + all - (unsigned long long)(size_t)p <= (unsigned long long)bytes;
}

#endif
