/* SPDX-License-Identifier: MIT */
/* mesi_divide.h - divisions by numbers that a launch knows, as multiplications. Included by
 * mesi_cuda.h and mesi_cpu.h, after mesi_map.h. C++14 or later.
 *
 *     k<<<grid, block>>>(a, n)             =>  k_divided<<<grid, block>>>(a, n,
 * mesi_divisor<int>(n))
 *     ... i / n ... i % n ...              =>  ... mesi_quotient(i, _by) ... mesi_remainder(i, _by)
 * ...
 *
 * The quotients are those of C++ for every dividend and every divisor but 0; a divisor of 0 can be
 * made, and must not divide. Source: T. Granlund and P. Montgomery, Division by Invariant Integers
 * using Multiplication, PLDI 1994, figures 4.1 and 5.1. Numbers of 64 bits are divided so where
 * both have 32 bits, else by the machine's division.
 */
#ifndef MESI_DIVIDE_H
#define MESI_DIVIDE_H

/* The least number of bits that holds all numbers below `mesi_of_`. */
static inline int mesi_bits(unsigned mesi_of_)
{
  int mesi_log_ = 0;
  while (mesi_log_ < 32 && (1ull << mesi_log_) < mesi_of_) mesi_log_++;
  return mesi_log_;
}

/* How numbers of 32 bits without a sign are divided by one of them. */
struct mesi_multiplier {
  unsigned factor;
  unsigned short first, second; /* shifts */

  mesi_multiplier() = default;
  explicit mesi_multiplier(unsigned by) : factor(1), first(0), second(0)
  {
    if (!by) return;
    int log = mesi_bits(by);
    factor = (unsigned)((((1ull << log) - by) << 32) / by + 1);
    first = log ? 1 : 0;
    second = (unsigned short)(log ? log - 1 : 0);
  }
  __host__ __device__ unsigned quotient(unsigned dividend) const
  {
    unsigned high = (unsigned)((unsigned long long)dividend * factor >> 32);
    return (high + ((dividend - high) >> first)) >> second;
  }
};

/* A divisor of the type, as the launch gives it to the kernel. Here: of 64 bits. */
template <typename MesiNumber, bool MesiSigned = (MesiNumber(-1) < MesiNumber(0)),
          bool MesiWide = (sizeof(MesiNumber) > 4)>
struct mesi_divisor {
  MesiNumber divisor;
  mesi_multiplier by;
  bool narrow;

  explicit mesi_divisor(MesiNumber of)
      : divisor(of), by((unsigned)of), narrow((unsigned long long)of >> 32 == 0 && of != 0)
  {
  }
  __host__ __device__ MesiNumber quotient(MesiNumber dividend) const
  {
    return narrow && (unsigned long long)dividend >> 32 == 0
               ? (MesiNumber)by.quotient((unsigned)dividend)
               : dividend / divisor;
  }
};

template <typename MesiNumber> struct mesi_divisor<MesiNumber, false, false> {
  MesiNumber divisor;
  mesi_multiplier by;

  explicit mesi_divisor(MesiNumber of) : divisor(of), by(of) {}
  __host__ __device__ MesiNumber quotient(MesiNumber dividend) const
  {
    return by.quotient(dividend);
  }
};

template <typename MesiNumber> struct mesi_divisor<MesiNumber, true, false> {
  MesiNumber divisor;
  int factor, shift, sign;

  explicit mesi_divisor(MesiNumber of) : divisor(of), factor(1), shift(0), sign(of < 0 ? -1 : 1)
  {
    unsigned magnitude = of < 0 ? 0u - (unsigned)of : (unsigned)of;
    if (magnitude < 2) return;
    int log = mesi_bits(magnitude);
    factor = (int)(unsigned)((1ull << (31 + log)) / magnitude + 1);
    shift = log - 1;
  }
  __host__ __device__ MesiNumber quotient(MesiNumber dividend) const
  {
    int high = (int)((long long)dividend * factor >> 32);
    int rounded = (int)((unsigned)dividend + (unsigned)high) >> shift;
    return (rounded + (int)((unsigned)dividend >> 31)) * sign;
  }
};

/* The dividend is converted to the divisor's type, like an operand of a division. */
template <typename MesiNumber>
static __host__ __device__ inline MesiNumber
mesi_quotient(typename mesi_as<MesiNumber>::type mesi_dividend_,
              const mesi_divisor<MesiNumber> &mesi_by_)
{
  return mesi_by_.quotient(mesi_dividend_);
}

template <typename MesiNumber>
static __host__ __device__ inline MesiNumber
mesi_remainder(typename mesi_as<MesiNumber>::type mesi_dividend_,
               const mesi_divisor<MesiNumber> &mesi_by_)
{
  return mesi_dividend_ - mesi_by_.quotient(mesi_dividend_) * mesi_by_.divisor;
}

#endif
