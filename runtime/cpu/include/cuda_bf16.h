/* SPDX-License-Identifier: MIT */
/* cuda_bf16.h - bfloat16 in software: the upper half of a float.
 *
 * Sums, products, quotients and roots are computed in float and rounded once more; float is wide
 * enough for that to be the correctly rounded result. Fused multiply-add rounds once.
 */
#ifndef MESI_CUDA_BF16_H
#define MESI_CUDA_BF16_H
#define __CUDA_BF16_H__

#include "cuda_runtime.h"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

/* ---- conversions ---- */

MESI_FN unsigned short mesi_cpu_bfloat_bits(double x, enum mesi_cpu_rounding to)
{
  unsigned sign = __builtin_signbit(x) ? 0x8000u : 0;
  double a = __builtin_fabs(x), largest = 3.3895313892515355e38, beyond = 3.3961775292304957e38;
  bool up = to == MESI_CPU_RU ? !sign : to == MESI_CPU_RD && sign; /* away from zero */
  if (a != a) return 0x7fff;
  if (a == __builtin_inf()) return (unsigned short)(sign | 0x7f80);
  if (a > largest && to != MESI_CPU_RN) return (unsigned short)(sign | (up ? 0x7f80 : 0x7f7f));
  if (a >= beyond) return (unsigned short)(sign | 0x7f80);
  int exponent = -126;
  if (a >= 1.1754943508222875e-38) exponent = (int)(__double_as_longlong(a) >> 52) - 1023;
  double scaled = ldexp(a, 7 - exponent); /* the last place has weight 1 */
  double whole = to == MESI_CPU_RN ? rint(scaled) : up ? ceil(scaled) : floor(scaled);
  return (unsigned short)(sign | ((unsigned)((exponent + 126) << 7) + (unsigned)whole));
}
MESI_FN float mesi_cpu_bfloat_value(unsigned short bits)
{
  return __uint_as_float((unsigned)bits << 16);
}

struct __align__(2) __nv_bfloat16
{
protected:
  unsigned short __x;

public:
  __nv_bfloat16() = default;
  constexpr __nv_bfloat16(const __nv_bfloat16_raw &r) : __x(r.x) {}
  __nv_bfloat16(float f) : __x(mesi_cpu_bfloat_bits((double)f, MESI_CPU_RN)) {}
  __nv_bfloat16(double f) : __x(mesi_cpu_bfloat_bits(f, MESI_CPU_RN)) {}
  __nv_bfloat16(short v) : __nv_bfloat16((double)v) {}
  __nv_bfloat16(unsigned short v) : __nv_bfloat16((double)v) {}
  __nv_bfloat16(int v) : __nv_bfloat16((double)v) {}
  __nv_bfloat16(unsigned int v) : __nv_bfloat16((double)v) {}
  __nv_bfloat16(long v) : __nv_bfloat16((double)v) {}
  __nv_bfloat16(unsigned long v) : __nv_bfloat16((double)v) {}
  __nv_bfloat16(long long v) : __nv_bfloat16((double)v) {}
  __nv_bfloat16(unsigned long long v) : __nv_bfloat16((double)v) {}
  operator __nv_bfloat16_raw() const
  {
    __nv_bfloat16_raw r = {__x};
    return r;
  }
  operator float() const { return mesi_cpu_bfloat_value(__x); }
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
  __nv_bfloat16 &operator=(const __nv_bfloat16_raw &r) { return __x = r.x, *this; }
  __nv_bfloat16 &operator=(float f) { return *this = __nv_bfloat16(f); }
  __nv_bfloat16 &operator=(double f) { return *this = __nv_bfloat16(f); }
  __nv_bfloat16 &operator=(int v) { return *this = __nv_bfloat16(v); }
};
typedef __nv_bfloat16 nv_bfloat16;

MESI_FN __nv_bfloat16 mesi_cpu_bfloat_of(unsigned short bits)
{
  __nv_bfloat16_raw r = {bits};
  return __nv_bfloat16(r);
}
MESI_FN unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return __nv_bfloat16_raw(h).x; }
MESI_FN short __bfloat16_as_short(__nv_bfloat16 h) { return (short)__nv_bfloat16_raw(h).x; }
MESI_FN __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return mesi_cpu_bfloat_of(bits); }
MESI_FN __nv_bfloat16 __short_as_bfloat16(short bits)
{
  return mesi_cpu_bfloat_of((unsigned short)bits);
}
MESI_FN float __bfloat162float(__nv_bfloat16 h) { return h; }
MESI_FN __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
MESI_FN __nv_bfloat16 __double2bfloat16(double f) { return __nv_bfloat16(f); }
#define MESI_BFLOAT_CONVERSIONS(r, MesiR) \
  MESI_FN __nv_bfloat16 __float2bfloat16_##r(float f) \
  { \
    return mesi_cpu_bfloat_of(mesi_cpu_bfloat_bits((double)f, MesiR)); \
  } \
  MESI_FN __nv_bfloat16 __int2bfloat16_##r(int v) \
  { \
    return mesi_cpu_bfloat_of(mesi_cpu_bfloat_bits(v, MesiR)); \
  } \
  MESI_FN __nv_bfloat16 __uint2bfloat16_##r(unsigned v) \
  { \
    return mesi_cpu_bfloat_of(mesi_cpu_bfloat_bits(v, MesiR)); \
  } \
  MESI_FN __nv_bfloat16 __short2bfloat16_##r(short v) \
  { \
    return mesi_cpu_bfloat_of(mesi_cpu_bfloat_bits(v, MesiR)); \
  } \
  MESI_FN __nv_bfloat16 __ushort2bfloat16_##r(unsigned short v) \
  { \
    return mesi_cpu_bfloat_of(mesi_cpu_bfloat_bits(v, MesiR)); \
  } \
  MESI_FN int __bfloat162int_##r(__nv_bfloat16 h) { return __float2int_##r(h); } \
  MESI_FN unsigned __bfloat162uint_##r(__nv_bfloat16 h) { return __float2uint_##r(h); } \
  MESI_FN long long __bfloat162ll_##r(__nv_bfloat16 h) { return __float2ll_##r(h); }
MESI_BFLOAT_CONVERSIONS(rn, MESI_CPU_RN)
MESI_BFLOAT_CONVERSIONS(rz, MESI_CPU_RZ)
MESI_BFLOAT_CONVERSIONS(ru, MESI_CPU_RU)
MESI_BFLOAT_CONVERSIONS(rd, MESI_CPU_RD)
#undef MESI_BFLOAT_CONVERSIONS

/* ---- scalar arithmetic: names are those of __half ---- */

MESI_FN __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b)
{
  return __nv_bfloat16((float)a + (float)b);
}
MESI_FN __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b)
{
  return __nv_bfloat16((float)a - (float)b);
}
MESI_FN __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b)
{
  return __nv_bfloat16((float)a * (float)b);
}
MESI_FN __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b)
{
  return __nv_bfloat16((float)a / (float)b);
}
MESI_FN __nv_bfloat16 __hneg(__nv_bfloat16 a)
{
  return mesi_cpu_bfloat_of((unsigned short)(__bfloat16_as_ushort(a) ^ 0x8000));
}
MESI_FN __nv_bfloat16 __habs(__nv_bfloat16 a)
{
  return mesi_cpu_bfloat_of((unsigned short)(__bfloat16_as_ushort(a) & 0x7fff));
}
/* The product is exact in double; the sum is rounded to odd there, so that the rounding to bfloat16
 * is the only one. */
MESI_FN __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
  double p = (double)(float)a * (double)(float)b, q = (double)(float)c, s = p + q;
  double back = s - p, error = (p - (s - back)) + (q - back);
  if (error != 0 && s - s == 0 && !(__double_as_longlong(s) & 1))
    s = __longlong_as_double(__double_as_longlong(s) + ((error > 0) == (s > 0) ? 1 : -1));
  return __nv_bfloat16(s);
}

#define MESI_BFLOAT_OPERATOR(op, f) \
  MESI_FN __nv_bfloat16 operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b) \
  { \
    return f(a, b); \
  } \
  MESI_FN __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, const __nv_bfloat16 &b) \
  { \
    return a = f(a, b); \
  }
MESI_BFLOAT_OPERATOR(+, __hadd)
MESI_BFLOAT_OPERATOR(-, __hsub)
MESI_BFLOAT_OPERATOR(*, __hmul)
MESI_BFLOAT_OPERATOR(/, __hdiv)
#undef MESI_BFLOAT_OPERATOR
MESI_FN __nv_bfloat16 operator+(const __nv_bfloat16 &a) { return a; }
MESI_FN __nv_bfloat16 operator-(const __nv_bfloat16 &a) { return __hneg(a); }
MESI_FN __nv_bfloat16 &operator++(__nv_bfloat16 &a) { return a = __hadd(a, __nv_bfloat16(1.0f)); }
MESI_FN __nv_bfloat16 &operator--(__nv_bfloat16 &a) { return a = __hsub(a, __nv_bfloat16(1.0f)); }

/* Comparisons; the ...u forms are true where an operand is NaN. */
#define MESI_BFLOAT_COMPARE(name, op) \
  MESI_FN bool operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b) \
  { \
    return (float)a op(float) b; \
  } \
  MESI_FN bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a op(float) b; } \
  MESI_FN bool __h##name##u(__nv_bfloat16 a, __nv_bfloat16 b) \
  { \
    return (float)a != (float)a || (float)b != (float)b || (float)a op(float) b; \
  }
MESI_BFLOAT_COMPARE(eq, ==)
MESI_BFLOAT_COMPARE(ne, !=)
MESI_BFLOAT_COMPARE(lt, <)
MESI_BFLOAT_COMPARE(le, <=)
MESI_BFLOAT_COMPARE(gt, >)
MESI_BFLOAT_COMPARE(ge, >=)
#undef MESI_BFLOAT_COMPARE
MESI_FN bool __hisnan(__nv_bfloat16 a) { return (__bfloat16_as_ushort(a) & 0x7fff) > 0x7f80; }
MESI_FN int __hisinf(__nv_bfloat16 a)
{
  return (__bfloat16_as_ushort(a) & 0x7fff) != 0x7f80 ? 0
         : __bfloat16_as_ushort(a) & 0x8000           ? -1
                                                      : 1;
}
MESI_FN __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b)
{
  return __nv_bfloat16(fminf(a, b));
}
MESI_FN __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b)
{
  return __nv_bfloat16(fmaxf(a, b));
}

#define MESI_BFLOAT_FUNCTION(name, expression) \
  MESI_FN __nv_bfloat16 h##name(__nv_bfloat16 a) \
  { \
    float x = a; \
    return __nv_bfloat16(expression); \
  }
#define MESI_BFLOAT_FUNCTIONS(MesiM) \
  MesiM(sqrt, sqrtf(x)) MesiM(rsqrt, 1.0 / ::sqrt((double)x)) MesiM(rcp, 1.0f / x) \
      MesiM(exp, expf(x)) MesiM(exp2, exp2f(x)) MesiM(exp10, exp10f(x)) MesiM(log, logf(x)) \
          MesiM(log2, log2f(x)) MesiM(log10, log10f(x)) MesiM(sin, sinf(x)) MesiM(cos, cosf(x)) \
              MesiM(tanh, tanhf(x)) MesiM(ceil, ceilf(x)) MesiM(floor, floorf(x)) \
                  MesiM(trunc, truncf(x)) MesiM(rint, rintf(x))
MESI_BFLOAT_FUNCTIONS(MESI_BFLOAT_FUNCTION)

/* ---- pairs ---- */

struct __align__(4) __nv_bfloat162
{
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b) {}
  __nv_bfloat162(const __nv_bfloat162_raw &r)
      : x(mesi_cpu_bfloat_of(r.x)), y(mesi_cpu_bfloat_of(r.y))
  {
  }
};
typedef __nv_bfloat162 nv_bfloat162;

MESI_FN __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
  return __nv_bfloat162(a, b);
}
MESI_FN __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
  return __nv_bfloat162(a, b);
}
MESI_FN __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
MESI_FN __nv_bfloat162 __float2bfloat162_rn(float f)
{
  return __nv_bfloat162(__nv_bfloat16(f), __nv_bfloat16(f));
}
MESI_FN __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
MESI_FN __nv_bfloat162 __float22bfloat162_rn(float2 f)
{
  return __nv_bfloat162(__nv_bfloat16(f.x), __nv_bfloat16(f.y));
}
MESI_FN float2 __bfloat1622float2(__nv_bfloat162 h) { return make_float2(h.x, h.y); }
MESI_FN __nv_bfloat16 __low2bfloat16(__nv_bfloat162 h) { return h.x; }
MESI_FN __nv_bfloat16 __high2bfloat16(__nv_bfloat162 h) { return h.y; }
MESI_FN float __low2float(__nv_bfloat162 h) { return h.x; }
MESI_FN float __high2float(__nv_bfloat162 h) { return h.y; }
MESI_FN __nv_bfloat162 __low2bfloat162(__nv_bfloat162 h) { return __nv_bfloat162(h.x, h.x); }
MESI_FN __nv_bfloat162 __high2bfloat162(__nv_bfloat162 h) { return __nv_bfloat162(h.y, h.y); }

#define MESI_BFLOAT2(name) \
  MESI_FN __nv_bfloat162 __h##name##2(__nv_bfloat162 a, __nv_bfloat162 b) \
  { \
    return __nv_bfloat162(__h##name(a.x, b.x), __h##name(a.y, b.y)); \
  }
MESI_BFLOAT2(add)
MESI_BFLOAT2(sub)
MESI_BFLOAT2(mul)
MESI_BFLOAT2(min)
MESI_BFLOAT2(max)
#undef MESI_BFLOAT2
MESI_FN __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b)
{
  return __nv_bfloat162(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
MESI_FN __nv_bfloat162 __hneg2(__nv_bfloat162 a)
{
  return __nv_bfloat162(__hneg(a.x), __hneg(a.y));
}
MESI_FN __nv_bfloat162 __habs2(__nv_bfloat162 a)
{
  return __nv_bfloat162(__habs(a.x), __habs(a.y));
}
MESI_FN __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#define MESI_BFLOAT2_OPERATOR(op, f) \
  MESI_FN __nv_bfloat162 operator op(const __nv_bfloat162 &a, const __nv_bfloat162 &b) \
  { \
    return f(a, b); \
  } \
  MESI_FN __nv_bfloat162 &operator op##=(__nv_bfloat162 &a, const __nv_bfloat162 &b) \
  { \
    return a = f(a, b); \
  }
MESI_BFLOAT2_OPERATOR(+, __hadd2)
MESI_BFLOAT2_OPERATOR(-, __hsub2)
MESI_BFLOAT2_OPERATOR(*, __hmul2)
MESI_BFLOAT2_OPERATOR(/, __h2div)
#undef MESI_BFLOAT2_OPERATOR
MESI_FN __nv_bfloat162 operator-(const __nv_bfloat162 &a) { return __hneg2(a); }
MESI_FN bool operator==(const __nv_bfloat162 &a, const __nv_bfloat162 &b)
{
  return a.x == b.x && a.y == b.y;
}
MESI_FN bool operator!=(const __nv_bfloat162 &a, const __nv_bfloat162 &b) { return !(a == b); }

#define MESI_BFLOAT2_FUNCTION(name, expression) \
  MESI_FN __nv_bfloat162 h2##name(__nv_bfloat162 a) \
  { \
    return __nv_bfloat162(h##name(a.x), h##name(a.y)); \
  }
MESI_BFLOAT_FUNCTIONS(MESI_BFLOAT2_FUNCTION)
#undef MESI_BFLOAT_FUNCTION
#undef MESI_BFLOAT2_FUNCTION
#undef MESI_BFLOAT_FUNCTIONS

/* ---- in kernels ---- */

MESI_FN __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v)
{
  unsigned short old =
      mesi_cpu_atomic_update((unsigned short __attribute__((may_alias)) *)p, [v](unsigned short w) {
        return __bfloat16_as_ushort(__hadd(mesi_cpu_bfloat_of(w), v));
      });
  return mesi_cpu_bfloat_of(old);
}
MESI_FN __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v)
{
  __nv_bfloat162 old;
  old.x = atomicAdd(&p->x, v.x); /* CUDA promises atomicity of the halves, not of the pair */
  old.y = atomicAdd(&p->y, v.y);
  return old;
}
#define MESI_BFLOAT_SHUFFLE(MesiT) \
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
MESI_BFLOAT_SHUFFLE(__nv_bfloat16)
MESI_BFLOAT_SHUFFLE(__nv_bfloat162)
#undef MESI_BFLOAT_SHUFFLE

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
