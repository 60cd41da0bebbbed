/* cache.h - which functions of a bucket are kept in on-chip memory, and what that gives by the
 * model of the MPF paper. */
#ifndef MPF_CACHE_H
#define MPF_CACHE_H

#include <stdbool.h>

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MPF_CACHED_FUNCTIONS = 64 };

struct mpf_cache {
  size_t used;                         /* numbers, those before the first segment included */
  size_t places[MPF_CACHED_FUNCTIONS]; /* where the segments of cached functions start */
  bool cached[MPF_CACHED_FUNCTIONS];
};

/* The greedy knapsack of section 5.1.2: by lifetime for each number of the segment, where a block
 * uses each value twice at least. The first `taken` of `capacity` numbers are not free. */
void mpf_cache_choose(const struct mpf_plan *, size_t capacity, size_t taken,
                      struct mpf_cache *ret);

/* Reads of function f that go to memory, of one: all where it is not cached, else what fills its
 * segment. */
double mpf_cache_misses(const struct mpf_plan *, const struct mpf_cache *, unsigned f);
/* Equation 6: operations for each number read or written. */
double mpf_cache_intensity(const struct mpf_plan *, const struct mpf_cache *);

#ifdef __cplusplus
}
#endif
#endif
