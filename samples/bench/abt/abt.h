/* abt.h - sizes, factors and check. */
#pragma once
#include "../bench.h"

#ifndef M
#define M 200
#endif
#ifndef N
#define N 136
#endif
#ifndef K
#define K 120
#endif

static inline void fill_factors(float *a, float *b)
{
  fill(a, (long)M * K, 1);
  fill(b, (long)K * N, 2);
}

static inline void check(const float *a, const float *b, const float *c)
{
  expect_product(c, matrix_view<float>{ a, K, 1 }, matrix_view<float>{ b, 1, K }, M, N, K);
}
