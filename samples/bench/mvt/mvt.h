/* mvt.h - size and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 380
#endif

static inline void fill_all(float *a, float *u, float *v, float *x1, float *x2)
{
  fill(a, (long)N * N, 1);
  fill(u, N, 2);
  fill(v, N, 3);
  fill(x1, N, 4);
  fill(x2, N, 5);
}

/* x1 and x2 after `times` times x1 += a u, x2 += a^T v. */
static inline void check(const float *a, const float *u, const float *v, const float *x1,
                         const float *x2, int times)
{
  double *column = new double[N]();

  for (long i = 0; i < N; i++) {
    double sum = 0;
    for (long j = 0; j < N; j++) {
      sum += (double)a[i * N + j] * u[j];
      column[j] += (double)a[i * N + j] * v[i];
    }
    expect_near(i, x1[i], digit_at(i, 4) + times * sum, 0);
  }
  for (long j = 0; j < N; j++) expect_near(N + j, x2[j], digit_at(j, 5) + times * column[j], 0);
  delete[] column;
}
