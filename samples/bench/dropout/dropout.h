/* dropout.h - size and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 300000
#endif

static inline void check(const float *x, const unsigned char *kept, const float *y)
{
  for (long i = 0; i < N; i += check_stride(N)) expect_near(i, y[i], kept[i] ? x[i] * 1.25f : 0, 0);
}
