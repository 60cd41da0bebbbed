/* SPDX-License-Identifier: MIT */
/* hoist.h - loads that every iteration of a loop repeats, made once in front of it. */
#ifndef MESI_ANALYSIS_HOIST_H
#define MESI_ANALYSIS_HOIST_H

#include "analysis/code/draft.h"
#include "analysis/code/code.h"

/* Returns the number of loads that are kept in registers; the scan is dropped if there are any. */
/* carries: also keeps values that an iteration leaves for the next one */
unsigned hoist_loads(struct code *, bool carries);

/* The row of transforms.c. */
bool plan_hoist(struct draft *);

#endif
