/* SPDX-License-Identifier: MIT */
/* untile.h - removes shared arrays that a kernel fills as tiles by hand. */
#ifndef MESI_ANALYSIS_UNTILE_H
#define MESI_ANALYSIS_UNTILE_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_untile(struct draft *);
/* Conditions under which loops over whole tiles leave no rest. Writes at most `most` to `ret`, and
 * returns their number. */
/* Has it tiles, and pointers that walk or unsigned indices? The rows then ask for sizes that are no
 * more than UNTILE_SMALL. */
enum { UNTILE_SMALL = 32767 };
bool untile_walks(const struct ir_function *kernel);
unsigned untile_ask(struct code *, struct ir_expr **ret, unsigned most);

#endif
