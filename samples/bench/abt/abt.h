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
#ifndef ELEM
#define ELEM float
#endif

static inline void fill_factors(ELEM *a, ELEM *b)
{
  fill(a, (long)M * K, 1);
  fill(b, (long)K * N, 2);
}

static inline void check(const ELEM *a, const ELEM *b, const ELEM *c)
{
  expect_product(c, matrix_view<ELEM>{a, K, 1}, matrix_view<ELEM>{b, 1, K}, M, N, K);
}
