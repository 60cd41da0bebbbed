/* SPDX-License-Identifier: MIT */
/* reduce.h - reductions over a tile or coalesced group. Order: a butterfly where the size is a
 * power of two, else by rank; the same for all lanes. */
#ifndef MESI_COOPERATIVE_GROUPS_REDUCE_H
#define MESI_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

namespace cooperative_groups
{

template <class MesiT = void> struct plus {
  MesiT operator()(MesiT a, MesiT b) const { return a + b; }
};
template <class MesiT = void> struct less {
  MesiT operator()(MesiT a, MesiT b) const { return b < a ? b : a; }
};
template <class MesiT = void> struct greater {
  MesiT operator()(MesiT a, MesiT b) const { return a < b ? b : a; }
};
template <class MesiT = void> struct bit_and {
  MesiT operator()(MesiT a, MesiT b) const { return a & b; }
};
template <class MesiT = void> struct bit_or {
  MesiT operator()(MesiT a, MesiT b) const { return a | b; }
};
template <class MesiT = void> struct bit_xor {
  MesiT operator()(MesiT a, MesiT b) const { return a ^ b; }
};

template <class Group, class MesiT, class Op> MesiT reduce(const Group &group, MesiT value, Op op)
{
  unsigned size = (unsigned)group.size();
  if ((size & (size - 1)) == 0) {
    for (unsigned step = size / 2; step; step /= 2) value = op(value, group.shfl_xor(value, step));
    return value;
  }
  MesiT sum = group.shfl(value, 0);
  for (unsigned rank = 1; rank < size; rank++) sum = op(sum, group.shfl(value, rank));
  return sum;
}

} // namespace cooperative_groups

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
