/* SPDX-License-Identifier: MIT */
/* number.h - integers of the code that follow from constants, the block's shape and a thread's
 * number. */
#ifndef MESI_ANALYSIS_NUMBER_H
#define MESI_ANALYSIS_NUMBER_H

#include "analysis/code/code.h"

enum { MOST_SET = 8 };

struct numbers {
  const struct code *code;
  int64_t block[3]; /* threads of a block; -1: not known */
  int64_t thread;   /* its number in the block, along x first, for which all of `block` are known;
                     * -1: no thread's */
  const struct ir_var *vars[MOST_SET]; /* locals that have a value at present */
  int64_t values[MOST_SET];
  unsigned count;
};

/* The integer's value. False: it depends on something else. */
bool number_of(const struct numbers *, struct ir_expr *expr, int64_t *ret);
/* a op b, of integers. False: it has no value, or none of 64 bits; && and || are none of these. */
bool number_apply(enum ir_op op, int64_t a, int64_t b, int64_t *ret);
/* Sets the local. False: there are too many. */
bool number_set(struct numbers *, const struct ir_var *var, int64_t value);

#endif
