/* gemm.h - sizes, factors and check. */
#pragma once
#include "../bench.h"

#ifndef M
#define M 48
#endif
#ifndef N
#define N 64
#endif
#ifndef K
#define K 1500
#endif
#ifndef ELEM
#define ELEM float
#endif

static inline void check(const ELEM *a, const ELEM *b, const ELEM *c)
{
  expect_product(c, matrix_view<ELEM>{a, K, 1}, matrix_view<ELEM>{b, N, 1}, M, N, K);
}
