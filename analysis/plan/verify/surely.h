/* SPDX-License-Identifier: MIT */
/* surely.h - the certain events of any launch at the place where the walk stands. */
#ifndef MESI_ANALYSIS_SURELY_H
#define MESI_ANALYSIS_SURELY_H

#include "analysis/access/walk.h"

/* Is `bad` (taken), a set of symbols, certainly not empty where the walk stands, whatever the
 * launch's arguments are? `grid` as in struct kernel_facts. */
bool surely_happens(struct walk *, const int64_t grid[3], __isl_take isl_set *bad);

#endif
