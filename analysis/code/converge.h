/* SPDX-License-Identifier: MIT */
/* converge.h - brings all threads of a block to statements that need them all. */
#ifndef MESI_ANALYSIS_CONVERGE_H
#define MESI_ANALYSIS_CONVERGE_H

#include "analysis/code/uniform.h"

enum { CONVERGE_TARGETS = 8 };

struct convergence {
  struct code *code;
  const struct uniform *uniform;
  struct ir_stmt *targets[CONVERGE_TARGETS]; /* statements of the kernel's body */
  unsigned target_count;
  /* Builds the statement in the place of a target, which all threads reach. `active` is true for
   * the threads that reached the target originally, at least one of them. NULL: all did. */
  struct ir_stmt *(*build)(struct convergence *, unsigned target, struct ir_expr *active);
  void *context;      /* of build */
  const char *reason; /* of the failure */
  struct ir_place place;
};

/* The kernel's body with early returns, and continues of loops, as conditions around the statements
 * behind them. Invalid for a scan. */
struct ir_stmt *converge_normal(struct code *);
/* The changed body. NULL: see `reason`. Requires: a normal body. */
struct ir_stmt *converge(struct convergence *);

#endif
