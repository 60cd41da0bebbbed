/* SPDX-License-Identifier: MIT */
/* scan.h - prefix sums over a tile or coalesced group, in rank order. */
#ifndef MESI_COOPERATIVE_GROUPS_SCAN_H
#define MESI_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

namespace cooperative_groups
{

template <class Group, class MesiT, class Op>
MesiT inclusive_scan(const Group &group, MesiT value, Op op)
{
  unsigned rank = (unsigned)group.thread_rank();
  for (unsigned step = 1; step < (unsigned)group.size(); step *= 2) {
    MesiT below = group.shfl_up(value, step);
    if (rank >= step) value = op(below, value);
  }
  return value;
}
template <class Group, class MesiT> MesiT inclusive_scan(const Group &group, MesiT value)
{
  return inclusive_scan(group, value, plus<MesiT>());
}
template <class Group, class MesiT, class Op>
MesiT exclusive_scan(const Group &group, MesiT value, Op op)
{
  MesiT sum = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? MesiT() : sum;
}
template <class Group, class MesiT> MesiT exclusive_scan(const Group &group, MesiT value)
{
  return exclusive_scan(group, value, plus<MesiT>());
}

} // namespace cooperative_groups

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
