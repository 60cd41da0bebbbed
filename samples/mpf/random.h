/* random.h - random buckets as in section 7.2.2 of the MPF paper: 2 to 4 functions, 1 to 10 values
 * a variable, 2 to 32 summation values, 1 to 18 variables shared between functions, 5 to 25
 * variables a function, strictly positive data.
 *
 * Counts are uniform; sizes would mostly be out of reach, so that each bucket has a complexity
 * drawn from the logarithmic range, and values are taken from random variables until it and the
 * memory limit are kept. */
#ifndef MPF_RANDOM_H
#define MPF_RANDOM_H

#include <stdint.h>

#include "bucket.h"

enum { MPF_RANDOM_SUMMED = 5 };

struct mpf_random {
  uint64_t seed;
  /* variables that are summed out, at most MPF_RANDOM_SUMMED, 32 summands together; 0: one, which
   * all functions have */
  unsigned summed;
  double least_flop, most_flop; /* of a bucket */
  size_t most_bytes;            /* of its tables and output */
};

uint64_t mpf_random_next(uint64_t *state);

/* The bucket of a number: always the same one for a seed. 0, or -1 when out of memory. */
int mpf_random_bucket(const struct mpf_random *, unsigned number, struct mpf_bucket *ret);
/* Values of a table: from 1/16 to 1, or the logarithms of such with `spread` times their range. */
void mpf_random_values(uint64_t seed, enum mpf_domain, real spread, real *values, size_t count);

#endif
