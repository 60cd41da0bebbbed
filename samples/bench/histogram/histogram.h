/* histogram.h - sizes, values and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 300000
#endif
#ifndef BINS
#define BINS 256
#endif

static inline void fill_values(int *values, int n)
{
  for (long i = 0; i < n; i++) values[i] = (int)(number_at(i, 1) % BINS);
}

/* The counts after `times` passes over the values. */
static inline void check(const int *values, const int *count, int n, int times)
{
  long want[BINS] = {};

  for (long i = 0; i < n; i++) want[values[i]]++;
  for (int b = 0; b < BINS; b++) expect_near(b, count[b], (double)(int)(want[b] * times), 0);
}
