/* SPDX-License-Identifier: MIT */
/* lower.h - turns isl affine forms and sets back into IR expressions. */
#ifndef MESI_ANALYSIS_LOWER_H
#define MESI_ANALYSIS_LOWER_H

#include "analysis/sets/symbol.h"

/* The value of a symbol; NULL for unknowns. */
struct ir_expr *lower_symbol(struct symbols *, const struct symbol *);
/* A form of one piece over symbols with values. NULL: it is none. */
struct ir_expr *lower_aff(struct symbols *, __isl_keep isl_pw_aff *aff);
struct ir_expr *lower_wide(struct symbols *, __isl_keep isl_pw_aff *aff); /* in long long */
/* The same for a value known to be within 0 ... 2^31 - 1: no casts where 32-bit arithmetic gives
 * the value anyway. */
struct ir_expr *lower_index(struct symbols *, __isl_keep isl_pw_aff *aff);
/* The condition of a set { [d0, d1, ...] : ... }, with dims[i] for dimension i. NULL: it has no
 * form, or more than `limit` constraints. Without dims the arithmetic is in long long. The universe
 * is the constant 1, the empty set the constant 0. */
struct ir_expr *lower_set(struct symbols *, __isl_keep isl_set *set, struct ir_var *const *dims,
                          unsigned limit);

const struct ir_type *lower_int_type(struct arena *, bool wide); /* int or long long */

#endif
