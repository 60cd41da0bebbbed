/* stencil2d.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef M
#define M 500
#endif
#ifndef N
#define N 516
#endif

static inline void check(const float *a, const float *b)
{
  long stride = check_stride((long)M * N);

  for (long e = 0; e < (long)M * N; e += stride) {
    long i = e / N, j = e % N;
    if (i > 0 && i < M - 1 && j > 0 && j < N - 1)
      expect_near(e, b[e], 0.5 * a[e] + 0.125 * (a[e - 1] + a[e + 1] + a[e - N] + a[e + N]), 0);
  }
}
