/* SPDX-License-Identifier: MIT */
/* constants_math.h - numbers with the arithmetic of C++ on the host: wrapping, truncation, usual
 * conversions. */
#ifndef MESI_ANALYSIS_CONSTANTS_MATH_H
#define MESI_ANALYSIS_CONSTANTS_MATH_H

#include "translator/ir/ir.h"

struct number {
  bool is_float;
  int size;         /* bytes */
  bool is_unsigned; /* integers */
  int64_t integer;  /* the bits of a 64-bit unsigned one */
  double real;      /* rounded to float where size is 4 */
};

/* Is it bool, an integer, float or double? A reference to one of these is none. */
bool number_type(const struct ir_type *);
struct number number_of_int(int64_t value, const struct ir_type *); /* type NULL: int */
bool number_of_literal(const char *text, const struct ir_type *, struct number *ret);
bool number_true(struct number);
/* All below: false, with an undefined result, where C++ leaves it undefined or where it is not
 * known here. */
bool number_convert(struct number *, const struct ir_type *);
bool number_unary(enum ir_op, struct number *);
bool number_binary(enum ir_op, struct number left, struct number right, struct number *ret);
bool number_call(const char *name, const struct number *arguments, unsigned count,
                 struct number *ret);

#endif
