/* mm2.h - size, factors and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 128
#endif
#ifndef ELEM
#define ELEM float
#endif

/* d = (a b) c; the elements of a and c are 0 most of the time, so that all sums are exact in float.
 */
static inline void fill_factors(ELEM *a, ELEM *b, ELEM *c)
{
  for (long i = 0; i < (long)N * N; i++) {
    a[i] = (ELEM)(digit_at(i, 1) % 2);
    b[i] = (ELEM)digit_at(i, 2);
    c[i] = (ELEM)(digit_at(i, 3) % 2);
  }
}

static inline void check(const ELEM *a, const ELEM *b, const ELEM *c, const ELEM *ab, const ELEM *d)
{
  expect_product(ab, matrix_view<ELEM>{a, N, 1}, matrix_view<ELEM>{b, N, 1}, N, N, N);
  expect_product(d, matrix_view<ELEM>{ab, N, 1}, matrix_view<ELEM>{c, N, 1}, N, N, N);
}
