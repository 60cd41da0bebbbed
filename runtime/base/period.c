/* SPDX-License-Identifier: MIT */
/* period.c - the period of a sequence, found while the sequence grows. */
#include "period.h"

#include <stdbool.h>

unsigned mesi_period_add(struct mesi_period *period, uint64_t hash)
{
  unsigned found = 0;

  for (unsigned d = 1; d <= MESI_PERIOD_MAX; d++) {
    bool same = d <= period->count && period->last[(period->count - d) % MESI_PERIOD_MAX] == hash;
    period->repeats[d] = same ? period->repeats[d] + 1 : 0;
    if (!found && period->repeats[d] >= MESI_PERIOD_EVIDENCE) found = d;
  }
  period->last[period->count++ % MESI_PERIOD_MAX] = hash;
  return found;
}
