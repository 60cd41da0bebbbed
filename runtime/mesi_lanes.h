/* SPDX-License-Identifier: MIT */
/* mesi_lanes.h - values that the lanes of a warp, and the warps of a block, combine. Included by
 * mesi_cuda.h and mesi_cpu.h, after mesi_map.h. C++14 or later.
 */
#ifndef MESI_LANES_H
#define MESI_LANES_H

/* The value, which the compiler takes for another one wherever the key is another one: products of
 * it are not merged, and each is fused with its own sum, or not, as -fmad says. The key is not
 * computed: nothing uses it. */
static __device__ inline float mesi_own(float mesi_value_, int mesi_key_)
{
#ifdef __CUDA_ARCH__
  asm("" : "+f"(mesi_value_) : "r"(mesi_key_));
#endif
  (void)mesi_key_;
  return mesi_value_;
}

static __device__ inline double mesi_own_double(double mesi_value_, int mesi_key_)
{
#ifdef __CUDA_ARCH__
  asm("" : "+d"(mesi_value_) : "r"(mesi_key_));
#endif
  (void)mesi_key_;
  return mesi_value_;
}

/* The lesser and the greater number; where one is no number, the other one. Also for one thread of
 * many. The second is converted to the first's type, like an argument of the atomic operation. */
template <typename MesiNumber>
static __host__ __device__ inline MesiNumber mesi_min(MesiNumber mesi_a_,
                                                      typename mesi_as<MesiNumber>::type mesi_b_)
{
  return mesi_b_ < mesi_a_ || mesi_a_ != mesi_a_ ? mesi_b_ : mesi_a_;
}

template <typename MesiNumber>
static __host__ __device__ inline MesiNumber mesi_max(MesiNumber mesi_a_,
                                                      typename mesi_as<MesiNumber>::type mesi_b_)
{
  return mesi_b_ > mesi_a_ || mesi_a_ != mesi_a_ ? mesi_b_ : mesi_a_;
}

/* The operations that combine partial results. */
struct mesi_sum {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
struct mesi_product {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return a * b; }
};
struct mesi_least {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return mesi_min(a, b); }
};
struct mesi_greatest {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return mesi_max(a, b); }
};
struct mesi_and {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return a & b; }
};
struct mesi_or {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return a | b; }
};
struct mesi_xor {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return a ^ b; }
};

/* Combines the values of MesiLanes neighbouring lanes, or of those among them that are multiples of
 * MesiStride apart, for all of them. All lanes of a warp call it. */
template <int MesiLanes, int MesiStride = 1, typename MesiNumber, typename MesiOperation>
static __device__ inline MesiNumber mesi_lanes(MesiNumber mesi_value_,
                                               MesiOperation mesi_operation_)
{
  for (int mesi_by_ = MesiLanes / 2; mesi_by_ >= MesiStride; mesi_by_ /= 2)
    mesi_value_ = mesi_operation_(mesi_value_, __shfl_xor_sync(0xffffffffu, mesi_value_, mesi_by_));
  return mesi_value_;
}

/* The lesser and the greater float, by the device's own functions. */
struct mesi_called_least {
  __host__ __device__ float operator()(float a, float b) const { return fminf(a, b); }
  __host__ __device__ double operator()(double a, double b) const { return fmin(a, b); }
};
struct mesi_called_greatest {
  __host__ __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
  __host__ __device__ double operator()(double a, double b) const { return fmax(a, b); }
};
/* As `if (a < b) a = b;` and `if (b < a) a = b;` leave a. */
struct mesi_raised {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
struct mesi_lowered {
  template <typename T> __host__ __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
struct mesi_under {
  template <typename T> __host__ __device__ bool operator()(T a, T b) const { return a < b; }
};
struct mesi_above {
  template <typename T> __host__ __device__ bool operator()(T a, T b) const { return a > b; }
};

/* As mesi_lanes, with the same value for all lanes even where the order of two operands matters. */
template <int MesiLanes, typename MesiNumber, typename MesiOperation>
static __device__ inline MesiNumber mesi_lanes_all(MesiNumber mesi_value_,
                                                   MesiOperation mesi_operation_)
{
  mesi_value_ = mesi_lanes<MesiLanes>(mesi_value_, mesi_operation_);
  return __shfl_sync(0xffffffffu, mesi_value_, 0);
}

/* Keeps the better value and its place; of two equal ones the first. */
template <typename MesiNumber, typename MesiPlace, typename MesiBetter>
static __device__ inline void mesi_first(MesiNumber &mesi_value_, MesiPlace &mesi_place_,
                                         MesiNumber mesi_other_, MesiPlace mesi_at_,
                                         MesiBetter mesi_better_)
{
  bool mesi_take_ = mesi_better_(mesi_other_, mesi_value_) ||
                    (mesi_other_ == mesi_value_ && mesi_at_ < mesi_place_);
  mesi_value_ = mesi_take_ ? mesi_other_ : mesi_value_;
  mesi_place_ = mesi_take_ ? mesi_at_ : mesi_place_;
}

/* The same over all lanes of a warp. */
template <int MesiLanes, typename MesiNumber, typename MesiPlace, typename MesiBetter>
static __device__ inline void mesi_lanes_first(MesiNumber &mesi_value_, MesiPlace &mesi_place_,
                                               MesiBetter mesi_better_)
{
  for (int mesi_by_ = MesiLanes / 2; mesi_by_ >= 1; mesi_by_ /= 2) {
    MesiNumber mesi_other_ = __shfl_xor_sync(0xffffffffu, mesi_value_, mesi_by_);
    MesiPlace mesi_at_ = __shfl_xor_sync(0xffffffffu, mesi_place_, mesi_by_);
    mesi_first(mesi_value_, mesi_place_, mesi_other_, mesi_at_, mesi_better_);
  }
}

/* Combines the parts of a block's warps. */
template <int MesiParts, typename MesiNumber, typename MesiOperation>
static __device__ inline MesiNumber mesi_parts(const MesiNumber *mesi_parts_,
                                               MesiOperation mesi_operation_)
{
  MesiNumber mesi_value_ = mesi_parts_[0];
  for (int mesi_i_ = 1; mesi_i_ < MesiParts; mesi_i_++)
    mesi_value_ = mesi_operation_(mesi_value_, mesi_parts_[mesi_i_]);
  return mesi_value_;
}

template <int MesiParts, typename MesiNumber, typename MesiPlace, typename MesiBetter>
static __device__ inline void
mesi_parts_first(const MesiNumber *mesi_parts_, const MesiPlace *mesi_places_,
                 MesiNumber &mesi_value_, MesiPlace &mesi_place_, MesiBetter mesi_better_)
{
  mesi_value_ = mesi_parts_[0];
  mesi_place_ = mesi_places_[0];
  for (int mesi_i_ = 1; mesi_i_ < MesiParts; mesi_i_++)
    mesi_first(mesi_value_, mesi_place_, mesi_parts_[mesi_i_], mesi_places_[mesi_i_], mesi_better_);
}

/* The root of a tree over MesiLeaves elements, for lane 0. Its steps combine element i with
 * element i + d, with d halved from step to step: MesiLeaves / 2 ... 1. All lanes of a warp call
 * it. */
template <int MesiLeaves, typename MesiNumber, typename MesiOperation>
static __device__ inline MesiNumber mesi_tree_halved(const MesiNumber *mesi_from_, int mesi_lane_,
                                                     MesiOperation mesi_operation_)
{
  enum { mesi_parts_ = MesiLeaves / 32 };
  MesiNumber mesi_part_[mesi_parts_];
  for (int mesi_i_ = 0; mesi_i_ < mesi_parts_; mesi_i_++)
    mesi_part_[mesi_i_] = mesi_from_[mesi_i_ * 32 + mesi_lane_];
  for (int mesi_by_ = mesi_parts_ / 2; mesi_by_ > 0; mesi_by_ /= 2)
    for (int mesi_i_ = 0; mesi_i_ < mesi_by_; mesi_i_++)
      mesi_part_[mesi_i_] = mesi_operation_(mesi_part_[mesi_i_], mesi_part_[mesi_i_ + mesi_by_]);
  MesiNumber mesi_value_ = mesi_part_[0];
  for (int mesi_by_ = 16; mesi_by_ > 0; mesi_by_ /= 2)
    mesi_value_ =
        mesi_operation_(mesi_value_, __shfl_down_sync(0xffffffffu, mesi_value_, mesi_by_));
  return mesi_value_;
}

/* The same with d doubled: 1 ... MesiLeaves / 2. The parts of a lane begin MesiApart elements
 * behind those of the lane before. */
template <int MesiLeaves, int MesiApart, typename MesiNumber, typename MesiOperation>
static __device__ inline MesiNumber mesi_tree_doubled(const MesiNumber *mesi_from_, int mesi_lane_,
                                                      MesiOperation mesi_operation_)
{
  enum { mesi_parts_ = MesiLeaves / 32 };
  MesiNumber mesi_part_[mesi_parts_];
  for (int mesi_i_ = 0; mesi_i_ < mesi_parts_; mesi_i_++)
    mesi_part_[mesi_i_] = mesi_from_[mesi_lane_ * MesiApart + mesi_i_];
  for (int mesi_by_ = 1; mesi_by_ < mesi_parts_; mesi_by_ *= 2)
    for (int mesi_i_ = 0; mesi_i_ + mesi_by_ < mesi_parts_; mesi_i_ += 2 * mesi_by_)
      mesi_part_[mesi_i_] = mesi_operation_(mesi_part_[mesi_i_], mesi_part_[mesi_i_ + mesi_by_]);
  MesiNumber mesi_value_ = mesi_part_[0];
  for (int mesi_by_ = 1; mesi_by_ < 32; mesi_by_ *= 2)
    mesi_value_ =
        mesi_operation_(mesi_value_, __shfl_down_sync(0xffffffffu, mesi_value_, mesi_by_));
  return mesi_value_;
}

/* ---- copies that are under way while the thread goes on ---- */

/* Copies MesiBytes from device memory to shared memory, in units of 4, 8 or 16 bytes to which both
 * are aligned; zeros where `mesi_inside_` is false. Complete after mesi_copy_wait, for threads
 * behind the next barrier. Below sm_80 and on the CPU complete at once. */
template <int MesiBytes, int MesiUnit = MesiBytes>
static __device__ inline void mesi_copy_async(void *mesi_to_, const void *mesi_from_,
                                              bool mesi_inside_ = true)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned mesi_shared_ = (unsigned)__cvta_generic_to_shared(mesi_to_);
  for (int mesi_at_ = 0; mesi_at_ < MesiBytes; mesi_at_ += MesiUnit) {
    const char *mesi_part_ = (const char *)mesi_from_ + mesi_at_;
    if (MesiUnit == 16)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                   :
                   : "r"(mesi_shared_ + mesi_at_), "l"(mesi_part_), "r"(mesi_inside_ ? 16 : 0)
                   : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                   :
                   : "r"(mesi_shared_ + mesi_at_), "l"(mesi_part_), "n"(MesiUnit),
                     "r"(mesi_inside_ ? MesiUnit : 0)
                   : "memory");
  }
#else
  unsigned *mesi_words_ = (unsigned *)mesi_to_;
  for (int mesi_i_ = 0; mesi_i_ < MesiBytes / 4; mesi_i_++)
    mesi_words_[mesi_i_] = mesi_inside_ ? ((const unsigned *)mesi_from_)[mesi_i_] : 0;
#endif
}

/* Ends a batch of copies; mesi_copy_wait waits for all batches of this thread. */
static __device__ inline void mesi_copy_commit()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

static __device__ inline void mesi_copy_wait()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

#endif
