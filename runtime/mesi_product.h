/* SPDX-License-Identifier: MIT */
/* mesi_product.h - sums of products that a warp forms together. Included by mesi_cuda.h and
 * mesi_cpu.h. C++14 or later.
 *
 * The sums are MesiRows x MesiColumns parts of 8 x 8. In each part lane l of a warp has the sums of
 * row l / 4 and columns l % 4 * 2 and the next one. It has the factors of row l / 4 and of column l
 * / 4 for iteration l % 4 of four: "matrix fragments for mma.m8n8k4 with .f64" of the PTX ISA. Two
 * parts one below the other are those of m16n8k4.
 */
#ifndef MESI_PRODUCT_H
#define MESI_PRODUCT_H

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

/* Rows of parts for one instruction: two where the device does not split m16n8k4 into smaller
 * ones. */
#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1000
enum { MESI_PRODUCT_ROWS = 2 };
#else
enum { MESI_PRODUCT_ROWS = 1 };
#endif

static __device__ inline void mesi_product_8(double &mesi_first_, double &mesi_second_,
                                             double mesi_row_, double mesi_column_)
{
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(mesi_first_), "+d"(mesi_second_)
               : "d"(mesi_row_), "d"(mesi_column_));
}

/* Two parts one below the other, by one instruction. */
static __device__ inline void mesi_product_16(double *mesi_above_, double *mesi_below_,
                                              const double *mesi_row_, double mesi_column_)
{
#if __CUDA_ARCH__ >= 900
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
               "{%0, %1, %2, %3};"
               : "+d"(mesi_above_[0]), "+d"(mesi_above_[1]), "+d"(mesi_below_[0]),
                 "+d"(mesi_below_[1])
               : "d"(mesi_row_[0]), "d"(mesi_row_[1]), "d"(mesi_column_));
#endif
}

#endif

/* sum += row * column for four iterations, one after the other, each rounded once. All lanes of a
 * warp call it. */
template <int MesiRows, int MesiColumns, int MesiSums>
static __device__ inline void mesi_multiply(double (&mesi_sum_)[MesiRows][MesiSums],
                                            const double (&mesi_row_)[MesiRows],
                                            const double (&mesi_column_)[MesiColumns])
{
  static_assert(MesiSums == 2 * MesiColumns, "a lane has two columns of each part");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  constexpr int mesi_pairs_ =
      MesiRows / MESI_PRODUCT_ROWS * MESI_PRODUCT_ROWS * (MESI_PRODUCT_ROWS - 1);
#pragma unroll
  for (int mesi_y_ = 0; mesi_y_ < mesi_pairs_; mesi_y_ += 2)
#pragma unroll
    for (int mesi_x_ = 0; mesi_x_ < MesiColumns; mesi_x_++)
      mesi_product_16(&mesi_sum_[mesi_y_][2 * mesi_x_], &mesi_sum_[mesi_y_ + 1][2 * mesi_x_],
                      &mesi_row_[mesi_y_], mesi_column_[mesi_x_]);
#pragma unroll
  for (int mesi_y_ = mesi_pairs_; mesi_y_ < MesiRows; mesi_y_++)
#pragma unroll
    for (int mesi_x_ = 0; mesi_x_ < MesiColumns; mesi_x_++)
      mesi_product_8(mesi_sum_[mesi_y_][2 * mesi_x_], mesi_sum_[mesi_y_][2 * mesi_x_ + 1],
                     mesi_row_[mesi_y_], mesi_column_[mesi_x_]);
#else
  const int mesi_lane_ =
      (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31;
  for (int mesi_k_ = 0; mesi_k_ < 4; mesi_k_++) {
    double mesi_own_[MesiRows];
    for (int mesi_y_ = 0; mesi_y_ < MesiRows; mesi_y_++)
      mesi_own_[mesi_y_] =
          __shfl_sync(0xffffffffu, mesi_row_[mesi_y_], (mesi_lane_ & ~3) + mesi_k_);
    for (int mesi_x_ = 0; mesi_x_ < MesiSums; mesi_x_++) {
      const double mesi_other_ = __shfl_sync(0xffffffffu, mesi_column_[mesi_x_ / 2],
                                             (mesi_lane_ % 4 * 2 + mesi_x_ % 2) * 4 + mesi_k_);
      for (int mesi_y_ = 0; mesi_y_ < MesiRows; mesi_y_++)
        mesi_sum_[mesi_y_][mesi_x_] =
            fma(mesi_own_[mesi_y_], mesi_other_, mesi_sum_[mesi_y_][mesi_x_]);
    }
  }
#endif
}

#endif
