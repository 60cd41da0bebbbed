/* matmul_runtime.h - size, factors and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 160
#endif

static inline void check(const float *a, const float *b, const float *c, int n)
{
  expect_product(c, matrix_view<float>{ a, n, 1 }, matrix_view<float>{ b, n, 1 }, n, n, n);
}
