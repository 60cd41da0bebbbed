/* SPDX-License-Identifier: MIT */
/* restrict.h - parameters that a launch has found to lead to different memory are said to. */
#ifndef MESI_ANALYSIS_RESTRICT_H
#define MESI_ANALYSIS_RESTRICT_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_restrict(struct draft *);

#endif
