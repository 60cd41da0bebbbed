/* SPDX-License-Identifier: MIT */
/* untile.h - shared arrays that a kernel fills as tiles by hand are taken out again. */
#ifndef MESI_ANALYSIS_UNTILE_H
#define MESI_ANALYSIS_UNTILE_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_untile(struct draft *);
/* Loops over tiles that go through whole tiles only: what they leave out is asked to be nothing. */
unsigned untile_ask(struct code *, struct ir_expr **ret, unsigned most);

#endif
