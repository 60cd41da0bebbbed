/* SPDX-License-Identifier: MIT */
/* specialize.h - arguments that are the same number in all launches become constants. */
#ifndef MESI_ANALYSIS_SPECIALIZE_H
#define MESI_ANALYSIS_SPECIALIZE_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_specialize(struct draft *);

#endif
