/* SPDX-License-Identifier: MIT */
/* loop_collapse.h - two loops over neighbouring rows become one. */
#ifndef MESI_ANALYSIS_LOOP_COLLAPSE_H
#define MESI_ANALYSIS_LOOP_COLLAPSE_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_loop_collapse(struct draft *);
/* Writes to `ret` at most `most` conditions on parameters under which two loops are one. Returns
 * their number. */
unsigned loop_collapse_ask(struct code *, struct ir_expr **ret, unsigned most);

#endif
