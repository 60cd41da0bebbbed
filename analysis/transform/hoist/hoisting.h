/* SPDX-License-Identifier: MIT */
/* hoisting.h - the loads that are taken out of one loop. Shared by hoist.c, which finds them, and
 * hoist_build.c, which makes the new code. */
#ifndef MESI_ANALYSIS_HOISTING_H
#define MESI_ANALYSIS_HOISTING_H

#include "analysis/transform/hoist/hoist.h"

enum { MOST_DIMS = 3, MOST_LOADS = 8 };

struct load {
  const struct code_access *found;
  /* short ones around it whose iterators its address has, outermost first */
  const struct ir_stmt *loops[MOST_DIMS];
  unsigned loop_count;
  /* the one of them whose iterator shifts the address as the loop's does; -1: the loop's is not
   * in it */
  int carried;
  int64_t words;
  struct ir_var *var; /* what holds it; made when the loop is rebuilt */
};

struct hoisting {
  struct code *code;
  struct ir_stmt *loop;
  /* short loops around this place, inside of the loop */
  const struct ir_stmt *inside[MOST_DIMS + 1];
  unsigned depth;
  bool carries;  /* what an iteration has loaded may go to the next one */
  int64_t words; /* of all loads */
  struct load loads[MOST_LOADS];
  unsigned count;
};

/* Adds the declaration of what holds the load: load->var, made here. */
void hoist_declare(struct hoisting *, struct load *, struct ir_list *out);
/* In front of the loop. */
struct ir_stmt *hoist_fetch(struct hoisting *, const struct load *);
/* The loop with registers in the places of the loads. Requires: all loads are declared. */
struct ir_stmt *hoist_rebuilt_loop(struct hoisting *);

#endif
