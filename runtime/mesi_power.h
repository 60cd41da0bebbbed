/* SPDX-License-Identifier: MIT */
/* mesi_power.h - powers with a constant exponent or base as products, roots and exponentials.
 * Included by mesi_cuda.h and mesi_cpu.h. C++11 or later.
 *
 *     pow(x, 6)        =>  mesi_power<6>(x)        pow(x, 1.5)   =>  mesi_half_power<3>(x)
 *     powf(x, -2.0f)   =>  mesi_powerf<-2>(x)      pow(2.0, i)   =>  mesi_two_to(i)
 *
 * NaN, infinities and zeros with their signs are those of pow. docs/levels.md has the bounds of
 * errors: each operation rounds once, and n factors of x have the error of x n times. A negative
 * exponent takes the reciprocal first: where this overflows or loses bits, the power is infinite or
 * 0, too. The multiplications are the fewest that there can be for exponents up to 16.
 */
#ifndef MESI_POWER_H
#define MESI_POWER_H

#if __cplusplus >= 201402L
#define MESI_POWER_FN __host__ __device__ constexpr
#else
#define MESI_POWER_FN __host__ __device__ inline
#endif

enum mesi_chain { MESI_ONE, MESI_SQUARE, MESI_CUBE, MESI_LONGER, MESI_RECIPROCAL };

template <int MesiN> struct mesi_chain_of {
  static const int is = MesiN < 0        ? MESI_RECIPROCAL
                        : MesiN == 1     ? MESI_ONE
                        : MesiN % 2 == 0 ? MESI_SQUARE
                        : MesiN == 15    ? MESI_CUBE
                                         : MESI_LONGER;
};

template <int MesiN, int MesiChain = mesi_chain_of<MesiN>::is> struct mesi_powers;

template <int MesiN> struct mesi_powers<MesiN, MESI_ONE> {
  template <class MesiReal> static MESI_POWER_FN MesiReal of(MesiReal x) { return x; }
};

template <int MesiN> struct mesi_powers<MesiN, MESI_SQUARE> {
  template <class MesiReal> static MESI_POWER_FN MesiReal of(MesiReal x)
  {
    const MesiReal half = mesi_powers<MesiN / 2>::of(x);
    return half * half;
  }
};

template <int MesiN> struct mesi_powers<MesiN, MESI_CUBE> {
  template <class MesiReal> static MESI_POWER_FN MesiReal of(MesiReal x)
  {
    const MesiReal third = mesi_powers<MesiN / 3>::of(x);
    return third * third * third;
  }
};

template <int MesiN> struct mesi_powers<MesiN, MESI_LONGER> {
  template <class MesiReal> static MESI_POWER_FN MesiReal of(MesiReal x)
  {
    return mesi_powers<MesiN - 1>::of(x) * x;
  }
};

template <int MesiN> struct mesi_powers<MesiN, MESI_RECIPROCAL> {
  template <class MesiReal> static MESI_POWER_FN MesiReal of(MesiReal x)
  {
    return mesi_powers<-MesiN>::of((MesiReal)1 / x);
  }
};

template <int MesiN> MESI_POWER_FN double mesi_power(double x) { return mesi_powers<MesiN>::of(x); }

template <int MesiN> MESI_POWER_FN float mesi_powerf(float x) { return mesi_powers<MesiN>::of(x); }

/* ---- halves: the exponent is MesiN / 2 ---- */

/* The square root; pow(-0.0, 0.5) is 0, pow(-inf, 0.5) is inf. */
__host__ __device__ inline double mesi_root(double x)
{
  return x < -1.7976931348623157e308 ? -x : ::sqrt(x + 0.0);
}

__host__ __device__ inline float mesi_root(float x)
{
  return x < -3.40282347e38f ? -x : ::sqrtf(x + 0.0f);
}

__host__ __device__ inline double mesi_without_sign(double x) { return ::fabs(x); }
__host__ __device__ inline float mesi_without_sign(float x) { return ::fabsf(x); }

template <int MesiN> struct mesi_half_powers;

template <> struct mesi_half_powers<1> {
  template <class MesiReal> __host__ __device__ static inline MesiReal of(MesiReal x)
  {
    return mesi_root(x);
  }
};

template <> struct mesi_half_powers<-1> {
  template <class MesiReal> __host__ __device__ static inline MesiReal of(MesiReal x)
  {
    return (MesiReal)1 / mesi_root(x);
  }
};

template <> struct mesi_half_powers<3> {
  template <class MesiReal> __host__ __device__ static inline MesiReal of(MesiReal x)
  {
    return mesi_without_sign(x) * mesi_root(x);
  }
};

template <> struct mesi_half_powers<-3> {
  template <class MesiReal> __host__ __device__ static inline MesiReal of(MesiReal x)
  {
    return mesi_half_powers<3>::of((MesiReal)1 / x);
  }
};

template <> struct mesi_half_powers<5> {
  template <class MesiReal> __host__ __device__ static inline MesiReal of(MesiReal x)
  {
    return x * x * mesi_root(x);
  }
};

template <int MesiN> __host__ __device__ inline double mesi_half_power(double x)
{
  return mesi_half_powers<MesiN>::of(x);
}

template <int MesiN> __host__ __device__ inline float mesi_half_powerf(float x)
{
  return mesi_half_powers<MesiN>::of(x);
}

/* ---- powers of 2 and 10 ---- */

__host__ __device__ inline double mesi_two_to(int n) { return ::ldexp(1.0, n); }
__host__ __device__ inline float mesi_two_tof(int n) { return ::ldexpf(1.0f, n); }
__host__ __device__ inline double mesi_exp2(double x) { return ::exp2(x); }
__host__ __device__ inline float mesi_exp2f(float x) { return ::exp2f(x); }
__host__ __device__ inline double mesi_exp10(double x) { return ::exp10(x); }
__host__ __device__ inline float mesi_exp10f(float x) { return ::exp10f(x); }

#endif
