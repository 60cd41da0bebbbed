/* SPDX-License-Identifier: MIT */
/* block_rows.h - a row a block becomes rows of threads. */
#ifndef MESI_ANALYSIS_BLOCK_ROWS_H
#define MESI_ANALYSIS_BLOCK_ROWS_H

#include "analysis/code/draft.h"

/* Does each block have a row, with a thread for each of its elements? */
bool block_rows_may(struct code *);

/* The row of transforms.c. Sets draft->extents where it takes the kernel. */
bool plan_block_rows(struct draft *);

#endif
