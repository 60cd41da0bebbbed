/* stencil3d.h - size and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 68
#endif

static inline void check(const float *a, const float *b)
{
  long stride = check_stride((long)N * N * N), plane = (long)N * N;

  for (long e = 0; e < plane * N; e += stride) {
    long i = e / plane, j = e / N % N, k = e % N;
    if (i > 0 && i < N - 1 && j > 0 && j < N - 1 && k > 0 && k < N - 1)
      expect_near(e, b[e],
                  0.25 * a[e] + 0.125 * (a[e - 1] + a[e + 1] + a[e - N] + a[e + N] + a[e - plane] +
                                         a[e + plane]),
                  0);
  }
}
