/* SPDX-License-Identifier: MIT */
/* instructions.h - the instructions and bytes of a thread, counted from its code: how much would
 * cheaper divisions and unrolled loops gain? */
#ifndef MESI_ANALYSIS_INSTRUCTIONS_H
#define MESI_ANALYSIS_INSTRUCTIONS_H

#include "analysis/code/number.h"

enum { MOST_COUNTED = 16 }; /* arrays */

struct instructions {
  const struct numbers *numbers; /* with them, iterations of loops are known */
  /* Does the division become a cheap one? Not asked of numbers that a block has in common. */
  bool (*is_cheap)(void *context, struct ir_expr *division);
  /* Do the loop's iterations become code, so that a thread keeps what they load again? NULL: none
   * does. */
  bool (*is_unrolled)(const void *context, const struct ir_stmt *loop);
  void *context;
  double assumed; /* iterations of a loop whose number is not known; 0: many */
  /* Calls inside calls of which the functions' bodies count; 0: a call is a few instructions. */
  unsigned calls;
  bool open; /* found: a loop of unknown length, or one that threads may leave early */
  double operations, saved; /* of a thread; the second of the first */
  const struct ir_var *arrays[MOST_COUNTED];
  double bytes[MOST_COUNTED]; /* of a thread, without those that unrolled loops load again */
  unsigned array_count;
  double around, unrolled; /* executions of the present place; iterations of unrolled loops */
};

/* Counts the statement, once. */
void instructions_count(struct instructions *, struct ir_stmt *);
/* Cycles of a multiprocessor that issues the instructions for a warp. */
double instructions_cycles(const struct instructions *);
/* The time as written over the time with what is saved: that of instructions or that of memory,
 * whichever is longer. */
double instructions_gain(const struct instructions *);
/* The loop's iterations by the numbers. -1: not known. `ret_now`: without them. */
double instructions_trips(const struct numbers *, const struct ir_stmt *loop, bool *ret_now);
#endif
