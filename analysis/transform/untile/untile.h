/* SPDX-License-Identifier: MIT */
/* untile.h - removes shared arrays that a kernel fills as tiles by hand. */
#ifndef MESI_ANALYSIS_UNTILE_H
#define MESI_ANALYSIS_UNTILE_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_untile(struct draft *);
/* Conditions under which loops over whole tiles leave no rest. Writes at most `most` to `ret`, and
 * returns their number. */
unsigned untile_ask(struct code *, struct ir_expr **ret, unsigned most);

#endif
