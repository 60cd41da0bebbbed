/* layernorm.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef M
#define M 96
#endif
#ifndef N
#define N 420
#endif

static inline void check(const float *x, const float *g, const float *b, const float *y)
{
  for (long i = 0; i < M; i += check_stride(M * 100)) {
    double mean = 0, variance = 0;
    for (long j = 0; j < N; j++) mean += x[i * N + j];
    mean /= N;
    for (long j = 0; j < N; j++) variance += (x[i * N + j] - mean) * (x[i * N + j] - mean);
    double scale = 1 / sqrt(variance / N + 1e-5);
    for (long j = 0; j < N; j++)
      expect_near(i * N + j, y[i * N + j], (x[i * N + j] - mean) * scale * g[j] + b[j], 1e-4);
  }
}
