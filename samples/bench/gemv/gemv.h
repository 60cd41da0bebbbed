/* gemv.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef M
#define M 500
#endif
#ifndef N
#define N 420
#endif

static inline void check(const float *a, const float *x, const float *y)
{
  for (long i = 0; i < M; i++) {
    double sum = 0;
    for (long j = 0; j < N; j++) sum += (double)a[i * N + j] * x[j];
    expect_near(i, y[i], sum, 0);
  }
}
