/* transpose.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef M
#define M 520
#endif
#ifndef N
#define N 500
#endif

static inline void fill_matrix(float *a)
{
  for (long i = 0; i < (long)M * N; i++) a[i] = (float)number_at(i, 1);
}

static inline void check(const float *b)
{
  long stride = check_stride((long)M * N);

  for (long e = 0; e < (long)M * N; e += stride)
    expect_near(e, b[e], number_at(e % M * N + e / M, 1), 0);
}
