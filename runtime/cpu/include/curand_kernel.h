/* SPDX-License-Identifier: MIT */
/* curand_kernel.h - cuRAND's XORWOW generator for kernels: the same sequences as cuRAND for a given
 * seed, subsequence and offset; normal variates may differ in the last place. Other generators are
 * not supported.
 *
 * Marsaglia, "Xorshift RNGs", J. Stat. Software 8 (2003): five words of xorshift plus a Weyl
 * sequence.
 */
#ifndef MESI_CURAND_KERNEL_H
#define MESI_CURAND_KERNEL_H

#include "cuda_runtime.h"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;

/* Advances the xorshift words by 2^67 * subsequences + steps (curand.c). */
extern "C" void mesi_cpu_xorwow_skip(unsigned int *words, unsigned long long subsequences,
                                     unsigned long long steps);

MESI_FN unsigned int curand(curandState_t *s)
{
  unsigned int t = s->v[0] ^ (s->v[0] >> 2);
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
  s->d += 362437u;
  return s->v[4] + s->d;
}
MESI_FN void skipahead(unsigned long long n, curandState_t *s)
{
  mesi_cpu_xorwow_skip(s->v, 0, n);
  s->d += 362437u * (unsigned int)n;
}
MESI_FN void skipahead_sequence(unsigned long long n, curandState_t *s)
{
  mesi_cpu_xorwow_skip(s->v, n, 0);
}
MESI_FN void curand_init(unsigned long long seed, unsigned long long subsequence,
                         unsigned long long offset, curandState_t *s)
{
  unsigned int t0 = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
  unsigned int t1 = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  s->d = 6615241u + t1 + t0;
  s->v[0] = 123456789u + t0;
  s->v[1] = 362436069u ^ t0;
  s->v[2] = 521288629u + t1;
  s->v[3] = 88675123u ^ t1;
  s->v[4] = 5783321u + t0;
  skipahead_sequence(subsequence, s);
  skipahead(offset, s);
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
}

/* ---- uniform in (0, 1] ---- */

MESI_FN float curand_uniform(curandState_t *s)
{
  return (float)curand(s) * 2.3283064e-10f + 2.3283064e-10f / 2.0f;
}
MESI_FN double mesi_cpu_uniform53(unsigned int x, unsigned int y, double unit)
{
  return (double)((unsigned long long)x ^ (unsigned long long)y << 21) * unit;
}
MESI_FN double curand_uniform_double(curandState_t *s)
{
  unsigned int x = curand(s), y = curand(s);
  return mesi_cpu_uniform53(x, y, 1.1102230246251565e-16) + 1.1102230246251565e-16 / 2.0;
}

/* ---- normal, by Box and Muller ---- */

MESI_FN float2 curand_normal2(curandState_t *s)
{
  unsigned int x = curand(s), y = curand(s);
  float u = (float)x * 2.3283064e-10f + 2.3283064e-10f / 2;
  float v = (float)y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2;
  float r = sqrtf(-2.0f * logf(u));
  return make_float2(sinf(v) * r, cosf(v) * r);
}
MESI_FN float curand_normal(curandState_t *s)
{
  if (s->boxmuller_flag) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  float2 pair = curand_normal2(s);
  s->boxmuller_extra = pair.y;
  s->boxmuller_flag = 1;
  return pair.x;
}
MESI_FN double2 curand_normal2_double(curandState_t *s)
{
  unsigned int x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
  double u = mesi_cpu_uniform53(x0, x1, 1.1102230246251565e-16) + 1.1102230246251565e-16 / 2.0;
  double v = mesi_cpu_uniform53(y0, y1, 1.1102230246251565e-16 * 2.0) + 1.1102230246251565e-16;
  double r = ::sqrt(-2.0 * ::log(u));
  return make_double2(mesi_cpu_sinpi(v) * r, mesi_cpu_cospi(v) * r);
}
MESI_FN double curand_normal_double(curandState_t *s)
{
  if (s->boxmuller_flag_double) {
    s->boxmuller_flag_double = 0;
    return s->boxmuller_extra_double;
  }
  double2 pair = curand_normal2_double(s);
  s->boxmuller_extra_double = pair.y;
  s->boxmuller_flag_double = 1;
  return pair.x;
}
MESI_FN float curand_log_normal(curandState_t *s, float mean, float deviation)
{
  return expf(mean + deviation * curand_normal(s));
}

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
