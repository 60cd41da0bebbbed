/* SPDX-License-Identifier: MIT */
/* mesi_row_lanes.h - elements of rows of which a thread has neighbours, loaded and stored several
 * at once. Included by mesi_map.h. C++14 or later.
 */
#ifndef MESI_ROW_LANES_H
#define MESI_ROW_LANES_H

/* mesi_first_[mesi_place_] of read-only memory, taken from a load of its 16 bytes; mesi_first_ is
 * aligned. Where the places are known at compile time, equal loads of neighbours become one. */
template <typename MesiT>
static __device__ inline MesiT mesi_lane_load(const MesiT *mesi_first_, int mesi_place_)
{
#ifdef __CUDA_ARCH__
  const int mesi_lane_ = mesi_place_ & ((int)(16 / sizeof(MesiT)) - 1);
  const int4 mesi_all_ = __ldg((const int4 *)(mesi_first_ + (mesi_place_ - mesi_lane_)));
  const int mesi_words_[4] = {mesi_all_.x, mesi_all_.y, mesi_all_.z, mesi_all_.w};
  MesiT mesi_one_;
  memcpy(&mesi_one_, (const char *)mesi_words_ + mesi_lane_ * sizeof(MesiT), sizeof(MesiT));
  return mesi_one_;
#else
  return mesi_first_[mesi_place_];
#endif
}

/* The same from a load of MesiCount elements, which are 4 or 8 bytes. */
template <int MesiCount, typename MesiT>
static __device__ inline MesiT mesi_some_lane_load(const MesiT *mesi_first_, int mesi_place_)
{
  const int mesi_lane_ = mesi_place_ & (MesiCount - 1);
  const MesiT *const mesi_at_ = mesi_first_ + (mesi_place_ - mesi_lane_);
  mesi_expect_aligned<mesi_vector<MesiT, MesiCount>>(mesi_at_);
#ifdef __CUDA_ARCH__
  int mesi_words_[2];
  if (sizeof(MesiT) * MesiCount == 8) {
    const int2 mesi_all_ = __ldg((const int2 *)mesi_at_);
    mesi_words_[0] = mesi_all_.x;
    mesi_words_[1] = mesi_all_.y;
  } else {
    mesi_words_[0] = __ldg((const int *)mesi_at_);
  }
  MesiT mesi_one_;
  memcpy(&mesi_one_, (const char *)mesi_words_ + mesi_lane_ * sizeof(MesiT), sizeof(MesiT));
  return mesi_one_;
#else
  return mesi_at_[mesi_lane_];
#endif
}

/* An element of MesiCount ones that the thread loads and then stores. */
template <int MesiCount, typename MesiT>
static __device__ inline MesiT mesi_some_lane_own(const MesiT *mesi_first_, int mesi_place_)
{
  typedef mesi_vector<MesiT, MesiCount> mesi_vector_;
  const int mesi_lane_ = mesi_place_ & (MesiCount - 1);
  const MesiT *const mesi_at_ = mesi_first_ + (mesi_place_ - mesi_lane_);
  mesi_expect_aligned<mesi_vector_>(mesi_at_);
#ifdef __CUDA_ARCH__
  return (*(const mesi_vector_ *)mesi_at_).e[mesi_lane_];
#else
  return mesi_at_[mesi_lane_];
#endif
}

template <typename MesiT>
static __device__ inline MesiT mesi_lane_own(const MesiT *mesi_first_, int mesi_place_)
{
  return mesi_some_lane_own<(int)(16 / sizeof(MesiT))>(mesi_first_, mesi_place_);
}

template <typename MesiT> struct mesi_plain {
  typedef MesiT type;
};

/* Keeps each neighbour's value in mesi_row_; the thread's last neighbour stores all of them. */
template <typename MesiT>
static __device__ inline void mesi_lane_store(MesiT *mesi_at_, MesiT *mesi_row_, int mesi_lane_,
                                              typename mesi_plain<MesiT>::type mesi_value_)
{
  const int mesi_last_ = (int)(16 / sizeof(MesiT)) - 1;
  mesi_row_[mesi_lane_] = mesi_value_;
  if (mesi_lane_ == mesi_last_) mesi_vector_store(mesi_at_ - mesi_last_, mesi_row_);
}

/* The same for MesiCount neighbours, whose elements are 4 or 8 bytes. */
template <int MesiCount, typename MesiT>
static __device__ inline void mesi_some_lane_store(MesiT *mesi_at_, MesiT *mesi_row_,
                                                   int mesi_lane_,
                                                   typename mesi_plain<MesiT>::type mesi_value_)
{
  mesi_row_[mesi_lane_] = mesi_value_;
  if (mesi_lane_ == MesiCount - 1)
    mesi_some_store<MesiCount>(mesi_at_ - (MesiCount - 1), mesi_row_);
}

#endif
