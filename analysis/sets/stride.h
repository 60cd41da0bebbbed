/* SPDX-License-Identifier: MIT */
/* stride.h - products of symbols that are the strides of indices. Each has its factors by index,
 * and NULL after the last one. */
#ifndef MESI_ANALYSIS_STRIDE_H
#define MESI_ANALYSIS_STRIDE_H

#include "analysis/sets/symbol.h"

bool stride_same(struct symbol *const a[STRIDE_FACTORS], struct symbol *const b[STRIDE_FACTORS]);
void stride_copy(struct symbol *to[STRIDE_FACTORS], struct symbol *const from[STRIDE_FACTORS]);
unsigned stride_count(struct symbol *const stride[STRIDE_FACTORS]); /* of factors */
/* Multiplies by a symbol. False: there would be too many factors; then nothing changes. */
bool stride_times(struct symbol *stride[STRIDE_FACTORS], struct symbol *by);
/* The factors of `of` that `by` has not. False: `by` has others. */
bool stride_quotient(struct symbol *const of[STRIDE_FACTORS],
                     struct symbol *const by[STRIDE_FACTORS], struct symbol *ret[STRIDE_FACTORS]);
bool stride_has(struct symbol *const stride[STRIDE_FACTORS], const struct symbol *factor);
/* expr * stride. NULL: no part of it has a form. */
struct ir_expr *stride_expr(struct symbols *, struct ir_expr *expr,
                            struct symbol *const stride[STRIDE_FACTORS]);

#endif
