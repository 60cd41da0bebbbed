/* SPDX-License-Identifier: MIT */
/* instance.h - the axes of the thread index that values depend on. */
#ifndef MESI_ANALYSIS_INSTANCE_H
#define MESI_ANALYSIS_INSTANCE_H

#include "analysis/code/code.h"

enum { INSTANCE_X = 1, INSTANCE_Y = 2, INSTANCE_ALL = 3 }; /* a set of axes */

struct instances {
  struct code *code;   /* scanned */
  unsigned char *vars; /* by variable id: the axes that its value depends on */
  unsigned var_count;
  /* For the launch's own threads: those of several layers differ, too, and shared memory counts. */
  bool of_block;
};

void instances_analyze(struct code *, struct instances *ret);
/* The same for the threads of a block as launched: a value that depends on no axis is the same for
 * all of them. An index along z counts as one along y, and an axis with one thread as none. The
 * kernel's own shared memory counts as different for each thread. */
void instances_analyze_block(struct code *, struct instances *ret);
unsigned instances_of_var(const struct instances *, const struct ir_var *var);
unsigned instances_of_expr(const struct instances *, const struct ir_expr *expr);
/* the axes of everything in it */
unsigned instances_of_stmt(const struct instances *, struct ir_stmt *stmt);
/* The axes of everything that decides a loop's trip count: its iterator, its condition, and its
 * early exits. */
unsigned instances_of_loop(const struct instances *, struct ir_stmt *loop);
bool instances_uniform_loop(const struct instances *, struct ir_stmt *loop);

#endif
