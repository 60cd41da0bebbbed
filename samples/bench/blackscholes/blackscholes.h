/* blackscholes.h - size, options and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 100000
#endif
#define RATE 0.02f
#define VOLATILITY 0.3f

static inline void fill_options(float *price, float *strike, float *years, int n)
{
  fill_range(price, n, 1, 5, 25);
  fill_range(strike, n, 2, 1, 99);
  fill_range(years, n, 3, 0.25f, 9.75f);
}

static inline double normal(double d) { return 0.5 * erfc(-d * sqrt(0.5)); }

static inline void check(const float *price, const float *strike, const float *years,
                         const float *call, const float *put, int n)
{
  long stride = check_stride(n);

  for (long i = 0; i < n; i += stride) {
    double root = VOLATILITY * sqrt(years[i]), later = strike[i] * exp(-RATE * years[i]);
    double d1 = (log(price[i] / strike[i]) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * years[i]) /
                root,
           d2 = d1 - root;
    expect_near(i, call[i], price[i] * normal(d1) - later * normal(d2), 1e-4);
    expect_near(i, put[i], later * normal(-d2) - price[i] * normal(-d1), 1e-4);
  }
}
