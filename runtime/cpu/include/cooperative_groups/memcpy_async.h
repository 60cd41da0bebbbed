/* SPDX-License-Identifier: MIT */
/* memcpy_async.h - copies by a group. They are done when the call returns in each thread; wait is
 * the barrier. */
#ifndef MESI_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define MESI_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

namespace cooperative_groups
{

template <class Group>
void memcpy_async(const Group &group, void *dst, const void *src, size_t bytes)
{
  if (group.thread_rank() == 0) memcpy(dst, src, bytes);
}
template <class Group, class MesiT, class Layout>
void memcpy_async(const Group &group, MesiT *dst, const Layout &dst_count, const MesiT *src,
                  const Layout &src_count)
{
  size_t count = (size_t)dst_count < (size_t)src_count ? (size_t)dst_count : (size_t)src_count;
  memcpy_async(group, dst, src, count * sizeof(MesiT));
}
template <class Group> void wait(const Group &group) { group.sync(); }
template <unsigned Stages, class Group> void wait_prior(const Group &group) { group.sync(); }

} // namespace cooperative_groups

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
