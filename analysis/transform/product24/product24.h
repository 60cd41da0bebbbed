/* SPDX-License-Identifier: MIT */
/* product24.h - products of 24 bits become plain ones. */
#ifndef MESI_ANALYSIS_PRODUCT24_H
#define MESI_ANALYSIS_PRODUCT24_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_product24(struct draft *);
/* Conditions on parameters and the grid under which the products are plain, at most `most`; how
 * many. */
unsigned product24_ask(struct code *, struct ir_expr **ret, unsigned most);
/* Is it a call of __mul24 or __umul24? */
bool product24_is(const struct ir_expr *);

#endif
