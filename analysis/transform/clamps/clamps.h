/* SPDX-License-Identifier: MIT */
/* clamps.h - numbers that several ifs keep within limits. */
#ifndef MESI_ANALYSIS_CLAMPS_H
#define MESI_ANALYSIS_CLAMPS_H

#include "analysis/code/draft.h"

/* The body with a local of its own for each such number behind its ifs; *ret_count: how many. */
struct ir_stmt *clamps_joined(struct code *, struct ir_stmt *body, unsigned *ret_count);

/* The row of transforms.c. */
bool plan_clamps(struct draft *draft);

#endif
