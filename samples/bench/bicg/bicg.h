/* bicg.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef M
#define M 400
#endif
#ifndef N
#define N 360
#endif

static inline void fill_factors(float *a, float *p, float *r)
{
  fill(a, (long)M * N, 1);
  fill(p, N, 2);
  fill(r, M, 3);
}

/* q = a p, s = a^T r */
static inline void check(const float *a, const float *p, const float *r, const float *q,
                         const float *s)
{
  double *want = new double[N]();

  for (long i = 0; i < M; i++) {
    double sum = 0;
    for (long j = 0; j < N; j++) {
      sum += (double)a[i * N + j] * p[j];
      want[j] += (double)a[i * N + j] * r[i];
    }
    expect_near(i, q[i], sum, 0);
  }
  for (long j = 0; j < N; j++) expect_near(M + j, s[j], want[j], 0);
  delete[] want;
}
