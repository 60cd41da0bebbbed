/* SPDX-License-Identifier: MIT */
/* interval.h - bounds of affine forms by interval arithmetic: fast and correct, but not always
 * tight.
 *
 * Most questions of the walk ("can this sum leave its type?") have an answer far from the limit.
 * The sum of the symbols' intervals gives it without integer programming; value.c asks isl only
 * where this is not enough. */
#ifndef MESI_ANALYSIS_INTERVAL_H
#define MESI_ANALYSIS_INTERVAL_H

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>

#include "analysis/sets/symbol.h"

/* Do the constant bounds of single symbols prove low <= aff <= high (NULL: no limit) at every point
 * of `domain`? False: they do not tell. */
bool interval_within(struct symbols *, __isl_keep isl_pw_aff *aff, __isl_keep isl_set *domain,
                     __isl_keep isl_val *low, __isl_keep isl_val *high);

/* The numbers between which the symbol's own bounds leave it. False: there are none. */
bool interval_of_symbol(struct symbols *, struct symbol *, int64_t *ret_low, int64_t *ret_high);

/* Frees the data that is kept between calls; symbols_finish calls it. */
void interval_forget(struct symbols *);

#endif
