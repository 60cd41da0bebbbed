/* rmsnorm.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef M
#define M 96
#endif
#ifndef N
#define N 420
#endif

static inline void check(const float *x, const float *w, const float *y)
{
  for (long i = 0; i < M; i += check_stride(M * 100)) {
    double squares = 0;
    for (long j = 0; j < N; j++) squares += (double)x[i * N + j] * x[i * N + j];
    double scale = 1 / sqrt(squares / N + 1e-5);
    for (long j = 0; j < N; j++)
      expect_near(i * N + j, y[i * N + j], x[i * N + j] * scale * w[j], 1e-4);
  }
}
