/* matmul_runtime.h - size, factors and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 160
#endif
#ifndef ELEM
#define ELEM float
#endif

static inline void check(const ELEM *a, const ELEM *b, const ELEM *c, int n)
{
  expect_product(c, matrix_view<ELEM>{a, n, 1}, matrix_view<ELEM>{b, n, 1}, n, n, n);
}
