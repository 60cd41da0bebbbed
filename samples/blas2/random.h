/* random.h - numbers for test cases: the same on every machine. */
#ifndef BLAS2_RANDOM_H
#define BLAS2_RANDOM_H

#include <stdint.h>

#include "blas2.h"

static inline uint64_t random_seed(long seed)
{
  return (uint64_t)seed * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint64_t next_random(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 16;
}

static inline real random_value(uint64_t *state)
{
  return (real)((double)(next_random(state) % 20001) / 10000 - 1);
}

static inline int random_of(uint64_t *state, const int *values, int count)
{
  return values[next_random(state) % (uint64_t)count];
}

#endif
