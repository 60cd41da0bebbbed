/* residual16.h - size, numbers and check. */
#pragma once
#include <cuda_bf16.h>

#include "../bench.h"

#ifndef N
#define N 300000
#endif

/* A bfloat16 is the upper half of a float; small integers have no lower one. */
static inline void fill16(unsigned short *a, long n, unsigned seed)
{
  for (long i = 0; i < n; i++) {
    union {
      float value;
      unsigned bits;
    } number;
    number.value = (float)digit_at(i, seed);
    a[i] = (unsigned short)(number.bits >> 16);
  }
}

static inline float number16(unsigned short a)
{
  union {
    unsigned bits;
    float value;
  } number;
  number.bits = (unsigned)a << 16;
  return number.value;
}

static inline void check(const unsigned short *x, const unsigned short *r, const unsigned short *y)
{
  for (long i = 0; i < N; i += check_stride(N))
    expect_near(i, number16(y[i]), number16(x[i]) + number16(r[i]), 0);
}
