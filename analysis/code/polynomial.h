/* SPDX-License-Identifier: MIT */
/* polynomial.h - integer expressions as sums of products, to decide whether two of them are equal
 * for all values of their variables. */
#ifndef MESI_ANALYSIS_POLYNOMIAL_H
#define MESI_ANALYSIS_POLYNOMIAL_H

#include "translator/ir/ir_rewrite.h"

enum { POLYNOMIAL_TERMS = 16, POLYNOMIAL_FACTORS = 4 };

struct polynomial_term {
  int64_t coefficient; /* not 0 */
  unsigned factor_count;
  const struct ir_expr *factors[POLYNOMIAL_FACTORS]; /* without conversions around them */
};

struct polynomial {
  bool known; /* false: too many terms or factors, or a coefficient beyond 64 bits */
  unsigned count;
  struct polynomial_term terms[POLYNOMIAL_TERMS]; /* no two with the same factors */
};

/* The polynomial of an expression of an integer type. A part that is no sum, difference, product or
 * shift by a constant is a factor as it is. Conversions between integer types of at least 32 bits
 * are ignored as long as they make no wrap-around visible: one from an unsigned type to a wider one
 * is a factor. */
struct polynomial polynomial_of(struct ir_expr *);
struct polynomial polynomial_constant(int64_t);
struct polynomial polynomial_sum(const struct polynomial *, const struct polynomial *,
                                 int64_t times); /* a + times * b */
struct polynomial polynomial_product(const struct polynomial *, const struct polynomial *);
/* The polynomial with `value` in the place of a variable. */
struct polynomial polynomial_swap(const struct polynomial *, const struct ir_var *,
                                  const struct polynomial *value);
/* a / b for one term b. False: it leaves a remainder. */
bool polynomial_quotient(const struct polynomial *a, const struct polynomial *b,
                         struct polynomial *ret);
/* Divides all coefficients. False: one of them leaves a remainder. */
bool polynomial_divide(struct polynomial *, int64_t by);
/* An expression of type int, whose factors are converted to it. */
struct ir_expr *polynomial_expr(struct arena *, const struct polynomial *);
bool polynomial_same(const struct polynomial *, const struct polynomial *);
/* Does a factor name the variable below its top? */
bool polynomial_hides(const struct polynomial *, const struct ir_var *);

#endif
