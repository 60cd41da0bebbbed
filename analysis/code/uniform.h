/* SPDX-License-Identifier: MIT */
/* uniform.h - what all threads of a block agree on, and their numbers. */
#ifndef MESI_ANALYSIS_UNIFORM_H
#define MESI_ANALYSIS_UNIFORM_H

#include "analysis/code/instance.h"

struct uniform {
  struct code *code;   /* scanned */
  struct instances in; /* of its launch's threads */
  /* by variable id: it may change by other ways than assignments to it */
  bool *escapes;
};

void uniform_analyze(struct code *, struct uniform *ret);
/* A local or parameter that has one value for all threads of a block that come to a place together.
 */
bool uniform_var(const struct uniform *, const struct ir_var *var);
/* Such a value, which may be computed once more without harm where some thread computes it; it
 * reads no memory that the kernel writes. */
bool uniform_expr(const struct uniform *, struct ir_expr *expr);
/* A statement that computes uniform variables and does nothing else. */
bool uniform_stmt(const struct uniform *, struct ir_stmt *stmt);
/* A loop that all threads of a block go through together, whatever its body does. */
bool uniform_loop(const struct uniform *, struct ir_stmt *loop);

struct ir_expr *block_threads(struct code *); /* how many threads a block has; int */
/* of a thread in its block, x first; unsigned */
struct ir_expr *block_thread_number(struct code *);

#endif
