/* SPDX-License-Identifier: MIT */
/* instance.h - on which axes of the thread index values depend. */
#ifndef MESI_ANALYSIS_INSTANCE_H
#define MESI_ANALYSIS_INSTANCE_H

#include "analysis/code/code.h"

enum { INSTANCE_X = 1, INSTANCE_Y = 2, INSTANCE_ALL = 3 }; /* a set of axes */

struct instances {
  struct code *code;   /* scanned */
  unsigned char *vars; /* by variable id: the axes its value depends on */
  unsigned var_count;
  /* of the launch's own threads: those of one layer and those of several, shared memory told
   * apart */
  bool of_block;
};

void instances_analyze(struct code *, struct instances *ret);
/* The same for the threads of a block as it is launched: what depends on no axis is the same for
 * all of them. An index along z counts as one along y, an axis with one thread as none; the
 * kernel's own shared memory holds something else for each thread. */
void instances_analyze_block(struct code *, struct instances *ret);
unsigned instances_of_var(const struct instances *, const struct ir_var *var);
unsigned instances_of_expr(const struct instances *, const struct ir_expr *expr);
/* of everything in it */
unsigned instances_of_stmt(const struct instances *, struct ir_stmt *stmt);
/* Of what decides how often a loop runs: its iterator, its condition, and what leaves it early. */
unsigned instances_of_loop(const struct instances *, struct ir_stmt *loop);
bool instances_uniform_loop(const struct instances *, struct ir_stmt *loop);

#endif
