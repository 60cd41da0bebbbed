/* SPDX-License-Identifier: MIT */
/* period.h - the period of a sequence, found while the sequence grows. Internal to the runtime.
 *
 *     a b a b a b a b ...      period 2, once PERIOD_EVIDENCE elements in a row equal those
 *                              two before
 */
#ifndef MESI_PERIOD_H
#define MESI_PERIOD_H

#include <stdint.h>

enum {
  MESI_PERIOD_MAX = 16,     /* longest period */
  MESI_PERIOD_EVIDENCE = 16 /* elements that have to repeat */
};

struct mesi_period { /* zeroed: no elements yet */
  /* the elements before, at position modulo MESI_PERIOD_MAX */
  uint64_t last[MESI_PERIOD_MAX];
  /* by distance d: the elements in a row that equal the one d before */
  unsigned repeats[MESI_PERIOD_MAX + 1];
  unsigned long long count; /* elements seen */
};

/* Adds an element, given by its hash. Returns the smallest period of the latest elements, or 0. */
unsigned mesi_period_add(struct mesi_period *, uint64_t hash);

#endif
