/* conv3d.h - size and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 52
#endif

static inline void check(const float *a, const float *filter, const float *b)
{
  long stride = check_stride((long)N * N * N);

  for (long e = 0; e < (long)N * N * N; e += stride) {
    long i = e / N / N, j = e / N % N, k = e % N;
    double sum = 0;
    if (i == 0 || i == N - 1 || j == 0 || j == N - 1 || k == 0 || k == N - 1) continue;
    for (long w = 0; w < 27; w++)
      sum += (double)filter[w] * a[((i + w / 9 - 1) * N + j + w / 3 % 3 - 1) * N + k + w % 3 - 1];
    expect_near(e, b[e], sum, 0);
  }
}
