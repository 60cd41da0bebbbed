/* SPDX-License-Identifier: MIT */
/* value.h - the integer value of an expression: an affine form, plus terms with symbolic
 * strides. */
#ifndef MESI_ANALYSIS_VALUE_H
#define MESI_ANALYSIS_VALUE_H

#include "analysis/sets/symbol.h"

enum { VALUE_TERMS = 6 };

struct value_term {        /* coefficient * stride[0] * ... */
  isl_pw_aff *coefficient; /* owned */
  /* block-uniform, by index; at least one, and NULL after the last one */
  struct symbol *stride[STRIDE_FACTORS];
};

struct value {     /* aff + sum of terms. Owned; a zeroed one is "not known" */
  isl_pw_aff *aff; /* [symbols] -> { [value] }; NULL: not known */
  struct value_term terms[VALUE_TERMS];
  unsigned term_count;
  bool
      modulo; /* it is only known to be the same modulo 2^64; walk_offset alone gives such values */
};

struct value value_take(__isl_take isl_pw_aff *aff);
struct value value_copy(const struct value *);
void value_free(struct value *); /* NULL and unknown are fine; leaves it unknown */
bool value_same(const struct value *, const struct value *); /* plainly the same */
bool value_constant(const struct value *, int64_t *ret);
/* Is it a whole number from -most to most? Else false, and *ret is 0. */
bool value_number(__isl_take isl_val *, int64_t most, int64_t *ret);
/* The form in one piece, without divisions. NULL: it has several, or divisions, or is not known. */
__isl_give isl_aff *value_plain(__isl_keep isl_pw_aff *form);

/* These take their operands. Unknown operands, and results without a form, give an unknown
 * value. */
struct value value_add(struct value a, struct value b);
struct value value_neg(struct value a);
struct value value_sub(struct value a, struct value b);
struct value value_scale(struct value a, int64_t by);
struct value value_mul(struct symbols *, struct value a, struct value b);
/* Whole multiples of a stride go into the coefficient of its term: y * n + x - n becomes
 * (y - 1) * n + x, an index of the row above. */
struct value value_gather(struct symbols *, struct value a);
/* Replaces terms with block-uniform coefficients by symbols. The value is unknown if a term
 * remains. */
struct value value_flatten(struct symbols *, struct value a);
/* Division and remainder by a positive constant, as C truncates. `non_negative`: of the
 * dividend. */
struct value value_div(struct value a, int64_t by, bool non_negative);
struct value value_rem(struct value a, int64_t by, bool non_negative);
struct value value_floor_div(struct value a, int64_t by);
struct value value_mod(struct value a, int64_t by); /* 0 <= result < by */

/* The least and the greatest value over `domain` (closed here); infinite, or NaN if not known. */
void value_interval(struct symbols *, const struct value *, __isl_keep isl_set *domain,
                    isl_val **ret_low, isl_val **ret_high);
/* Is low <= value <= high for all symbols in `domain` (closed here)? NULL bounds are not tested. */
bool value_within(struct symbols *, const struct value *, __isl_keep isl_set *domain,
                  __isl_take isl_val *low, __isl_take isl_val *high);
bool value_fits(struct symbols *, const struct value *, __isl_keep isl_set *domain,
                const struct ir_type *);

#endif
