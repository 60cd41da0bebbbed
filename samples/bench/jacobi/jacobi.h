/* jacobi.h - sizes, start and check. */
#pragma once
#include "../bench.h"

#ifndef N
#define N 260
#endif
#ifndef STEPS
#define STEPS 20
#endif

/* A product of two sine waves that vanish on the rim; each step multiplies it by a known factor.
 * Waves along i and along j. */
enum { WAVES_I = (N - 1) / 80 + 1, WAVES_J = (N - 1) / 60 + 1 };

static inline void make_wave(double *wave, int waves)
{
  for (long i = 0; i < N; i++) wave[i] = sin(M_PI * fmod((double)waves * i / (N - 1), 2.0));
}

static inline void fill_start(float *a, float *b)
{
  double *wi = new double[N], *wj = new double[N];

  make_wave(wi, WAVES_I);
  make_wave(wj, WAVES_J);
  for (long e = 0; e < (long)N * N; e++) a[e] = b[e] = (float)(wi[e / N] * wj[e % N]);
  delete[] wi;
  delete[] wj;
}

/* a after `times` times STEPS steps. */
static inline void check(const float *a, int times)
{
  double *wi = new double[N], *wj = new double[N];
  double step = (cos(M_PI * WAVES_I / (N - 1)) + cos(M_PI * WAVES_J / (N - 1))) / 2,
         left = pow(step, (double)STEPS * times);
  long stride = check_stride((long)N * N);

  make_wave(wi, WAVES_I);
  make_wave(wj, WAVES_J);
  for (long e = 0; e < (long)N * N; e += stride)
    expect_near(e, a[e], left * wi[e / N] * wj[e % N], 1e-6 + 2e-7 * STEPS * times);
  delete[] wi;
  delete[] wj;
}
