/* SPDX-License-Identifier: MIT */
/* math.c - mathematical functions of CUDA that the C library lacks. */
#define _GNU_SOURCE
#include <math.h>

double mesi_cpu_erfinv(double x);
double mesi_cpu_erfcinv(double x);
double mesi_cpu_erfcx(double x);
double mesi_cpu_bessel_i0(double x);
double mesi_cpu_bessel_i1(double x);
double mesi_cpu_sinpi(double x);
double mesi_cpu_cospi(double x);

static const double two_over_sqrt_pi = 1.12837916709551257390,
                    one_over_sqrt_pi = 0.56418958354775628695;

/* First guess by Winitzki's formula, then Newton steps with Halley's correction. */
double mesi_cpu_erfinv(double x)
{
  if (!(x > -1 && x < 1)) return x == 1 ? INFINITY : x == -1 ? -INFINITY : NAN;
  if (fabs(x) > 0.5) return x < 0 ? -mesi_cpu_erfcinv(1 + x) : mesi_cpu_erfcinv(1 - x);
  double a = 0.147, l = log1p(-x * x), t = 2 / (M_PI * a) + l / 2;
  double y = copysign(sqrt(sqrt(t * t - l / a) - t), x);
  for (int i = 0; i < 3; i++) {
    double step = (erf(y) - x) / (two_over_sqrt_pi * exp(-y * y));
    y -= step / (1 + y * step);
  }
  return y;
}

double mesi_cpu_erfcinv(double x)
{
  if (!(x > 0 && x < 2)) return x == 0 ? INFINITY : x == 2 ? -INFINITY : NAN;
  if (x > 1.5) return -mesi_cpu_erfcinv(2 - x);
  if (x > 0.5) return mesi_cpu_erfinv(1 - x);
  double l = -log(x), y = sqrt(fmax(l - 0.5 * log(M_PI * fmax(l, 0.3)), 0.05));
  for (int i = 0; i < 8; i++) { /* on log(erfc), which is nearly quadratic */
    double value = mesi_cpu_erfcx(y), difference = log(value) - y * y + l;
    y += difference / (two_over_sqrt_pi / value);
  }
  return y;
}

double mesi_cpu_erfcx(double x)
{
  if (x < 20) return exp(x * x) * erfc(x);
  double q = 1 / (2 * x * x), sum = 1, term = 1;
  for (int k = 1; k < 12; k++) sum += term *= -(2 * k - 1) * q;
  return one_over_sqrt_pi / x * sum;
}

/* Power series; large arguments by the asymptotic series (Abramowitz and Stegun 9.7.1). */
static double bessel_i(int order, double x)
{
  double a = fabs(x), sum, term, mu = 4.0 * order * order;
  if (a > 40) {
    sum = term = 1;
    for (int k = 1; k < 20; k++) sum += term *= -(mu - (2 * k - 1) * (2 * k - 1)) / (k * 8 * a);
    sum *= exp(a / 2) / sqrt(2 * M_PI * a) * exp(a / 2);
  } else {
    sum = term = order ? a / 2 : 1;
    for (int k = 1; k < 200 && term > sum * 1e-18; k++)
      sum += term *= a * a / 4 / (k * (double)(k + order));
  }
  return order && x < 0 ? -sum : sum;
}

double mesi_cpu_bessel_i0(double x) { return bessel_i(0, x); }

double mesi_cpu_bessel_i1(double x) { return bessel_i(1, x); }

/* Reduces the argument before the multiplication by pi, so that half-integers are exact. */
static double sine_of_turns(double half_turns, int quarter)
{
  if (!isfinite(half_turns)) return NAN;
  double nearest = rint(2 * half_turns), rest = (half_turns - nearest / 2) * M_PI;
  switch (((int)fmod(nearest, 4) + quarter) & 3) {
  case 0: return sin(rest);
  case 1: return cos(rest);
  case 2: return -sin(rest);
  default: return -cos(rest);
  }
}

double mesi_cpu_sinpi(double x) { return x == 0 ? x : sine_of_turns(x, 0) + 0.0; }

double mesi_cpu_cospi(double x) { return sine_of_turns(x, 1) + 0.0; }
