/* atax.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef M
#define M 400
#endif
#ifndef N
#define N 360
#endif

/* Most elements of x are 0, so that all sums are exact in float. */
static inline void fill_factors(float *a, float *x)
{
  fill(a, (long)M * N, 1);
  for (long j = 0; j < N; j++) x[j] = j % 16 == 0 ? (float)(digit_at(j, 2) % 2) : 0.0f;
}

static inline void check(const float *a, const float *x, const float *y)
{
  double *want = new double[N]();

  for (long i = 0; i < M; i++) {
    double sum = 0;
    for (long j = 0; j < N; j++) sum += (double)a[i * N + j] * x[j];
    for (long j = 0; j < N; j++) want[j] += (double)a[i * N + j] * sum;
  }
  for (long j = 0; j < N; j++) expect_near(j, y[j], want[j], 1e-6 * fabs(want[j]));
  delete[] want;
}
