/* SPDX-License-Identifier: MIT */
/* byte_rows.h - rows that lie a number of bytes apart become rows of elements. */
#ifndef MESI_ANALYSIS_BYTE_ROWS_H
#define MESI_ANALYSIS_BYTE_ROWS_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_byte_rows(struct draft *);
/* Conditions on parameters under which the rows are whole elements apart, at most `most`; how
 * many. */
unsigned byte_rows_ask(struct code *, struct ir_expr **ret, unsigned most);
/* Does the body step through elements by bytes? */
bool byte_rows_may(const struct ir_function *);

#endif
