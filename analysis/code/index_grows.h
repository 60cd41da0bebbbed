/* SPDX-License-Identifier: MIT */
/* index_grows.h - numbers that grow with a thread's index, by their form. */
#ifndef MESI_ANALYSIS_INDEX_GROWS_H
#define MESI_ANALYSIS_INDEX_GROWS_H

#include "translator/ir/ir.h"

/* Does the expression name an index of a thread or a block? */
bool index_named(const struct ir_expr *expr);
/* An id in virtual shape, from 0 to INT_MAX, or a part of it: (blockIdx.x * 1024 + threadIdx.x) /
 * 4. */
bool index_is_id(const struct ir_expr *expr);
/* Does the number of type int grow with the index of a thread, or stay? */
bool index_grows(const struct ir_expr *expr);

#endif
