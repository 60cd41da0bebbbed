/* gesummv.h - size, factors and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 380
#endif

#define ALPHA 2.0f
#define BETA 0.5f

static inline void fill_factors(float *a, float *b, float *x)
{
  fill(a, (long)N * N, 1);
  fill(b, (long)N * N, 2);
  fill(x, N, 3);
}

static inline void check(const float *a, const float *b, const float *x, const float *y)
{
  for (long i = 0; i < N; i++) {
    double ax = 0, bx = 0;
    for (long j = 0; j < N; j++) {
      ax += (double)a[i * N + j] * x[j];
      bx += (double)b[i * N + j] * x[j];
    }
    expect_near(i, y[i], ALPHA * ax + BETA * bx, 0);
  }
}
