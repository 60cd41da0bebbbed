/* SPDX-License-Identifier: MIT */
/* cuda_fp16.h - IEEE half precision in software.
 *
 * Sums, products, quotients and roots are computed in float and rounded once more; float is wide
 * enough for that to be the correctly rounded result. Fused multiply-add rounds once.
 */
#ifndef MESI_CUDA_FP16_H
#define MESI_CUDA_FP16_H
#define __CUDA_FP16_H__

#include "cuda_runtime.h"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

/* ---- conversions ---- */

MESI_FN unsigned short mesi_cpu_half_bits(double x, enum mesi_cpu_rounding to)
{
  unsigned sign = __builtin_signbit(x) ? 0x8000u : 0;
  double a = __builtin_fabs(x);
  bool up = to == MESI_CPU_RU ? !sign : to == MESI_CPU_RD && sign; /* away from zero */
  if (a != a) return 0x7fff;
  if (a == __builtin_inf()) return (unsigned short)(sign | 0x7c00);
  if (a > 65504 && to != MESI_CPU_RN) return (unsigned short)(sign | (up ? 0x7c00 : 0x7bff));
  if (a >= 65520) return (unsigned short)(sign | 0x7c00);
  int exponent = -14;
  if (a >= 6.103515625e-05) exponent = (int)(__double_as_longlong(a) >> 52) - 1023;
  double scaled = ldexp(a, 10 - exponent); /* the last place has weight 1 */
  double whole = to == MESI_CPU_RN ? rint(scaled) : up ? ceil(scaled) : floor(scaled);
  return (unsigned short)(sign | ((unsigned)((exponent + 14) << 10) + (unsigned)whole));
}
MESI_FN float mesi_cpu_half_value(unsigned short bits)
{
  unsigned sign = (unsigned)(bits & 0x8000) << 16, exponent = bits >> 10 & 31,
           mantissa = bits & 0x3ff;
  if (exponent == 31) return __uint_as_float(sign | 0x7f800000u | mantissa << 13);
  if (exponent) return __uint_as_float(sign | (exponent + 112) << 23 | mantissa << 13);
  float v = (float)mantissa * 5.9604644775390625e-08f;
  return sign ? -v : v;
}

struct __align__(2) __half
{
protected:
  unsigned short __x;

public:
  __half() = default;
  constexpr __half(const __half_raw &r) : __x(r.x) {}
  __half(float f) : __x(mesi_cpu_half_bits((double)f, MESI_CPU_RN)) {}
  __half(double f) : __x(mesi_cpu_half_bits(f, MESI_CPU_RN)) {}
  __half(short v) : __half((double)v) {}
  __half(unsigned short v) : __half((double)v) {}
  __half(int v) : __half((double)v) {}
  __half(unsigned int v) : __half((double)v) {}
  __half(long v) : __half((double)v) {}
  __half(unsigned long v) : __half((double)v) {}
  __half(long long v) : __half((double)v) {}
  __half(unsigned long long v) : __half((double)v) {}
  operator __half_raw() const
  {
    __half_raw r = {__x};
    return r;
  }
  operator float() const { return mesi_cpu_half_value(__x); }
  explicit operator bool() const { return (__x & 0x7fff) != 0; }
  explicit operator signed char() const { return (signed char)__float2int_rz(*this); }
  explicit operator unsigned char() const { return (unsigned char)__float2int_rz(*this); }
  explicit operator short() const { return (short)__float2int_rz(*this); }
  explicit operator unsigned short() const { return (unsigned short)__float2int_rz(*this); }
  explicit operator int() const { return __float2int_rz(*this); }
  explicit operator unsigned int() const { return __float2uint_rz(*this); }
  explicit operator long() const { return (long)__float2ll_rz(*this); }
  explicit operator unsigned long() const { return (unsigned long)__float2ull_rz(*this); }
  explicit operator long long() const { return __float2ll_rz(*this); }
  explicit operator unsigned long long() const { return __float2ull_rz(*this); }
  __half &operator=(const __half_raw &r) { return __x = r.x, *this; }
  __half &operator=(float f) { return *this = __half(f); }
  __half &operator=(double f) { return *this = __half(f); }
  __half &operator=(int v) { return *this = __half(v); }
};
typedef __half half;
typedef __half __nv_half;

MESI_FN __half mesi_cpu_half_of(unsigned short bits)
{
  __half_raw r = {bits};
  return __half(r);
}
MESI_FN unsigned short __half_as_ushort(__half h) { return __half_raw(h).x; }
MESI_FN short __half_as_short(__half h) { return (short)__half_raw(h).x; }
MESI_FN __half __ushort_as_half(unsigned short bits) { return mesi_cpu_half_of(bits); }
MESI_FN __half __short_as_half(short bits) { return mesi_cpu_half_of((unsigned short)bits); }
MESI_FN float __half2float(__half h) { return h; }
MESI_FN __half __float2half(float f) { return __half(f); }
MESI_FN __half __double2half(double f) { return __half(f); }
#define MESI_HALF_CONVERSIONS(r, MesiR) \
  MESI_FN __half __float2half_##r(float f) \
  { \
    return mesi_cpu_half_of(mesi_cpu_half_bits((double)f, MesiR)); \
  } \
  MESI_FN __half __int2half_##r(int v) { return mesi_cpu_half_of(mesi_cpu_half_bits(v, MesiR)); } \
  MESI_FN __half __uint2half_##r(unsigned v) \
  { \
    return mesi_cpu_half_of(mesi_cpu_half_bits(v, MesiR)); \
  } \
  MESI_FN __half __short2half_##r(short v) \
  { \
    return mesi_cpu_half_of(mesi_cpu_half_bits(v, MesiR)); \
  } \
  MESI_FN __half __ushort2half_##r(unsigned short v) \
  { \
    return mesi_cpu_half_of(mesi_cpu_half_bits(v, MesiR)); \
  } \
  MESI_FN __half __ull2half_##r(unsigned long long v) \
  { \
    return mesi_cpu_half_of(mesi_cpu_half_bits((double)v, MesiR)); \
  } \
  MESI_FN __half __ll2half_##r(long long v) \
  { \
    return mesi_cpu_half_of(mesi_cpu_half_bits((double)v, MesiR)); \
  } \
  MESI_FN int __half2int_##r(__half h) { return __float2int_##r(h); } \
  MESI_FN unsigned __half2uint_##r(__half h) { return __float2uint_##r(h); } \
  MESI_FN short __half2short_##r(__half h) \
  { \
    int v = __float2int_##r(h); \
    return (short)(v < -32768 ? -32768 : v > 32767 ? 32767 : v); \
  } \
  MESI_FN unsigned short __half2ushort_##r(__half h) \
  { \
    unsigned v = __float2uint_##r(h); \
    return (unsigned short)(v > 65535 ? 65535 : v); \
  } \
  MESI_FN unsigned long long __half2ull_##r(__half h) { return __float2ull_##r(h); } \
  MESI_FN long long __half2ll_##r(__half h) { return __float2ll_##r(h); }
MESI_HALF_CONVERSIONS(rn, MESI_CPU_RN)
MESI_HALF_CONVERSIONS(rz, MESI_CPU_RZ)
MESI_HALF_CONVERSIONS(ru, MESI_CPU_RU)
MESI_HALF_CONVERSIONS(rd, MESI_CPU_RD)
#undef MESI_HALF_CONVERSIONS

/* ---- scalar arithmetic ---- */

MESI_FN __half __hadd(__half a, __half b) { return __half((float)a + (float)b); }
MESI_FN __half __hsub(__half a, __half b) { return __half((float)a - (float)b); }
MESI_FN __half __hmul(__half a, __half b) { return __half((float)a * (float)b); }
MESI_FN __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
MESI_FN __half __hadd_rn(__half a, __half b) { return __hadd(a, b); }
MESI_FN __half __hsub_rn(__half a, __half b) { return __hsub(a, b); }
MESI_FN __half __hmul_rn(__half a, __half b) { return __hmul(a, b); }
MESI_FN __half __hneg(__half a)
{
  return mesi_cpu_half_of((unsigned short)(__half_as_ushort(a) ^ 0x8000));
}
MESI_FN __half __habs(__half a)
{
  return mesi_cpu_half_of((unsigned short)(__half_as_ushort(a) & 0x7fff));
}
/* The product is exact in double; the sum is rounded to odd there, so that the rounding to half is
 * the only one. */
MESI_FN __half __hfma(__half a, __half b, __half c)
{
  double p = (double)(float)a * (double)(float)b, q = (double)(float)c, s = p + q;
  double back = s - p, error = (p - (s - back)) + (q - back);
  if (error != 0 && s - s == 0 && !(__double_as_longlong(s) & 1))
    s = __longlong_as_double(__double_as_longlong(s) + ((error > 0) == (s > 0) ? 1 : -1));
  return __half(s);
}
MESI_FN __half mesi_cpu_half_saturate(float x) { return __half(__saturatef(x)); }
MESI_FN __half __hadd_sat(__half a, __half b)
{
  return mesi_cpu_half_saturate((float)a + (float)b);
}
MESI_FN __half __hsub_sat(__half a, __half b)
{
  return mesi_cpu_half_saturate((float)a - (float)b);
}
MESI_FN __half __hmul_sat(__half a, __half b)
{
  return mesi_cpu_half_saturate((float)a * (float)b);
}
MESI_FN __half __hfma_sat(__half a, __half b, __half c)
{
  return mesi_cpu_half_saturate((float)__hfma(a, b, c));
}
MESI_FN __half __hfma_relu(__half a, __half b, __half c)
{
  return __half(fmaxf((float)__hfma(a, b, c), 0.0f));
}

#define MESI_HALF_OPERATOR(op, f) \
  MESI_FN __half operator op(const __half &a, const __half &b) { return f(a, b); } \
  MESI_FN __half &operator op##=(__half &a, const __half &b) { return a = f(a, b); }
MESI_HALF_OPERATOR(+, __hadd)
MESI_HALF_OPERATOR(-, __hsub)
MESI_HALF_OPERATOR(*, __hmul)
MESI_HALF_OPERATOR(/, __hdiv)
#undef MESI_HALF_OPERATOR
MESI_FN __half operator+(const __half &a) { return a; }
MESI_FN __half operator-(const __half &a) { return __hneg(a); }
MESI_FN __half &operator++(__half &a) { return a = __hadd(a, __half(1.0f)); }
MESI_FN __half &operator--(__half &a) { return a = __hsub(a, __half(1.0f)); }
MESI_FN __half operator++(__half &a, int)
{
  __half old = a;
  ++a;
  return old;
}
MESI_FN __half operator--(__half &a, int)
{
  __half old = a;
  --a;
  return old;
}

/* Comparisons; the ...u forms are true where an operand is NaN. */
#define MESI_HALF_COMPARE(name, op) \
  MESI_FN bool operator op(const __half &a, const __half &b) { return (float)a op(float) b; } \
  MESI_FN bool __h##name(__half a, __half b) { return (float)a op(float) b; } \
  MESI_FN bool __h##name##u(__half a, __half b) \
  { \
    return (float)a != (float)a || (float)b != (float)b || (float)a op(float) b; \
  }
MESI_HALF_COMPARE(eq, ==)
MESI_HALF_COMPARE(ne, !=)
MESI_HALF_COMPARE(lt, <)
MESI_HALF_COMPARE(le, <=)
MESI_HALF_COMPARE(gt, >)
MESI_HALF_COMPARE(ge, >=)
#undef MESI_HALF_COMPARE
MESI_FN bool __hisnan(__half a) { return (__half_as_ushort(a) & 0x7fff) > 0x7c00; }
MESI_FN int __hisinf(__half a)
{
  return (__half_as_ushort(a) & 0x7fff) != 0x7c00 ? 0 : __half_as_ushort(a) & 0x8000 ? -1 : 1;
}
MESI_FN __half __hmin(__half a, __half b) { return __half(fminf(a, b)); }
MESI_FN __half __hmax(__half a, __half b) { return __half(fmaxf(a, b)); }

#define MESI_HALF_FUNCTION(name, expression) \
  MESI_FN __half h##name(__half a) \
  { \
    float x = a; \
    return __half(expression); \
  }
#define MESI_HALF_FUNCTIONS(MesiM) \
  MesiM(sqrt, sqrtf(x)) MesiM(rsqrt, 1.0 / ::sqrt((double)x)) MesiM(rcp, 1.0f / x) \
      MesiM(exp, expf(x)) MesiM(exp2, exp2f(x)) MesiM(exp10, exp10f(x)) MesiM(log, logf(x)) \
          MesiM(log2, log2f(x)) MesiM(log10, log10f(x)) MesiM(sin, sinf(x)) MesiM(cos, cosf(x)) \
              MesiM(tanh, tanhf(x)) MesiM(ceil, ceilf(x)) MesiM(floor, floorf(x)) \
                  MesiM(trunc, truncf(x)) MesiM(rint, rintf(x))
MESI_HALF_FUNCTIONS(MESI_HALF_FUNCTION)

/* ---- pairs ---- */

struct __align__(4) __half2
{
  __half x, y;
  __half2() = default;
  __half2(const __half &a, const __half &b) : x(a), y(b) {}
  __half2(const __half2_raw &r) : x(mesi_cpu_half_of(r.x)), y(mesi_cpu_half_of(r.y)) {}
};
typedef __half2 half2;
typedef __half2 __nv_half2;

MESI_FN __half2 make_half2(__half a, __half b) { return __half2(a, b); }
MESI_FN __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
MESI_FN __half2 __half2half2(__half a) { return __half2(a, a); }
MESI_FN __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
MESI_FN __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
MESI_FN __half2 __float22half2_rn(float2 f) { return __half2(__half(f.x), __half(f.y)); }
MESI_FN float2 __half22float2(__half2 h) { return make_float2(h.x, h.y); }
MESI_FN __half __low2half(__half2 h) { return h.x; }
MESI_FN __half __high2half(__half2 h) { return h.y; }
MESI_FN float __low2float(__half2 h) { return h.x; }
MESI_FN float __high2float(__half2 h) { return h.y; }
MESI_FN __half2 __low2half2(__half2 h) { return __half2(h.x, h.x); }
MESI_FN __half2 __high2half2(__half2 h) { return __half2(h.y, h.y); }
MESI_FN __half2 __lowhigh2highlow(__half2 h) { return __half2(h.y, h.x); }
MESI_FN __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
MESI_FN __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

#define MESI_HALF2(name) \
  MESI_FN __half2 __h##name##2(__half2 a, __half2 b) \
  { \
    return __half2(__h##name(a.x, b.x), __h##name(a.y, b.y)); \
  }
MESI_HALF2(add)
MESI_HALF2(sub)
MESI_HALF2(mul)
MESI_HALF2(min)
MESI_HALF2(max)
#undef MESI_HALF2
MESI_FN __half2 __h2div(__half2 a, __half2 b)
{
  return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
MESI_FN __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
MESI_FN __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
MESI_FN __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#define MESI_HALF2_OPERATOR(op, f) \
  MESI_FN __half2 operator op(const __half2 &a, const __half2 &b) { return f(a, b); } \
  MESI_FN __half2 &operator op##=(__half2 &a, const __half2 &b) { return a = f(a, b); }
MESI_HALF2_OPERATOR(+, __hadd2)
MESI_HALF2_OPERATOR(-, __hsub2)
MESI_HALF2_OPERATOR(*, __hmul2)
MESI_HALF2_OPERATOR(/, __h2div)
#undef MESI_HALF2_OPERATOR
MESI_FN __half2 operator-(const __half2 &a) { return __hneg2(a); }
MESI_FN bool operator==(const __half2 &a, const __half2 &b) { return a.x == b.x && a.y == b.y; }
MESI_FN bool operator!=(const __half2 &a, const __half2 &b) { return !(a == b); }

#define MESI_HALF2_COMPARE(name) \
  MESI_FN __half2 __h##name##2(__half2 a, __half2 b) \
  { \
    return __half2(__half(__h##name(a.x, b.x) ? 1.0f : 0.0f), \
                   __half(__h##name(a.y, b.y) ? 1.0f : 0.0f)); \
  } \
  MESI_FN bool __hb##name##2(__half2 a, __half2 b) \
  { \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y); \
  }
MESI_HALF2_COMPARE(eq)
MESI_HALF2_COMPARE(ne)
MESI_HALF2_COMPARE(lt)
MESI_HALF2_COMPARE(le)
MESI_HALF2_COMPARE(gt)
MESI_HALF2_COMPARE(ge)
#undef MESI_HALF2_COMPARE

#define MESI_HALF2_FUNCTION(name, expression) \
  MESI_FN __half2 h2##name(__half2 a) { return __half2(h##name(a.x), h##name(a.y)); }
MESI_HALF_FUNCTIONS(MESI_HALF2_FUNCTION)
#undef MESI_HALF_FUNCTION
#undef MESI_HALF2_FUNCTION
#undef MESI_HALF_FUNCTIONS

/* ---- in kernels ---- */

MESI_FN __half atomicAdd(__half *p, __half v)
{
  unsigned short old =
      mesi_cpu_atomic_update((unsigned short __attribute__((may_alias)) *)p, [v](unsigned short w) {
        return __half_as_ushort(__hadd(mesi_cpu_half_of(w), v));
      });
  return mesi_cpu_half_of(old);
}
MESI_FN __half2 atomicAdd(__half2 *p, __half2 v)
{
  __half2 old;
  old.x = atomicAdd(&p->x, v.x); /* CUDA promises atomicity of the halves, not of the pair */
  old.y = atomicAdd(&p->y, v.y);
  return old;
}
#define MESI_HALF_SHUFFLE(MesiT) \
  MESI_FN MesiT __shfl_sync(unsigned mask, MesiT v, int lane, int width = 32) \
  { \
    return mesi_cpu_shuffle_value(mask, MESI_CPU_SHFL, v, lane, width); \
  } \
  MESI_FN MesiT __shfl_up_sync(unsigned mask, MesiT v, unsigned delta, int width = 32) \
  { \
    return mesi_cpu_shuffle_value(mask, MESI_CPU_SHFL_UP, v, (int)delta, width); \
  } \
  MESI_FN MesiT __shfl_down_sync(unsigned mask, MesiT v, unsigned delta, int width = 32) \
  { \
    return mesi_cpu_shuffle_value(mask, MESI_CPU_SHFL_DOWN, v, (int)delta, width); \
  } \
  MESI_FN MesiT __shfl_xor_sync(unsigned mask, MesiT v, int lane, int width = 32) \
  { \
    return mesi_cpu_shuffle_value(mask, MESI_CPU_SHFL_XOR, v, lane, width); \
  }
MESI_HALF_SHUFFLE(__half)
MESI_HALF_SHUFFLE(__half2)
#undef MESI_HALF_SHUFFLE

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
