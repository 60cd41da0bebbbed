/* SPDX-License-Identifier: MIT */
/* restrict.h - __restrict__ for parameters that, as a launch has found, lead to different
 * memory. */
#ifndef MESI_ANALYSIS_RESTRICT_H
#define MESI_ANALYSIS_RESTRICT_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_restrict(struct draft *);

#endif
