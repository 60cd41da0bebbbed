/* SPDX-License-Identifier: MIT */
/* block_digits.h - blocks in a row whose threads take their number apart become blocks with rows of
 * threads. */
#ifndef MESI_ANALYSIS_BLOCK_DIGITS_H
#define MESI_ANALYSIS_BLOCK_DIGITS_H

#include "analysis/code/draft.h"

/* The row of transforms.c: for kernels that are free of their shape then. */
bool plan_block_digits(struct draft *);

/* Gives the threads of the code's blocks an index along x and one along y. The facts follow. False:
 * the code's threads do not take their number apart, and nothing has changed. */
bool block_digits_split(struct code *, struct extents *ret);
/* Swaps the block's indices along x and y if sums of the code show that they lie so. The facts and
 * `extents` follow. */
void block_digits_turn(struct code *, struct extents *);
/* A condition or an id of the code, in the axes of the launch as written. */
struct ir_expr *block_digits_written(struct arena *, const struct extents *, struct ir_expr *);

#endif
