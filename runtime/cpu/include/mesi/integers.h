/* SPDX-License-Identifier: MIT */
/* integers.h - integer intrinsics. */
#ifndef MESI_CUDA_INTEGERS_H
#define MESI_CUDA_INTEGERS_H

#include "math.h"

MESI_FN int __popc(unsigned int x) { return __builtin_popcount(x); }
MESI_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
MESI_FN int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
MESI_FN int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
MESI_FN int __ffs(int x) { return __builtin_ffs(x); }
MESI_FN int __ffsll(long long x) { return __builtin_ffsll(x); }
MESI_FN unsigned int __brev(unsigned int x)
{
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
MESI_FN unsigned long long __brevll(unsigned long long x)
{
  return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
MESI_FN int __fns(unsigned int mask, unsigned int base, int offset)
{ /* find the n-th set bit */
  int step = offset < 0 ? -1 : 1, left = offset < 0 ? -offset : offset;
  if (offset == 0) return mask >> base & 1 ? (int)base : -1;
  for (int i = (int)base; i >= 0 && i < 32; i += step)
    if (mask >> i & 1 && --left == 0) return i;
  return -1;
}

MESI_FN int __mul24(int a, int b)
{
  return (int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)((int)((unsigned)b << 8) >> 8));
}
MESI_FN unsigned int __umul24(unsigned int a, unsigned int b)
{
  return (a & 0xffffffu) * (b & 0xffffffu);
}
MESI_FN int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
MESI_FN unsigned int __umulhi(unsigned int a, unsigned int b)
{
  return (unsigned)((unsigned long long)a * b >> 32);
}
__extension__ typedef __int128 mesi_cpu_int128;
__extension__ typedef unsigned __int128 mesi_cpu_uint128;
MESI_FN long long __mul64hi(long long a, long long b)
{
  return (long long)((mesi_cpu_int128)a * b >> 64);
}
MESI_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
  return (unsigned long long)((mesi_cpu_uint128)a * b >> 64);
}
MESI_FN unsigned int __sad(int a, int b, unsigned int c)
{
  return c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a);
}
MESI_FN unsigned int __usad(unsigned int a, unsigned int b, unsigned int c)
{
  return c + (a > b ? a - b : b - a);
}
MESI_FN int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
MESI_FN int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
MESI_FN unsigned int __uhadd(unsigned int a, unsigned int b)
{
  return (unsigned)(((unsigned long long)a + b) >> 1);
}
MESI_FN unsigned int __urhadd(unsigned int a, unsigned int b)
{
  return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}

MESI_FN unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s)
{
  unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; i++) result |= (unsigned)(bytes >> 8 * (s >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}
MESI_FN unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift)
{
  return (unsigned)(((unsigned long long)hi << 32 | lo) << (shift & 31) >> 32);
}
MESI_FN unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift)
{
  return (unsigned)(((unsigned long long)hi << 32 | lo) >> (shift & 31));
}
MESI_FN unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift)
{
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
MESI_FN unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift)
{
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

/* ---- dot products of packed integers ---- */

template <class MesiA, class MesiB>
MESI_FN unsigned int mesi_cpu_dp4a(unsigned int a, unsigned int b, unsigned int c)
{
  for (int i = 0; i < 4; i++) c += (unsigned)((int)(MesiA)(a >> 8 * i) * (int)(MesiB)(b >> 8 * i));
  return c;
}
template <class MesiA, class MesiB>
MESI_FN unsigned int mesi_cpu_dp2a(unsigned int a, unsigned int b, unsigned int c)
{
  for (int i = 0; i < 2; i++) c += (unsigned)((int)(MesiA)(a >> 16 * i) * (int)(MesiB)(b >> 8 * i));
  return c;
}
MESI_FN int __dp4a(int a, int b, int c)
{
  return (int)mesi_cpu_dp4a<signed char, signed char>((unsigned)a, (unsigned)b, (unsigned)c);
}
MESI_FN unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
  return mesi_cpu_dp4a<unsigned char, unsigned char>(a, b, c);
}
MESI_FN int __dp4a(char4 a, char4 b, int c)
{
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
MESI_FN unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{
  return c + (unsigned)(a.x * b.x) + (unsigned)(a.y * b.y) + (unsigned)(a.z * b.z) +
         (unsigned)(a.w * b.w);
}
MESI_FN int __dp2a_lo(int a, int b, int c)
{
  return (int)mesi_cpu_dp2a<short, signed char>((unsigned)a, (unsigned)b, (unsigned)c);
}
MESI_FN int __dp2a_hi(int a, int b, int c)
{
  return (int)mesi_cpu_dp2a<short, signed char>((unsigned)a, (unsigned)b >> 16, (unsigned)c);
}
MESI_FN unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c)
{
  return mesi_cpu_dp2a<unsigned short, unsigned char>(a, b, c);
}
MESI_FN unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c)
{
  return mesi_cpu_dp2a<unsigned short, unsigned char>(a, b >> 16, c);
}

#endif
