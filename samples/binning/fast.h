/* fast.h - functions for the host's share, within a few roundings of float, that compilers turn
 * into vectors: those of the library may set errno.
 */
#ifndef LIMITED_FAST_H
#define LIMITED_FAST_H

#include <stdint.h>
#include <string.h>

/* 1 / sqrt(x) for normal x: a guess from the exponent, and Newton's steps. */
static inline HOST_INLINE float fast_inverse_root(float x)
{
  int32_t bits;
  float y;
  memcpy(&bits, &x, sizeof bits);
  bits = 0x5f375a86 - (bits >> 1);
  memcpy(&y, &bits, sizeof y);
  for (int step = 0; step < 3; step++) y = y + 0.5f * y * (1 - x * y * y);
  return y;
}

/* exp(x), x from -87 (less counts as that) to 88: a power of two and the series of what is left, of
 * at most ln(2) / 2. */
static inline HOST_INLINE float fast_exp(float x)
{
  float clipped = x < -87 ? -87 : x, scaled = clipped * 1.44269504f;
  int32_t power = (int32_t)(scaled + (scaled < 0 ? -0.5f : 0.5f)), bits = (power + 127) << 23;
  float rest = (clipped - (float)power * 0.693145752f) - (float)power * 1.42860677e-6f, two;
  float series =
      1 + rest * (1 + rest * (0.5f + rest * (1 / 6.0f +
                                             rest * (1 / 24.0f +
                                                     rest * (1 / 120.0f + rest * (1 / 720.0f))))));
  memcpy(&two, &bits, sizeof two);
  return series * two;
}

#endif
