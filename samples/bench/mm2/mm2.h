/* mm2.h - size, factors and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 128
#endif

/* d = (a b) c; the elements of a and c are 0 most of the time, so that all sums are exact in float. */
static inline void fill_factors(float *a, float *b, float *c)
{
  for (long i = 0; i < (long)N * N; i++) {
    a[i] = (float)(digit_at(i, 1) % 2);
    b[i] = (float)digit_at(i, 2);
    c[i] = (float)(digit_at(i, 3) % 2);
  }
}

static inline void check(const float *a, const float *b, const float *c, const float *ab, const float *d)
{
  expect_product(ab, matrix_view<float>{ a, N, 1 }, matrix_view<float>{ b, N, 1 }, N, N, N);
  expect_product(d, matrix_view<float>{ ab, N, 1 }, matrix_view<float>{ c, N, 1 }, N, N, N);
}
