/* kmeans.h - sizes and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 20000
#endif
#ifndef K
#define K 32
#endif
#ifndef D
#define D 16
#endif

/* The first of the nearest centers; distances are exact. */
static inline void check(const float *points, const float *centers, const int *nearest)
{
  long stride = check_stride((long)N * K);

  for (long i = 0; i < N; i += stride) {
    int best = 0;
    double least = 1e30;
    for (int c = 0; c < K; c++) {
      double sum = 0;
      for (int d = 0; d < D; d++)
        sum += ((double)points[i * D + d] - centers[c * D + d]) *
               ((double)points[i * D + d] - centers[c * D + d]);
      if (sum < least) {
        least = sum;
        best = c;
      }
    }
    expect_near(i, nearest[i], best, 0);
  }
}
