/* SPDX-License-Identifier: MIT */
/* promote.h - register promotion of array elements. */
#ifndef MESI_ANALYSIS_PROMOTE_H
#define MESI_ANALYSIS_PROMOTE_H

#include "analysis/code/draft.h"
#include "analysis/code/code.h"

/* Replaces code->facts.kernel's body. Returns the number of promoted elements. */
unsigned promote_registers(struct code *);

/* The row of transforms.c. */
bool plan_promote(struct draft *);

#endif
