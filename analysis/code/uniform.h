/* SPDX-License-Identifier: MIT */
/* uniform.h - the values on which all threads of a block agree, and the threads' numbers. */
#ifndef MESI_ANALYSIS_UNIFORM_H
#define MESI_ANALYSIS_UNIFORM_H

#include "analysis/code/instance.h"

struct uniform {
  struct code *code;   /* scanned */
  struct instances in; /* of its launch's threads */
  /* By variable id: it may change in other ways than by assignments to it. */
  bool *escapes;
};

void uniform_analyze(struct code *, struct uniform *ret);
/* Has the local or parameter one value for all threads of a block that reach a place together? */
bool uniform_var(const struct uniform *, const struct ir_var *var);
/* Is it such a value, which may be computed once more without harm where some thread computes it?
 * It reads no memory that the kernel writes. */
bool uniform_expr(const struct uniform *, struct ir_expr *expr);
/* Does the statement only compute uniform variables? */
bool uniform_stmt(const struct uniform *, struct ir_stmt *stmt);
/* Do all threads of a block go through the loop together, whatever its body does? */
bool uniform_loop(const struct uniform *, struct ir_stmt *loop);

struct ir_expr *block_threads(struct code *); /* the number of threads of a block; int */
/* The thread's number in its block, x first; unsigned. */
struct ir_expr *block_thread_number(struct code *);

#endif
