/* SPDX-License-Identifier: MIT */
/* flat_digits.h - the digits of a flat id, in a base of several numbers. */
#ifndef MESI_ANALYSIS_FLAT_DIGITS_H
#define MESI_ANALYSIS_FLAT_DIGITS_H

#include "analysis/code/polynomial.h"
#include "analysis/code/shape_linear.h"

enum { MOST_DIGITS = 6 };

/* floor(id / low), or that modulo high / low. Both are one term each: a product of numbers that the
 * host knows. */
struct flat_part {
  bool known, bounded;
  struct polynomial low, high;
};

/* id = digit 0 + sizes[0] * (digit 1 + sizes[1] * (digit 2 + ...)); the last one has no size.
 * places[i] is the product of the sizes below i. */
struct flat_digits {
  struct code *code;
  struct shaping shaping;
  struct polynomial places[MOST_DIGITS], sizes[MOST_DIGITS];
  unsigned count, depth;
  bool mixed; /* there are more places than digits, or they are no digits of one number */
  struct ir_var *digits[MOST_DIGITS];
  struct polynomial limit; /* the id of each element is less; known == false: there is none */
};

/* Finds the digits that the kernel's body needs. False: it takes no id apart, or not so. */
bool flat_find(struct flat_digits *, struct code *code);
struct flat_part flat_part_of(struct flat_digits *, struct ir_expr *);
/* The part from the digits, as an int. */
struct ir_expr *flat_part_expr(struct flat_digits *, const struct flat_part *);
/* A number that the host knows, as a polynomial. False: it does not know it. */
bool flat_host_number(struct flat_digits *, struct ir_expr *, struct polynomial *ret);
/* A term in long long. */
struct ir_expr *flat_wide(struct arena *, const struct polynomial *);
/* The body with a local for each value of a local that is set several times on one level:
 *
 *     int b = i / n; i = i % n; int r = i / w;     =>     int i_2 = i % n; int r = i_2 / w; */
struct ir_stmt *flat_single_names(struct code *, struct ir_stmt *body);

#endif
