/* reduce.h - reductions over a tile or coalesced group. Order: a butterfly where the size is a power of two, else
 * by rank; the same for all lanes. */
#ifndef MESI_COOPERATIVE_GROUPS_REDUCE_H
#define MESI_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

namespace cooperative_groups {

template <class T = void> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T = void> struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T = void> struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T = void> struct bit_and { T operator()(T a, T b) const { return a & b; } };
template <class T = void> struct bit_or { T operator()(T a, T b) const { return a | b; } };
template <class T = void> struct bit_xor { T operator()(T a, T b) const { return a ^ b; } };

template <class Group, class T, class Op> T reduce(const Group &group, T value, Op op) {
  unsigned size = (unsigned)group.size();
  if ((size & (size - 1)) == 0) {
    for (unsigned step = size / 2; step; step /= 2) value = op(value, group.shfl_xor(value, step));
    return value;
  }
  T sum = group.shfl(value, 0);
  for (unsigned rank = 1; rank < size; rank++) sum = op(sum, group.shfl(value, rank));
  return sum;
}

} // namespace cooperative_groups

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
