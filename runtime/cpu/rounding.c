/* SPDX-License-Identifier: MIT */
/* rounding.c - arithmetic in the rounding direction of an intrinsic. Compiled with -frounding-math
 * where the compiler has it; volatile operands keep each operation between the changes of mode. */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>

/* as in mesi/rounding.h */
enum mesi_cpu_rounding { MESI_CPU_RN, MESI_CPU_RZ, MESI_CPU_RU, MESI_CPU_RD };
enum mesi_cpu_operation {
  MESI_CPU_FADD,
  MESI_CPU_FSUB,
  MESI_CPU_FMUL,
  MESI_CPU_FDIV,
  MESI_CPU_FSQRT,
  MESI_CPU_FFMA
};

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

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

float mesi_cpu_round_float(enum mesi_cpu_operation op, enum mesi_cpu_rounding to, float a, float b,
                           float c)
{
  volatile float x = a, y = b, z = c, result = 0;
  fesetround(modes[to]);
  switch (op) {
  case MESI_CPU_FADD: result = x + y; break;
  case MESI_CPU_FSUB: result = x - y; break;
  case MESI_CPU_FMUL: result = x * y; break;
  case MESI_CPU_FDIV: result = x / y; break;
  case MESI_CPU_FSQRT: result = sqrtf(x); break;
  case MESI_CPU_FFMA: result = fmaf(x, y, z); break;
  }
  fesetround(FE_TONEAREST);
  return result;
}

double mesi_cpu_round_double(enum mesi_cpu_operation op, enum mesi_cpu_rounding to, double a,
                             double b, double c)
{
  volatile double x = a, y = b, z = c, result = 0;
  fesetround(modes[to]);
  switch (op) {
  case MESI_CPU_FADD: result = x + y; break;
  case MESI_CPU_FSUB: result = x - y; break;
  case MESI_CPU_FMUL: result = x * y; break;
  case MESI_CPU_FDIV: result = x / y; break;
  case MESI_CPU_FSQRT: result = sqrt(x); break;
  case MESI_CPU_FFMA: result = fma(x, y, z); break;
  }
  fesetround(FE_TONEAREST);
  return result;
}

#define CONVERT(name, To, From) \
  To name(enum mesi_cpu_rounding to, From x) \
  { \
    volatile From from = x; \
    fesetround(modes[to]); \
    volatile To result = (To)from; \
    fesetround(FE_TONEAREST); \
    return result; \
  }
CONVERT(mesi_cpu_narrow, float, double)
CONVERT(mesi_cpu_ll2float, float, long long)
CONVERT(mesi_cpu_ll2double, double, long long)

/* Unsigned values above the signed range: compilers convert these in steps that round twice in a
 * directed mode. Here the high and low halves are exact, and their sum rounds once. */
double mesi_cpu_ull2double(enum mesi_cpu_rounding to, unsigned long long x)
{
  return mesi_cpu_round_double(MESI_CPU_FADD, to, (double)(x >> 32) * 4294967296.0,
                               (double)(x & 0xffffffffu), 0);
}

/* Rounds to odd in 53 bits first, so that the second rounding is right. */
float mesi_cpu_ull2float(enum mesi_cpu_rounding to, unsigned long long x)
{
  if (x >> 53) x = (x >> 11 | ((x & 0x7ff) != 0)) << 11;
  return mesi_cpu_narrow(to, (double)x);
}

double mesi_cpu_round_integral(enum mesi_cpu_rounding to, double x)
{
  switch (to) {
  case MESI_CPU_RN: return rint(x);
  case MESI_CPU_RZ: return trunc(x);
  case MESI_CPU_RU: return ceil(x);
  case MESI_CPU_RD: return floor(x);
  }
  return x;
}
