/* SPDX-License-Identifier: MIT */
/* invariant_division.h - divisions by numbers of the launch become multiplications. */
#ifndef MESI_ANALYSIS_INVARIANT_DIVISION_H
#define MESI_ANALYSIS_INVARIANT_DIVISION_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_invariant_division(struct draft *);

#endif
