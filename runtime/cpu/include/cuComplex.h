/* SPDX-License-Identifier: MIT */
/* cuComplex.h - complex numbers as float2 and double2, with the toolkit's functions. */
#ifndef MESI_CUDA_COMPLEX_H
#define MESI_CUDA_COMPLEX_H

#include "cuda_runtime.h"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* Names with the suffix f (cuCaddf) are those for float. Quotients and absolute values are scaled,
 * as the toolkit's are. */
#define MESI_COMPLEX(Complex, Real, f, make, fabs, sqrt) \
  static __inline__ Complex make(Real re, Real im) \
  { \
    Complex z = {re, im}; \
    return z; \
  } \
  static __inline__ Real cuCreal##f(Complex z) { return z.x; } \
  static __inline__ Real cuCimag##f(Complex z) { return z.y; } \
  static __inline__ Complex cuConj##f(Complex z) { return make(z.x, -z.y); } \
  static __inline__ Complex cuCadd##f(Complex a, Complex b) { return make(a.x + b.x, a.y + b.y); } \
  static __inline__ Complex cuCsub##f(Complex a, Complex b) { return make(a.x - b.x, a.y - b.y); } \
  static __inline__ Complex cuCmul##f(Complex a, Complex b) \
  { \
    return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); \
  } \
  static __inline__ Complex cuCfma##f(Complex a, Complex b, Complex c) \
  { \
    Real re = a.x * b.x + c.x, im = b.y * a.x + c.y; \
    return make(re - a.y * b.y, a.y * b.x + im); \
  } \
  static __inline__ Complex cuCdiv##f(Complex a, Complex b) \
  { \
    Real s = 1 / (fabs(b.x) + fabs(b.y)), ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s; \
    Real n = 1 / (bx * bx + by * by); \
    return make((ax * bx + ay * by) * n, (ay * bx - ax * by) * n); \
  } \
  static __inline__ Real cuCabs##f(Complex z) \
  { \
    Real a = fabs(z.x), b = fabs(z.y), high = a > b ? a : b, low = a > b ? b : a, \
         ratio = low / high; \
    return high == 0 || isinf(high) || isnan(ratio) ? a + b : high * sqrt(1 + ratio * ratio); \
  }
MESI_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, fabsf, sqrtf)
MESI_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, fabs, sqrt)
#undef MESI_COMPLEX

static __inline__ cuComplex make_cuComplex(float re, float im)
{
  return make_cuFloatComplex(re, im);
}
static __inline__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
  return make_cuDoubleComplex(z.x, z.y);
}
static __inline__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
  return make_cuFloatComplex((float)z.x, (float)z.y);
}

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
