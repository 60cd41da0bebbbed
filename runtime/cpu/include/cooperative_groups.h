/* SPDX-License-Identifier: MIT */
/* cooperative_groups.h - groups of threads: block, grid, tiles of a warp, coalesced lanes.
 *
 * Tiles have up to 32 threads. A grid group's sync needs a cooperative launch. Clusters are not
 * supported.
 */
#ifndef MESI_COOPERATIVE_GROUPS_H
#define MESI_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

namespace cooperative_groups
{

namespace details
{

/* Moves a value of any size through warp shuffles; `lane` is that of the warp. */
template <class MesiT> MesiT shuffle(unsigned mask, const MesiT &value, unsigned lane)
{
  MesiT result = value;
  for (size_t at = 0; at < sizeof(MesiT); at += 8) {
    unsigned long long word = 0;
    size_t bytes = sizeof(MesiT) - at < 8 ? sizeof(MesiT) - at : 8;
    memcpy(&word, (const char *)&value + at, bytes);
    word = mesi_cpu_shuffle(mask, MESI_CPU_SHFL, word, (int)lane, 32);
    memcpy((char *)&result + at, &word, bytes);
  }
  return result;
}

inline unsigned lane() { return mesi_cpu_thread_rank() & 31; }
inline unsigned long long block_threads()
{
  return (unsigned long long)blockDim.x * blockDim.y * blockDim.z;
}

inline unsigned nth_bit(unsigned mask, unsigned n)
{
  while (n--) mask &= mask - 1;
  return mask ? (unsigned)__builtin_ctz(mask) : 32u;
}

/* The ranks in a group of the lanes `mask` that those of `lanes` have. */
inline unsigned ranks_of(unsigned mask, unsigned lanes)
{
  unsigned ranks = 0, rank = 0;
  for (unsigned rest = mask; rest; rest &= rest - 1, rank++)
    if (lanes >> __builtin_ctz(rest) & 1) ranks |= 1u << rank;
  return ranks;
}

} // namespace details

/* ---- the block and the grid ---- */

class thread_block
{
public:
  void sync() const { mesi_cpu_barrier(MESI_CPU_SYNC, 0); }
  struct arrival_token {
  }; /* threads wait for all to come to the second of the two */
  arrival_token barrier_arrive() const { return arrival_token(); }
  void barrier_wait(arrival_token &&) const { sync(); }
  unsigned thread_rank() const { return mesi_cpu_thread_rank(); }
  unsigned size() const { return (unsigned)details::block_threads(); }
  unsigned num_threads() const { return size(); }
  dim3 group_index() const { return blockIdx; }
  dim3 thread_index() const { return threadIdx; }
  dim3 group_dim() const { return blockDim; }
  dim3 dim_threads() const { return blockDim; }
};
inline thread_block this_thread_block() { return thread_block(); }

class grid_group
{
public:
  bool is_valid() const { return mesi_cpu_is_cooperative() != 0; }
  void sync() const { mesi_cpu_grid_barrier(); }
  struct arrival_token {
  };
  arrival_token barrier_arrive() const { return arrival_token(); }
  void barrier_wait(arrival_token &&) const { sync(); }
  unsigned long long block_rank() const
  {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  unsigned long long num_blocks() const
  {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  unsigned long long thread_rank() const
  {
    return block_rank() * details::block_threads() + mesi_cpu_thread_rank();
  }
  unsigned long long size() const { return num_blocks() * details::block_threads(); }
  unsigned long long num_threads() const { return size(); }
  dim3 block_index() const { return blockIdx; }
  dim3 dim_blocks() const { return gridDim; }
  dim3 group_dim() const { return gridDim; }
};
inline grid_group this_grid() { return grid_group(); }

/* ---- lanes of a warp: the base of tiles and coalesced groups ---- */

class lane_group
{ /* lanes `mask` of the caller's warp, ranked from the lowest */
protected:
  unsigned mask_, index_,
      count_; /* index_, count_: which of the groups that the parent was cut into */
  unsigned lane_of(unsigned rank) const { return details::nth_bit(mask_, rank); }

public:
  lane_group(unsigned mask, unsigned index, unsigned count)
      : mask_(mask), index_(index), count_(count)
  {
  }
  unsigned mesi_mask() const { return mask_; }
  void sync() const { mesi_cpu_warp_barrier(mask_); }
  unsigned thread_rank() const
  {
    return (unsigned)__builtin_popcount(mask_ & ((1u << details::lane()) - 1));
  }
  unsigned size() const { return (unsigned)__builtin_popcount(mask_); }
  unsigned num_threads() const { return size(); }
  unsigned meta_group_rank() const { return index_; }
  unsigned meta_group_size() const { return count_; }
  template <class MesiT> MesiT shfl(MesiT v, unsigned rank) const
  {
    return details::shuffle(mask_, v, lane_of(rank % size()));
  }
  template <class MesiT> MesiT shfl_up(MesiT v, unsigned delta) const
  {
    unsigned rank = thread_rank();
    return details::shuffle(mask_, v, lane_of(rank >= delta ? rank - delta : rank));
  }
  template <class MesiT> MesiT shfl_down(MesiT v, unsigned delta) const
  {
    unsigned rank = thread_rank();
    return details::shuffle(mask_, v, lane_of(rank + delta < size() ? rank + delta : rank));
  }
  template <class MesiT> MesiT shfl_xor(MesiT v, unsigned lanes) const
  {
    unsigned to = thread_rank() ^ lanes;
    return details::shuffle(mask_, v, lane_of(to < size() ? to : thread_rank()));
  }
  int any(int predicate) const { return (int)mesi_cpu_vote(mask_, MESI_CPU_ANY, predicate); }
  int all(int predicate) const { return (int)mesi_cpu_vote(mask_, MESI_CPU_ALL, predicate); }
  unsigned ballot(int predicate) const
  {
    return details::ranks_of(mask_, mesi_cpu_vote(mask_, MESI_CPU_BALLOT, predicate));
  }
  template <class MesiT> unsigned match_any(MesiT v) const
  {
    return details::ranks_of(mask_, __match_any_sync(mask_, v));
  }
  template <class MesiT> unsigned match_all(MesiT v, int &all) const
  {
    return details::ranks_of(mask_, __match_all_sync(mask_, v, &all));
  }
};

class coalesced_group : public lane_group
{
public:
  coalesced_group(unsigned mask, unsigned index = 0, unsigned count = 1)
      : lane_group(mask, index, count)
  {
  }
};
inline coalesced_group coalesced_threads() { return coalesced_group(mesi_cpu_active_mask()); }

template <unsigned Size, class Parent = void> class thread_block_tile : public lane_group
{
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "tiles of 1 to 32 threads, a power of two");

public:
  thread_block_tile(unsigned mask, unsigned index, unsigned count) : lane_group(mask, index, count)
  {
  }
  template <class MesiP> thread_block_tile(const thread_block_tile<Size, MesiP> &o) : lane_group(o)
  {
  }
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
};

/* ---- cutting groups ---- */

namespace details
{
inline unsigned tile_mask(unsigned size)
{
  return (size == 32 ? 0xffffffffu : (1u << size) - 1) << (lane() & ~(size - 1));
}
} // namespace details

template <unsigned Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block &block)
{
  return thread_block_tile<Size, thread_block>(details::tile_mask(Size), block.thread_rank() / Size,
                                               (block.size() + Size - 1) / Size);
}
template <unsigned Size, unsigned Outer, class MesiP>
thread_block_tile<Size, thread_block_tile<Outer, MesiP>>
tiled_partition(const thread_block_tile<Outer, MesiP> &tile)
{
  static_assert(Size <= Outer, "a tile is cut into smaller ones");
  return thread_block_tile<Size, thread_block_tile<Outer, MesiP>>(
      details::tile_mask(Size), tile.thread_rank() / Size, Outer / Size);
}

namespace details
{
inline coalesced_group cut(const lane_group &group, unsigned size)
{
  unsigned index = group.thread_rank() / size, mask = 0;
  for (unsigned i = index * size; i < (index + 1) * size && i < group.size(); i++)
    mask |= 1u << nth_bit(group.mesi_mask(), i);
  return coalesced_group(mask, index, (group.size() + size - 1) / size);
}
} // namespace details

inline coalesced_group tiled_partition(const coalesced_group &group, unsigned size)
{
  return details::cut(group, size);
}

/* Any of the groups above, chosen at run time. */
class thread_group
{
  enum { BLOCK, GRID, LANES } kind_;
  coalesced_group lanes_;

public:
  thread_group(const thread_block &) : kind_(BLOCK), lanes_(0) {}
  thread_group(const grid_group &) : kind_(GRID), lanes_(0) {}
  thread_group(const lane_group &g) : kind_(LANES), lanes_(g.mesi_mask()) {}
  void sync() const
  {
    if (kind_ == BLOCK)
      this_thread_block().sync();
    else if (kind_ == GRID)
      this_grid().sync();
    else
      lanes_.sync();
  }
  unsigned long long thread_rank() const
  {
    return kind_ == BLOCK  ? this_thread_block().thread_rank()
           : kind_ == GRID ? this_grid().thread_rank()
                           : lanes_.thread_rank();
  }
  unsigned long long size() const
  {
    return kind_ == BLOCK  ? this_thread_block().size()
           : kind_ == GRID ? this_grid().size()
                           : lanes_.size();
  }
  unsigned long long num_threads() const { return size(); }
};
inline thread_group tiled_partition(const thread_block &, unsigned size)
{
  if (size == 0 || size > 32 || (size & (size - 1)))
    mesi_cpu_fail("tiled_partition into %u threads", size);
  return coalesced_group(details::tile_mask(size));
}

inline coalesced_group binary_partition(const lane_group &group, bool predicate)
{
  unsigned lanes = mesi_cpu_vote(group.mesi_mask(), MESI_CPU_BALLOT, predicate);
  return coalesced_group(predicate ? lanes : group.mesi_mask() & ~lanes, predicate ? 1 : 0, 2);
}
template <class MesiT> coalesced_group labeled_partition(const lane_group &group, MesiT label)
{
  return coalesced_group(__match_any_sync(group.mesi_mask(), label));
}

template <class Group> void sync(const Group &group) { group.sync(); }
template <class Group> auto group_size(const Group &group) -> decltype(group.size())
{
  return group.size();
}
template <class Group> auto thread_rank(const Group &group) -> decltype(group.thread_rank())
{
  return group.thread_rank();
}
template <class Group, class MesiF> void invoke_one(const Group &group, MesiF f)
{
  if (group.thread_rank() == 0) f();
}

} // namespace cooperative_groups

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
