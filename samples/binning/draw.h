/* draw.h - the same numbers on every machine. */
#ifndef LIMITED_RANDOM_H
#define LIMITED_RANDOM_H

#include <stdint.h>

static inline uint64_t random_bits(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* As if so many numbers had been drawn. */
static inline void random_skip(uint64_t *state, uint64_t count)
{
  *state += count * 0x9e3779b97f4a7c15u;
}

/* In [0, 1). */
static inline double random_unit(uint64_t *state)
{
  return (double)(random_bits(state) >> 11) * 0x1p-53;
}

static inline long random_below(uint64_t *state, long limit)
{
  return (long)(random_unit(state) * (double)limit);
}

/* A float in [0, limit), strictly below it after rounding too. */
static inline float random_place(uint64_t *state, float limit)
{
  float ret = (float)(random_unit(state) * limit);
  return ret < limit ? ret : 0;
}

#endif
