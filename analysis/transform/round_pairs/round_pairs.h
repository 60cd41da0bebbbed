/* SPDX-License-Identifier: MIT */
/* round_pairs.h - of sums of two products, the one that nvcc rounds is rounded in any case. */
#ifndef MESI_ANALYSIS_ROUND_PAIRS_H
#define MESI_ANALYSIS_ROUND_PAIRS_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_round_pairs(struct draft *);

#endif
