/* SPDX-License-Identifier: MIT */
/* if_convert.h - the stores in both arms of an if become one store of a selected value. */
#ifndef MESI_ANALYSIS_IF_CONVERT_H
#define MESI_ANALYSIS_IF_CONVERT_H

#include "analysis/code/draft.h"

/* Rewrites such ifs of draft->code and notes each in draft->formed. Returns their number. */
unsigned if_convert(struct draft *);

/* The row of transforms.c. */
bool plan_if_convert(struct draft *);

#endif
