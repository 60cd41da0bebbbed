/* SPDX-License-Identifier: MIT */
/* specialize_parts.h - the look at a kernel, for the files of this folder. */
#ifndef MESI_ANALYSIS_SPECIALIZE_PARTS_H
#define MESI_ANALYSIS_SPECIALIZE_PARTS_H

#include "analysis/code/number.h"

enum { MOST_ARRAYS = 16 };

struct looking {
  struct code *code;
  struct numbers numbers;
  double around, unrolled; /* executions of this place; iterations of short loops around it */
  double operations, saved;
  const struct ir_var *arrays[MOST_ARRAYS];
  double bytes[MOST_ARRAYS]; /* of a thread, without those that short loops load again */
  unsigned array_count;
};

/* The loop's iterations, with arguments as constants; -1: not known. *ret_now: they are constants
 * without that. */
double specialize_trips(struct looking *, const struct ir_stmt *stmt, bool *ret_now);
/* specialize_floats.c: does nvcc fuse the same products and sums of floats with the constants? */
bool specialize_keeps_bits(struct looking *, struct ir_stmt *body);

#endif
