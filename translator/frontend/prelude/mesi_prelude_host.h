/* SPDX-License-Identifier: MIT */
// mesi_prelude_host.h - declarations of the toolkit's cuda_runtime.h for host code, which clang's
// wrapper has only for the device.
#pragma GCC system_header
#include <limits.h>
#include <math.h>
#include <memory.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define MESI_HOST static inline __attribute__((host))
#define MESI_EXTREMES(type, left, right) \
  MESI_HOST type max(left a, right b) { return (type)a < (type)b ? b : a; } \
  MESI_HOST type min(left a, right b) { return (type)b < (type)a ? b : a; }
MESI_EXTREMES(int, int, int)
MESI_EXTREMES(unsigned int, unsigned int, unsigned int)
MESI_EXTREMES(unsigned int, int, unsigned int)
MESI_EXTREMES(unsigned int, unsigned int, int)
MESI_EXTREMES(long, long, long)
MESI_EXTREMES(unsigned long, unsigned long, unsigned long)
MESI_EXTREMES(unsigned long, long, unsigned long)
MESI_EXTREMES(unsigned long, unsigned long, long)
MESI_EXTREMES(long long, long long, long long)
MESI_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
MESI_EXTREMES(unsigned long long, long long, unsigned long long)
MESI_EXTREMES(unsigned long long, unsigned long long, long long)
MESI_EXTREMES(float, float, float)
MESI_EXTREMES(double, double, double)
MESI_EXTREMES(double, float, double)
MESI_EXTREMES(double, double, float)
#undef MESI_EXTREMES
MESI_HOST unsigned int umax(unsigned int a, unsigned int b) { return a < b ? b : a; }
MESI_HOST unsigned int umin(unsigned int a, unsigned int b) { return b < a ? b : a; }
MESI_HOST long long llmax(long long a, long long b) { return a < b ? b : a; }
MESI_HOST long long llmin(long long a, long long b) { return b < a ? b : a; }
MESI_HOST unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
  return a < b ? b : a;
}
MESI_HOST unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
  return b < a ? b : a;
}
MESI_HOST void sincos(float a, float *sine, float *cosine) { *sine = sinf(a), *cosine = cosf(a); }
#undef MESI_HOST
