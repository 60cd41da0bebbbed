/* crossentropy.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef M
#define M 96
#endif
#ifndef N
#define N 420
#endif

static inline void check(const float *x, const int *target, const float *loss)
{
  for (long i = 0; i < M; i += check_stride(M * 100)) {
    double most = x[i * N], sum = 0;
    for (long j = 0; j < N; j++) most = fmax(most, x[i * N + j]);
    for (long j = 0; j < N; j++) sum += exp(x[i * N + j] - most);
    double want = log(sum) + most - x[i * N + target[i]];
    expect_near(i, loss[i], want, 1e-4 + 1e-5 * want);
  }
}
