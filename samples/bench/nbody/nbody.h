/* nbody.h - size, start and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 1500
#endif
#define SOFTENING 0.01f

static inline void fill_bodies(float *x, float *y, float *z, float *mass)
{
  fill_range(x, N, 1, -1, 2);
  fill_range(y, N, 2, -1, 2);
  fill_range(z, N, 3, -1, 2);
  fill_range(mass, N, 4, 0.5f, 1);
}

/* The acceleration of some bodies; the tolerance is relative to the sum of the sizes of all parts.
 */
static inline void check(const float *x, const float *y, const float *z, const float *mass,
                         const float *ax, const float *ay, const float *az)
{
  for (long i = 0; i < N; i += N / 61) {
    double sum[3] = {}, size = 0;
    for (long j = 0; j < N; j++) {
      double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i],
             square = dx * dx + dy * dy + dz * dz + SOFTENING;
      double force = mass[j] / (square * sqrt(square));
      sum[0] += force * dx;
      sum[1] += force * dy;
      sum[2] += force * dz;
      size += force * sqrt(square);
    }
    expect_near(i, ax[i], sum[0], 1e-5 * size);
    expect_near(i, ay[i], sum[1], 1e-5 * size);
    expect_near(i, az[i], sum[2], 1e-5 * size);
  }
}
