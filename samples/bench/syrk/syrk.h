/* syrk.h - sizes, numbers and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 160
#endif
#ifndef K
#define K 120
#endif
#ifndef ELEM
#define ELEM float
#endif

#define ALPHA 2.0f
#define BETA 0.5f

static inline void fill_matrices(ELEM *a, ELEM *c)
{
  fill(a, (long)N * K, 1);
  fill(c, (long)N * N, 2);
}

/* c after the update was done `times` times. */
static inline void check(const ELEM *a, const ELEM *c, int times)
{
  long stride = check_stride((long)N * N * K / 10);

  for (long e = 0; e < (long)N * N; e += stride) {
    double sum = 0, want = digit_at(e, 2);
    for (int k = 0; k < K; k++) sum += (double)a[e / N * K + k] * a[e % N * K + k];
    for (int t = 0; t < times; t++) want = BETA * want + ALPHA * sum;
    expect_near(e, c[e], want, 1e-6 * 64 * K);
  }
}
