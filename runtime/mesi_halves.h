/* SPDX-License-Identifier: MIT */
/* mesi_halves.h - sums over the rows and over the columns of one triangle, in one pass over its
 * elements. Included by mesi_cuda.h and mesi_cpu.h, after mesi_sums.h. C++14 or later.
 *
 *     strips of rows   |\           a block has a strip of rows (blockIdx.x) and a run of strips of
 *                      |_\          columns (blockIdx.z), and adds up both of an element's terms:
 *                      |_|_\            row s:     a[s][f] x[f]    a slot of strip s for each run
 *                      |_|_|_\          column f:  a[s][f] x[s]    a slot of strip f for each s
 *
 * The triangle is f <= s (MesiLow) or f >= s. The last block that leaves something in the slots of
 * a strip adds them up, in an order that follows from their places, and goes on with the code
 * behind the sums for the strip. So results do not depend on the order of blocks. The slots are in
 * the area for partial sums (mesi_sums.h), where strip s has gridDim.z slots for runs and as many
 * as there are strips behind them, and a counter.
 */
#ifndef MESI_HALVES_H
#define MESI_HALVES_H

enum {
  MESI_HALVES_MOST = 4,            /* strips of a run */
  MESI_HALVES_THREADS = 0x7ffffc00 /* of a launch, whose last strip is counted in an int */
};

#define MESI_HALVES_SLOT 90.0 /* cycles of a slot that is read, of which many are on their way */

/* ---- the number of runs ---- */

/* Cycles of a launch with runs of so many strips. */
inline double mesi_halves_time(const mesi_block_time &block, double strips, double run,
                               double processors)
{
  double blocks = strips * (strips / run + 1) / 2, slots = strips + strips / run;
  double each = (double)(long long)((blocks + processors - 1) / processors);
  return run * mesi_iteration_time(block, each, blocks < processors) + MESI_SUMS_COST +
         slots * MESI_HALVES_SLOT;
}

/* The number of runs of a launch of mesi_map over n rows, in strips of so many; 0: it is not for
 * the launch. `blocks`: cycles of a strip for a block of the version, and behind them those of an
 * iteration of a block as written. `fixed`: the number whatever is predicted (0: none). */
inline unsigned mesi_halves_blocks(mesi_sums_known &known,
                                   std::initializer_list<mesi_block_time> blocks, long long n,
                                   long long, unsigned strip, unsigned, bool, unsigned fixed)
{
  const mesi_mapping &mapping = mesi_mapped();
  const mesi_block_time &own = *blocks.begin(), &written = blocks.begin()[1];
  unsigned processors = mesi_multiprocessors();
  int wish = mesi_sums_wish() >= 0 ? mesi_sums_wish() : fixed ? (int)fixed : -1;
  (void)known;

  if (!mapping.has_stream || mapping.written_grid.z != 1 || mapping.total_y != 1 || n < 1 ||
      n > mapping.total_x || mapping.total_x > MESI_HALVES_THREADS || !processors || wish == 0 ||
      wish == 1)
    return 0;
  long long strips = (n + strip - 1) / strip, best = 0;
  double rows = (double)((n + written.x - 1) / written.x);
  double least = (double)n * mesi_iteration_time(
                                 written, (double)(long long)((rows + processors - 1) / processors),
                                 rows < processors);
  for (long long run = 1; run <= MESI_HALVES_MOST; run *= 2) {
    double time = mesi_halves_time(own, (double)strips, (double)run, processors);
    if (time >= (best ? least : least / MESI_SUMS_GAIN) && wish < 0) continue;
    least = time;
    best = (strips + run - 1) / run;
    if (wish > 0 && best <= wish) break;
  }
  if (!best) return 0;
  if (wish > best) best = wish < strips ? wish : strips;
  return best > 1 ? (unsigned)best : 2;
}

/* ---- in kernels ---- */

/* The strips of a run but of the last. */
static __device__ inline int mesi_halves_run(int mesi_strips_)
{
  return (mesi_strips_ + (int)gridDim.z - 1) / (int)gridDim.z;
}

/* The block's run, without the strips beyond the diagonal: from the first to the one before the
 * last, which is not greater than the first where there are none. */
template <bool MesiLow> static __device__ inline int mesi_halves_first(int mesi_strips_)
{
  const int mesi_first_ = mesi_halves_run(mesi_strips_) * (int)blockIdx.z;
  return MesiLow || mesi_first_ > (int)blockIdx.x ? mesi_first_ : (int)blockIdx.x;
}

template <bool MesiLow> static __device__ inline int mesi_halves_last(int mesi_strips_)
{
  const int mesi_last_ = mesi_halves_run(mesi_strips_) * ((int)blockIdx.z + 1),
            mesi_end_ = MesiLow ? (int)blockIdx.x + 1 : mesi_strips_;
  if ((int)blockIdx.x >= mesi_strips_) return 0;
  return mesi_last_ < mesi_end_ ? mesi_last_ : mesi_end_;
}

/* The first of a strip's runs that has work, and the number of those; the first strip of rows that
 * leaves something for its columns, and the number of those. */
struct mesi_halves_of {
  int run, runs, row, rows;
};

template <bool MesiLow>
static __device__ inline mesi_halves_of mesi_halves_slots(int mesi_strips_, int mesi_strip_)
{
  const int mesi_run_ = mesi_halves_run(mesi_strips_), mesi_own_ = mesi_strip_ / mesi_run_;
  if (MesiLow) return mesi_halves_of{0, mesi_own_ + 1, mesi_strip_, mesi_strips_ - mesi_strip_};
  return mesi_halves_of{mesi_own_, (mesi_strips_ + mesi_run_ - 1) / mesi_run_ - mesi_own_, 0,
                        mesi_strip_ + 1};
}

/* The place of a sum in a slot of a strip. */
template <int MesiStrip, typename MesiNumber>
static __device__ inline MesiNumber *mesi_halves_slot(const mesi_sums &mesi_sums_, int mesi_strips_,
                                                      int mesi_strip_, int mesi_slot_)
{
  const size_t mesi_slots_ = (size_t)gridDim.z + mesi_strips_;
  return (MesiNumber *)mesi_sums_.parts +
         (mesi_strip_ * mesi_slots_ + mesi_slot_) * (size_t)MesiStrip;
}

/* Leaves the sum of row lane * MesiRows / 32 over the warp's lanes in mesi_rows_[0]: half of the
 * rows goes to the other lanes as long as there are two. */
template <int MesiLeft, int MesiBit, int MesiRows, typename MesiNumber> struct mesi_halves_folding {
  static __device__ inline void fold(MesiNumber (&mesi_rows_)[MesiRows], int mesi_lane_)
  {
    for (int mesi_i_ = 0; mesi_i_ < MesiLeft / 2; mesi_i_++) {
      const bool mesi_upper_ = mesi_lane_ & MesiBit;
      const MesiNumber mesi_a_ = mesi_rows_[mesi_i_], mesi_b_ = mesi_rows_[mesi_i_ + MesiLeft / 2];
      const MesiNumber mesi_given_ = mesi_upper_ ? mesi_a_ : mesi_b_;
      mesi_rows_[mesi_i_] =
          (mesi_upper_ ? mesi_b_ : mesi_a_) + __shfl_xor_sync(0xffffffffu, mesi_given_, MesiBit);
    }
    if (MesiLeft == 1) mesi_rows_[0] += __shfl_xor_sync(0xffffffffu, mesi_rows_[0], MesiBit);
    mesi_halves_folding<MesiLeft == 1 ? 1 : MesiLeft / 2, MesiBit / 2, MesiRows, MesiNumber>::fold(
        mesi_rows_, mesi_lane_);
  }
};

template <int MesiLeft, int MesiRows, typename MesiNumber>
struct mesi_halves_folding<MesiLeft, 0, MesiRows, MesiNumber> {
  static __device__ inline void fold(MesiNumber (&)[MesiRows], int) {}
};

/* The sum of row threadIdx.x of a complete strip, for the threads that have one: over its row and
 * its column, or (mesi_which_ 1, 2) over one of them. Several threads add up the slots of a row;
 * mesi_parts_ has room for a number of each. All threads call it. */
template <bool MesiLow, int MesiThreads, int MesiRows, typename MesiNumber>
static __device__ inline MesiNumber mesi_halves_total(const mesi_sums &mesi_sums_, int mesi_strips_,
                                                      int mesi_strip_, int mesi_which_,
                                                      MesiNumber *mesi_parts_)
{
  enum { mesi_size_ = MesiThreads / 32 * MesiRows, mesi_groups_ = MesiThreads / mesi_size_ };
  const mesi_halves_of mesi_of_ = mesi_strip_ < mesi_strips_
                                      ? mesi_halves_slots<MesiLow>(mesi_strips_, mesi_strip_)
                                      : mesi_halves_of{0, 0, 0, 0};
  const int mesi_row_ = (int)threadIdx.x % mesi_size_,
            mesi_first_ = mesi_which_ == 2 ? mesi_of_.runs : 0,
            mesi_last_ = mesi_which_ == 1 ? mesi_of_.runs : mesi_of_.runs + mesi_of_.rows;
  MesiNumber mesi_sum_ = 0;

#if !defined(MESI_CPU_H)
#pragma unroll 8
#endif
  for (int mesi_i_ = mesi_first_ + (int)threadIdx.x / mesi_size_; mesi_i_ < mesi_last_;
       mesi_i_ += mesi_groups_) {
    const int mesi_slot_ = mesi_i_ < mesi_of_.runs
                               ? mesi_of_.run + mesi_i_
                               : (int)gridDim.z + mesi_of_.row + mesi_i_ - mesi_of_.runs;
    mesi_sum_ += mesi_halves_slot<mesi_size_, MesiNumber>(mesi_sums_, mesi_strips_, mesi_strip_,
                                                          mesi_slot_)[mesi_row_];
  }
  __syncthreads();
  mesi_parts_[threadIdx.x] = mesi_sum_;
  __syncthreads();
  mesi_sum_ = mesi_parts_[mesi_row_];
  for (int mesi_i_ = 1; mesi_i_ < mesi_groups_; mesi_i_++)
    mesi_sum_ += mesi_parts_[mesi_i_ * mesi_size_ + mesi_row_];
  return mesi_sum_;
}

/* Counts the block at the strip with this number of those to which it leaves something: its own is
 * 0. Was it the last there? */
template <bool MesiLow>
static __device__ inline bool mesi_halves_count(const mesi_sums &mesi_sums_, int mesi_strips_,
                                                int mesi_strip_)
{
  const mesi_halves_of mesi_of_ = mesi_halves_slots<MesiLow>(mesi_strips_, mesi_strip_);

  __threadfence();
#if defined(MESI_CPU_H)
  mesi_check_order(mesi_sums_.arrived); /* one place for all blocks, as in mesi_sums_arrive */
#endif
  const bool mesi_last_ = atomicAdd(&mesi_sums_.arrived[mesi_strip_], 1u) ==
                          (unsigned)(mesi_of_.runs + mesi_of_.rows - 1);
  if (mesi_last_) mesi_sums_.arrived[mesi_strip_] = 0;
  __threadfence();
  return mesi_last_;
}

/* Leaves the sums of a block's run: mesi_rows_, those of a lane for each row of its warp, and
 * mesi_columns_, those of each warp for the run's columns. Bit 0 of the result: the block's strip
 * of rows is complete; bit i: strip i - 1 of its run. All threads call it, and all get the same
 * result. */
template <bool MesiLow, int MesiThreads, int MesiRows, typename MesiNumber>
static __device__ inline unsigned
mesi_halves_leave(const mesi_sums &mesi_sums_, int mesi_strips_, int mesi_first_, int mesi_last_,
                  MesiNumber (&mesi_rows_)[MesiRows], const MesiNumber *mesi_columns_)
{
  enum {
    mesi_warps_ = MesiThreads / 32,
    mesi_strip_ = mesi_warps_ * MesiRows,
    mesi_lanes_of_ = 32 / MesiRows
  };
  __shared__ unsigned mesi_complete_;
  const int mesi_own_ = (int)blockIdx.x, mesi_lane_ = (int)threadIdx.x % 32,
            mesi_warp_ = (int)threadIdx.x / 32,
            mesi_all_ = mesi_first_ < mesi_last_ ? mesi_last_ - mesi_first_ : 0;

  mesi_halves_folding<MesiRows, 16, MesiRows, MesiNumber>::fold(mesi_rows_, mesi_lane_);
  if (mesi_all_ && mesi_lane_ % mesi_lanes_of_ == 0)
    mesi_halves_slot<mesi_strip_, MesiNumber>(
        mesi_sums_, mesi_strips_, mesi_own_,
        (int)blockIdx.z)[mesi_warp_ * MesiRows + mesi_lane_ / mesi_lanes_of_] = mesi_rows_[0];
  if (threadIdx.x == 0) mesi_complete_ = mesi_own_ >= mesi_strips_ && blockIdx.z == 0;
  __syncthreads();
  for (int mesi_i_ = (int)threadIdx.x; mesi_i_ < mesi_all_ * mesi_strip_; mesi_i_ += MesiThreads) {
    MesiNumber mesi_sum_ = mesi_columns_[mesi_i_];
    for (int mesi_w_ = 1; mesi_w_ < mesi_warps_; mesi_w_++)
      mesi_sum_ += mesi_columns_[mesi_w_ * MESI_HALVES_MOST * mesi_strip_ + mesi_i_];
    mesi_halves_slot<mesi_strip_, MesiNumber>(
        mesi_sums_, mesi_strips_, mesi_first_ + mesi_i_ / mesi_strip_,
        (int)gridDim.z + mesi_own_)[mesi_i_ % mesi_strip_] = mesi_sum_;
  }
  __syncthreads();
  if (mesi_all_ && (int)threadIdx.x <= mesi_all_) {
    const int mesi_at_ = threadIdx.x ? mesi_first_ + (int)threadIdx.x - 1 : mesi_own_;
    if (mesi_halves_count<MesiLow>(mesi_sums_, mesi_strips_, mesi_at_))
      atomicOr(&mesi_complete_, 1u << threadIdx.x);
  }
  __syncthreads();
  return mesi_complete_;
}

#endif
