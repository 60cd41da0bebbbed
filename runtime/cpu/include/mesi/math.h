/* SPDX-License-Identifier: MIT */
/* math.h - CUDA's mathematical functions that the C library lacks. Accuracy is that of the C
 * library or better than CUDA documents; the fast intrinsics (__sinf) are the accurate functions.
 */
#ifndef MESI_CUDA_MATH_H
#define MESI_CUDA_MATH_H

#include "attributes.h"

#include <math.h>

#define MESI_FN static __inline__

extern "C" { /* math.c */
double mesi_cpu_erfinv(double x);
double mesi_cpu_erfcinv(double x);
double mesi_cpu_erfcx(double x);
double mesi_cpu_bessel_i0(double x);
double mesi_cpu_bessel_i1(double x);
double mesi_cpu_sinpi(double x);
double mesi_cpu_cospi(double x);
}

/* The C library declares these names for itself, so they cannot be functions here. */
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __tanhf(x) tanhf(x)
#define __sincosf(x, s, c) sincosf(x, s, c)

MESI_FN float __fdividef(float a, float b) { return a / b; }
MESI_FN float fdividef(float a, float b) { return a / b; }
MESI_FN double fdivide(double a, double b) { return a / b; }
MESI_FN float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; } /* NaN gives 0 */
MESI_FN float saturate(float x) { return __saturatef(x); }

#if !(defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 42))
MESI_FN double rsqrt(double x) { return 1.0 / ::sqrt(x); }
MESI_FN float rsqrtf(float x) { return (float)(1.0 / ::sqrt((double)x)); }
#endif
MESI_FN float rsqrt(float x) { return (float)(1.0 / ::sqrt((double)x)); }
MESI_FN float __frsqrt_rn(float x) { return (float)(1.0 / ::sqrt((double)x)); }
MESI_FN double rcbrt(double x) { return 1.0 / ::cbrt(x); }
MESI_FN float rcbrtf(float x) { return (float)(1.0 / ::cbrt((double)x)); }
MESI_FN float rcbrt(float x) { return rcbrtf(x); }

#if !(defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 41))
MESI_FN double sinpi(double x) { return mesi_cpu_sinpi(x); }
MESI_FN float sinpif(float x) { return (float)mesi_cpu_sinpi(x); }
MESI_FN double cospi(double x) { return mesi_cpu_cospi(x); }
MESI_FN float cospif(float x) { return (float)mesi_cpu_cospi(x); }
#endif
MESI_FN float sinpi(float x) { return (float)mesi_cpu_sinpi(x); }
MESI_FN float cospi(float x) { return (float)mesi_cpu_cospi(x); }
MESI_FN void sincospi(double x, double *s, double *c)
{
  *s = mesi_cpu_sinpi(x), *c = mesi_cpu_cospi(x);
}
MESI_FN void sincospif(float x, float *s, float *c)
{
  *s = (float)mesi_cpu_sinpi(x), *c = (float)mesi_cpu_cospi(x);
}
MESI_FN void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
MESI_FN void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
MESI_FN float exp10(float x) { return exp10f(x); }

MESI_FN double erfinv(double x) { return mesi_cpu_erfinv(x); }
MESI_FN float erfinvf(float x) { return (float)mesi_cpu_erfinv(x); }
MESI_FN float erfinv(float x) { return (float)mesi_cpu_erfinv(x); }
MESI_FN double erfcinv(double x) { return mesi_cpu_erfcinv(x); }
MESI_FN float erfcinvf(float x) { return (float)mesi_cpu_erfcinv(x); }
MESI_FN float erfcinv(float x) { return (float)mesi_cpu_erfcinv(x); }
MESI_FN double erfcx(double x) { return mesi_cpu_erfcx(x); }
MESI_FN float erfcxf(float x) { return (float)mesi_cpu_erfcx(x); }
MESI_FN float erfcx(float x) { return (float)mesi_cpu_erfcx(x); }
MESI_FN double normcdf(double x) { return 0.5 * ::erfc(-x * 0.70710678118654752440); }
MESI_FN float normcdff(float x) { return (float)normcdf((double)x); }
MESI_FN float normcdf(float x) { return normcdff(x); }
MESI_FN double normcdfinv(double x) { return -1.41421356237309504880 * mesi_cpu_erfcinv(2 * x); }
MESI_FN float normcdfinvf(float x) { return (float)normcdfinv((double)x); }
MESI_FN float normcdfinv(float x) { return normcdfinvf(x); }
MESI_FN double cyl_bessel_i0(double x) { return mesi_cpu_bessel_i0(x); }
MESI_FN float cyl_bessel_i0f(float x) { return (float)mesi_cpu_bessel_i0(x); }
MESI_FN double cyl_bessel_i1(double x) { return mesi_cpu_bessel_i1(x); }
MESI_FN float cyl_bessel_i1f(float x) { return (float)mesi_cpu_bessel_i1(x); }

MESI_FN double norm3d(double a, double b, double c) { return ::hypot(::hypot(a, b), c); }
MESI_FN double norm4d(double a, double b, double c, double d)
{
  return ::hypot(::hypot(a, b), ::hypot(c, d));
}
MESI_FN float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
MESI_FN float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
MESI_FN double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
MESI_FN float rhypotf(float a, float b) { return (float)rhypot((double)a, (double)b); }
MESI_FN double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
MESI_FN float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
MESI_FN double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
MESI_FN float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }
MESI_FN double norm(int n, const double *v)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum = ::hypot(sum, v[i]);
  return sum;
}
MESI_FN float normf(int n, const float *v)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum = ::hypot(sum, (double)v[i]);
  return (float)sum;
}
MESI_FN double rnorm(int n, const double *v) { return 1.0 / norm(n, v); }
MESI_FN float rnormf(int n, const float *v) { return 1.0f / normf(n, v); }

/* ---- min and max ---- */

#define MESI_MINMAX(MesiT, MesiA, MesiB) \
  MESI_FN MesiT min(MesiA a, MesiB b) { return (MesiT)a < (MesiT)b ? (MesiT)a : (MesiT)b; } \
  MESI_FN MesiT max(MesiA a, MesiB b) { return (MesiT)a > (MesiT)b ? (MesiT)a : (MesiT)b; }
MESI_MINMAX(int, int, int)
MESI_MINMAX(unsigned int, unsigned int, unsigned int)
MESI_MINMAX(unsigned int, int, unsigned int)
MESI_MINMAX(unsigned int, unsigned int, int)
MESI_MINMAX(long, long, long)
MESI_MINMAX(unsigned long, unsigned long, unsigned long)
MESI_MINMAX(unsigned long, long, unsigned long)
MESI_MINMAX(unsigned long, unsigned long, long)
MESI_MINMAX(long long, long long, long long)
MESI_MINMAX(unsigned long long, unsigned long long, unsigned long long)
MESI_MINMAX(unsigned long long, long long, unsigned long long)
MESI_MINMAX(unsigned long long, unsigned long long, long long)
#undef MESI_MINMAX
MESI_FN float min(float a, float b) { return fminf(a, b); }
MESI_FN float max(float a, float b) { return fmaxf(a, b); }
MESI_FN double min(double a, double b) { return ::fmin(a, b); }
MESI_FN double max(double a, double b) { return ::fmax(a, b); }
MESI_FN double min(float a, double b) { return ::fmin((double)a, b); }
MESI_FN double max(float a, double b) { return ::fmax((double)a, b); }
MESI_FN double min(double a, float b) { return ::fmin(a, (double)b); }
MESI_FN double max(double a, float b) { return ::fmax(a, (double)b); }
MESI_FN unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
MESI_FN unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
MESI_FN long long llmin(long long a, long long b) { return a < b ? a : b; }
MESI_FN long long llmax(long long a, long long b) { return a > b ? a : b; }
MESI_FN unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
  return a < b ? a : b;
}
MESI_FN unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
  return a > b ? a : b;
}

#endif
