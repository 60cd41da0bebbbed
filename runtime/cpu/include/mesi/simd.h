/* SPDX-License-Identifier: MIT */
/* simd.h - video intrinsics: four bytes or two half-words of a register at once. */
#ifndef MESI_CUDA_SIMD_H
#define MESI_CUDA_SIMD_H

#include "math.h"

/* Each part of the result is `expression` of `a` and `b`, the parts as MesiT with the value of an
 * int. */
#define MESI_PARTS(name, MesiT, expression) \
  MESI_FN unsigned int name(unsigned int x, unsigned int y) \
  { \
    unsigned int result = 0; \
    for (unsigned at = 0; at < 32; at += 8 * sizeof(MesiT)) { \
      int a = (MesiT)(x >> at), b = (MesiT)(y >> at), \
          most = (int)(MesiT)(((MesiT)-1 > 0) ? -1 : (1 << (8 * sizeof(MesiT) - 1)) - 1); \
      unsigned int all = sizeof(MesiT) == 1 ? 0xffu : 0xffffu; \
      (void)a, (void)b, (void)most; \
      result |= ((unsigned int)(expression)&all) << at; \
    } \
    return result; \
  }
#define MESI_VIDEO(n, MesiS, MesiU) \
  MESI_PARTS(__vadd##n, MesiU, a + b) \
  MESI_PARTS(__vsub##n, MesiU, a - b) \
  MESI_PARTS(__vaddss##n, MesiS, \
             a + b > most        ? most \
             : a + b < -most - 1 ? -most - 1 \
                                 : a + b) \
  MESI_PARTS(__vaddus##n, MesiU, a + b > most ? most : a + b) MESI_PARTS( \
      __vsubss##n, MesiS, \
      a - b > most        ? most \
      : a - b < -most - 1 ? -most - 1 \
                          : a - b) MESI_PARTS(__vsubus##n, MesiU, a > b ? a - b : 0) \
      MESI_PARTS(__vavgs##n, MesiS, (a + b + (a + b >= 0)) >> 1) MESI_PARTS( \
          __vavgu##n, MesiU, (a + b + 1) >> 1) MESI_PARTS(__vhaddu##n, MesiU, (a + b) >> 1) \
          MESI_PARTS(__vmaxs##n, MesiS, a > b ? a : b) MESI_PARTS( \
              __vmaxu##n, MesiU, a > b ? a : b) MESI_PARTS(__vmins##n, MesiS, a < b ? a : b) \
              MESI_PARTS(__vminu##n, MesiU, a < b ? a : b) MESI_PARTS(__vabsdiffs##n, MesiS, \
                                                                      a > b ? a - b : b - a) \
                  MESI_PARTS(__vabsdiffu##n, MesiU, a > b ? a - b : b - a) MESI_PARTS( \
                      __vcmpeq##n, MesiU, \
                      a == b ? -1 : 0) MESI_PARTS(__vcmpne##n, MesiU, a != b ? -1 : 0) \
                      MESI_PARTS(__vcmpges##n, MesiS, a >= b ? -1 : 0) MESI_PARTS( \
                          __vcmpgeu##n, MesiU, \
                          a >= b ? -1 : 0) MESI_PARTS(__vcmpgts##n, MesiS, a > b ? -1 : 0) \
                          MESI_PARTS(__vcmpgtu##n, MesiU, a > b ? -1 : 0) MESI_PARTS( \
                              __vcmples##n, MesiS, \
                              a <= b ? -1 : 0) MESI_PARTS(__vcmpleu##n, MesiU, a <= b ? -1 : 0) \
                              MESI_PARTS(__vcmplts##n, MesiS, a < b ? -1 : 0) MESI_PARTS( \
                                  __vcmpltu##n, MesiU, \
                                  a < b ? -1 : 0) MESI_PARTS(__vseteq##n, MesiU, a == b) \
                                  MESI_PARTS(__vsetne##n, MesiU, \
                                             a != b) MESI_PARTS(__vsetges##n, MesiS, a >= b) \
                                      MESI_PARTS(__vsetgeu##n, MesiU, a >= b) \
                                          MESI_PARTS(__vsetgts##n, MesiS, \
                                                     a > b) MESI_PARTS(__vsetgtu##n, MesiU, a > b) \
                                              MESI_PARTS(__vsetles##n, MesiS, a <= b) MESI_PARTS( \
                                                  __vsetleu##n, MesiU, \
                                                  a <= b) MESI_PARTS(__vsetlts##n, MesiS, a < b) \
                                                  MESI_PARTS(__vsetltu##n, MesiU, a < b) \
                                                      MESI_PARTS(mesi_cpu_vabs##n, MesiS, \
                                                                 a < 0 ? -a : a) \
                                                          MESI_PARTS(mesi_cpu_vabsss##n, MesiS, \
                                                                     a < -most ? most \
                                                                     : a < 0   ? -a \
                                                                               : a) \
                                                              MESI_PARTS(mesi_cpu_vnegss##n, \
                                                                         MesiS, \
                                                                         a < -most ? most : -a) \
                                                                  MESI_FN unsigned int __vabs##n( \
                                                                      unsigned int x) \
  { \
    return mesi_cpu_vabs##n(x, 0); \
  } \
  MESI_FN unsigned int __vabsss##n(unsigned int x) { return mesi_cpu_vabsss##n(x, 0); } \
  MESI_FN unsigned int __vneg##n(unsigned int x) { return __vsub##n(0, x); } \
  MESI_FN unsigned int __vnegss##n(unsigned int x) { return mesi_cpu_vnegss##n(x, 0); } \
  MESI_FN unsigned int mesi_cpu_vsum##n(unsigned int x) \
  { \
    unsigned int sum = 0; \
    for (unsigned at = 0; at < 32; at += 8 * sizeof(MesiU)) sum += (MesiU)(x >> at); \
    return sum; \
  } \
  MESI_FN unsigned int __vsads##n(unsigned int x, unsigned int y) \
  { \
    return mesi_cpu_vsum##n(__vabsdiffs##n(x, y)); \
  } \
  MESI_FN unsigned int __vsadu##n(unsigned int x, unsigned int y) \
  { \
    return mesi_cpu_vsum##n(__vabsdiffu##n(x, y)); \
  }
MESI_VIDEO(2, short, unsigned short)
MESI_VIDEO(4, signed char, unsigned char)
#undef MESI_VIDEO
#undef MESI_PARTS

/* ---- sums and extremes of three numbers ---- */

#define MESI_EXTREMES(MesiT, suffix) \
  MESI_FN MesiT __vimax3_##suffix(MesiT a, MesiT b, MesiT c) { return max(max(a, b), c); } \
  MESI_FN MesiT __vimin3_##suffix(MesiT a, MesiT b, MesiT c) { return min(min(a, b), c); } \
  MESI_FN MesiT __viaddmax_##suffix(MesiT a, MesiT b, MesiT c) \
  { \
    return max((MesiT)((unsigned int)a + (unsigned int)b), c); \
  } \
  MESI_FN MesiT __viaddmin_##suffix(MesiT a, MesiT b, MesiT c) \
  { \
    return min((MesiT)((unsigned int)a + (unsigned int)b), c); \
  }
MESI_EXTREMES(int, s32)
MESI_EXTREMES(unsigned int, u32)
#undef MESI_EXTREMES
MESI_FN int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
MESI_FN int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
MESI_FN int __vimax3_s32_relu(int a, int b, int c) { return max(__vimax3_s32(a, b, c), 0); }
MESI_FN int __vimin3_s32_relu(int a, int b, int c) { return max(__vimin3_s32(a, b, c), 0); }
MESI_FN int __viaddmax_s32_relu(int a, int b, int c) { return max(__viaddmax_s32(a, b, c), 0); }
MESI_FN int __viaddmin_s32_relu(int a, int b, int c) { return max(__viaddmin_s32(a, b, c), 0); }

#endif
