/* phantom.h - a head of ellipsoids and its Fourier transform, in closed form (Shepp and Logan 1974
 * in three dimensions, with the contrast of Toft 1996; the first six of them, upright). Coordinates
 * of the image are in units of half of its field of view. */
#ifndef GRIDDING_PHANTOM_H
#define GRIDDING_PHANTOM_H

#include <math.h>

enum { PHANTOM_BODIES = 6 };

static const struct phantom_body {
  double density, axes[3], centre[3];
} phantom_bodies[PHANTOM_BODIES] = {
    {1.0, {0.69, 0.92, 0.81}, {0, 0, 0}},     {-0.8, {0.6624, 0.874, 0.78}, {0, -0.0184, 0}},
    {-0.2, {0.11, 0.31, 0.22}, {0.24, 0, 0}}, {-0.2, {0.16, 0.41, 0.28}, {-0.24, 0, 0}},
    {0.25, {0.21, 0.25, 0.41}, {0, 0.35, 0}}, {0.3, {0.12, 0.1, 0.1}, {0, -0.45, 0}},
};

/* The density at a place. */
static double phantom_density(const double *at)
{
  double ret = 0;

  for (int i = 0; i < PHANTOM_BODIES; i++) {
    const struct phantom_body *body = &phantom_bodies[i];
    double square = 0;
    for (int a = 0; a < 3; a++) {
      double x = (at[a] - body->centre[a]) / body->axes[a];
      square += x * x;
    }
    ret += square <= 1 ? body->density : 0;
  }
  return ret;
}

/* Of exp(-2 pi i k x) times the density, over all places x. */
static void phantom_transform(const double *k, double *ret_real, double *ret_imaginary)
{
  *ret_real = *ret_imaginary = 0;
  for (int i = 0; i < PHANTOM_BODIES; i++) {
    const struct phantom_body *body = &phantom_bodies[i];
    double square = 0, phase = 0, volume = 1;
    for (int a = 0; a < 3; a++) {
      square += k[a] * body->axes[a] * k[a] * body->axes[a];
      phase += k[a] * body->centre[a];
      volume *= body->axes[a];
    }
    double q = 6.283185307179586 * sqrt(square);
    double ball = q < 1e-2 ? (1 - q * q / 10) / 3 : (sin(q) - q * cos(q)) / (q * q * q);
    double size = body->density * volume * 12.566370614359172 * ball;
    *ret_real += size * cos(6.283185307179586 * phase);
    *ret_imaginary -= size * sin(6.283185307179586 * phase);
  }
}

#endif
