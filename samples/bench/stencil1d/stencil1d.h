/* stencil1d.h - size and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 300000
#endif

static inline void check(const float *a, const float *b)
{
  long stride = check_stride(N);

  for (long i = 1; i < N - 1; i += stride)
    expect_near(i, b[i], 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1], 0);
}
