/* SPDX-License-Identifier: MIT */
/* rounding.h - arithmetic with a rounding direction in its name, conversions, and bit casts.
 * Exactly rounded; the directions other than "to nearest" switch the processor's mode and are slow.
 */
#ifndef MESI_CUDA_ROUNDING_H
#define MESI_CUDA_ROUNDING_H

#include "math.h"

#include <limits.h>
#include <string.h>

enum mesi_cpu_rounding { MESI_CPU_RN, MESI_CPU_RZ, MESI_CPU_RU, MESI_CPU_RD };
enum mesi_cpu_operation {
  MESI_CPU_FADD,
  MESI_CPU_FSUB,
  MESI_CPU_FMUL,
  MESI_CPU_FDIV,
  MESI_CPU_FSQRT,
  MESI_CPU_FFMA
};
extern "C" { /* rounding.c */
float mesi_cpu_round_float(enum mesi_cpu_operation op, enum mesi_cpu_rounding to, float a, float b,
                           float c);
double mesi_cpu_round_double(enum mesi_cpu_operation op, enum mesi_cpu_rounding to, double a,
                             double b, double c);
float mesi_cpu_narrow(enum mesi_cpu_rounding to, double x);
float mesi_cpu_ll2float(enum mesi_cpu_rounding to, long long x);
float mesi_cpu_ull2float(enum mesi_cpu_rounding to, unsigned long long x);
double mesi_cpu_ll2double(enum mesi_cpu_rounding to, long long x);
double mesi_cpu_ull2double(enum mesi_cpu_rounding to, unsigned long long x);
double mesi_cpu_round_integral(enum mesi_cpu_rounding to, double x);
}

#define MESI_EACH_ROUNDING(MesiM) \
  MesiM(rz, MESI_CPU_RZ) MesiM(ru, MESI_CPU_RU) MesiM(rd, MESI_CPU_RD)

MESI_FN float __fadd_rn(float a, float b) { return a + b; }
MESI_FN float __fsub_rn(float a, float b) { return a - b; }
MESI_FN float __fmul_rn(float a, float b) { return a * b; }
MESI_FN float __fdiv_rn(float a, float b) { return a / b; }
MESI_FN float __frcp_rn(float a) { return 1.0f / a; }
MESI_FN float __fsqrt_rn(float a) { return sqrtf(a); }
MESI_FN float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
MESI_FN float __fmaf_ieee_rn(float a, float b, float c) { return fmaf(a, b, c); }
MESI_FN double __dadd_rn(double a, double b) { return a + b; }
MESI_FN double __dsub_rn(double a, double b) { return a - b; }
MESI_FN double __dmul_rn(double a, double b) { return a * b; }
MESI_FN double __ddiv_rn(double a, double b) { return a / b; }
MESI_FN double __drcp_rn(double a) { return 1.0 / a; }
MESI_FN double __dsqrt_rn(double a) { return ::sqrt(a); }
MESI_FN double __fma_rn(double a, double b, double c) { return ::fma(a, b, c); }

#define MESI_ARITHMETIC(r, MesiR) \
  MESI_FN float __fadd_##r(float a, float b) \
  { \
    return mesi_cpu_round_float(MESI_CPU_FADD, MesiR, a, b, 0); \
  } \
  MESI_FN float __fsub_##r(float a, float b) \
  { \
    return mesi_cpu_round_float(MESI_CPU_FSUB, MesiR, a, b, 0); \
  } \
  MESI_FN float __fmul_##r(float a, float b) \
  { \
    return mesi_cpu_round_float(MESI_CPU_FMUL, MesiR, a, b, 0); \
  } \
  MESI_FN float __fdiv_##r(float a, float b) \
  { \
    return mesi_cpu_round_float(MESI_CPU_FDIV, MesiR, a, b, 0); \
  } \
  MESI_FN float __frcp_##r(float a) \
  { \
    return mesi_cpu_round_float(MESI_CPU_FDIV, MesiR, 1, a, 0); \
  } \
  MESI_FN float __fsqrt_##r(float a) \
  { \
    return mesi_cpu_round_float(MESI_CPU_FSQRT, MesiR, a, 0, 0); \
  } \
  MESI_FN float __fmaf_##r(float a, float b, float c) \
  { \
    return mesi_cpu_round_float(MESI_CPU_FFMA, MesiR, a, b, c); \
  } \
  MESI_FN double __dadd_##r(double a, double b) \
  { \
    return mesi_cpu_round_double(MESI_CPU_FADD, MesiR, a, b, 0); \
  } \
  MESI_FN double __dsub_##r(double a, double b) \
  { \
    return mesi_cpu_round_double(MESI_CPU_FSUB, MesiR, a, b, 0); \
  } \
  MESI_FN double __dmul_##r(double a, double b) \
  { \
    return mesi_cpu_round_double(MESI_CPU_FMUL, MesiR, a, b, 0); \
  } \
  MESI_FN double __ddiv_##r(double a, double b) \
  { \
    return mesi_cpu_round_double(MESI_CPU_FDIV, MesiR, a, b, 0); \
  } \
  MESI_FN double __drcp_##r(double a) \
  { \
    return mesi_cpu_round_double(MESI_CPU_FDIV, MesiR, 1, a, 0); \
  } \
  MESI_FN double __dsqrt_##r(double a) \
  { \
    return mesi_cpu_round_double(MESI_CPU_FSQRT, MesiR, a, 0, 0); \
  } \
  MESI_FN double __fma_##r(double a, double b, double c) \
  { \
    return mesi_cpu_round_double(MESI_CPU_FFMA, MesiR, a, b, c); \
  }
MESI_EACH_ROUNDING(MESI_ARITHMETIC)
#undef MESI_ARITHMETIC

/* ---- floating point to integer: saturates, NaN gives 0 (the 64-bit forms: the sign bit) ---- */

template <class MesiI>
MESI_FN MesiI mesi_cpu_to_integer(double x, MesiI least, MesiI most, MesiI nan)
{
  if (x != x) return nan;
  if (x <= (double)least) return least;
  if (x >= (double)most) return most;
  return (MesiI)x;
}

#define MESI_TO_INTEGER(r, MesiR) \
  MESI_FN int __double2int_##r(double x) \
  { \
    return mesi_cpu_to_integer<int>(mesi_cpu_round_integral(MesiR, x), INT_MIN, INT_MAX, 0); \
  } \
  MESI_FN unsigned int __double2uint_##r(double x) \
  { \
    return mesi_cpu_to_integer<unsigned int>(mesi_cpu_round_integral(MesiR, x), 0, UINT_MAX, 0); \
  } \
  MESI_FN long long __double2ll_##r(double x) \
  { \
    return mesi_cpu_to_integer<long long>(mesi_cpu_round_integral(MesiR, x), LLONG_MIN, LLONG_MAX, \
                                          LLONG_MIN); \
  } \
  MESI_FN unsigned long long __double2ull_##r(double x) \
  { \
    return mesi_cpu_to_integer<unsigned long long>(mesi_cpu_round_integral(MesiR, x), 0, \
                                                   ULLONG_MAX, 1ull << 63); \
  } \
  MESI_FN int __float2int_##r(float x) { return __double2int_##r(x); } \
  MESI_FN unsigned int __float2uint_##r(float x) { return __double2uint_##r(x); } \
  MESI_FN long long __float2ll_##r(float x) { return __double2ll_##r(x); } \
  MESI_FN unsigned long long __float2ull_##r(float x) { return __double2ull_##r(x); }
MESI_TO_INTEGER(rn, MESI_CPU_RN)
MESI_EACH_ROUNDING(MESI_TO_INTEGER)
#undef MESI_TO_INTEGER

#define MESI_FROM_INTEGER(r, MesiR) \
  MESI_FN float __int2float_##r(int x) { return mesi_cpu_ll2float(MesiR, x); } \
  MESI_FN float __uint2float_##r(unsigned int x) { return mesi_cpu_ull2float(MesiR, x); } \
  MESI_FN float __ll2float_##r(long long x) { return mesi_cpu_ll2float(MesiR, x); } \
  MESI_FN float __ull2float_##r(unsigned long long x) { return mesi_cpu_ull2float(MesiR, x); } \
  MESI_FN double __ll2double_##r(long long x) { return mesi_cpu_ll2double(MesiR, x); } \
  MESI_FN double __ull2double_##r(unsigned long long x) { return mesi_cpu_ull2double(MesiR, x); } \
  MESI_FN float __double2float_##r(double x) { return mesi_cpu_narrow(MesiR, x); }
MESI_EACH_ROUNDING(MESI_FROM_INTEGER)
#undef MESI_FROM_INTEGER
MESI_FN float __int2float_rn(int x) { return (float)x; }
MESI_FN float __uint2float_rn(unsigned int x) { return (float)x; }
MESI_FN float __ll2float_rn(long long x) { return (float)x; }
MESI_FN float __ull2float_rn(unsigned long long x) { return (float)x; }
MESI_FN double __ll2double_rn(long long x) { return (double)x; }
MESI_FN double __ull2double_rn(unsigned long long x) { return (double)x; }
MESI_FN double __int2double_rn(int x) { return x; }
MESI_FN double __uint2double_rn(unsigned int x) { return x; }
MESI_FN float __double2float_rn(double x) { return (float)x; }

/* ---- bits ---- */

template <class To, class From> MESI_FN To mesi_cpu_bits(From from)
{
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
MESI_FN int __float_as_int(float x) { return mesi_cpu_bits<int>(x); }
MESI_FN unsigned int __float_as_uint(float x) { return mesi_cpu_bits<unsigned int>(x); }
MESI_FN float __int_as_float(int x) { return mesi_cpu_bits<float>(x); }
MESI_FN float __uint_as_float(unsigned int x) { return mesi_cpu_bits<float>(x); }
MESI_FN long long __double_as_longlong(double x) { return mesi_cpu_bits<long long>(x); }
MESI_FN double __longlong_as_double(long long x) { return mesi_cpu_bits<double>(x); }
MESI_FN int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
MESI_FN int __double2loint(double x) { return (int)__double_as_longlong(x); }
MESI_FN double __hiloint2double(int high, int low)
{
  return __longlong_as_double(
      (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

#undef MESI_EACH_ROUNDING

#endif
