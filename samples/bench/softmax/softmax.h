/* softmax.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef M
#define M 96
#endif
#ifndef N
#define N 420
#endif

static inline void check(const float *x, const float *y)
{
  for (long i = 0; i < M; i += check_stride(M * 100)) {
    double most = x[i * N], sum = 0;
    for (long j = 0; j < N; j++) most = fmax(most, x[i * N + j]);
    for (long j = 0; j < N; j++) sum += exp(x[i * N + j] - most);
    for (long j = 0; j < N; j++) {
      double want = exp(x[i * N + j] - most) / sum;
      expect_near(i * N + j, y[i * N + j], want, 1e-5 * want + 1e-9);
    }
  }
}
