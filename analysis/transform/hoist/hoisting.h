/* SPDX-License-Identifier: MIT */
/* hoisting.h - the loads that are moved out of one loop. Shared by hoist.c, which finds them, and
 * hoist_build.c, which makes the new code. */
#ifndef MESI_ANALYSIS_HOISTING_H
#define MESI_ANALYSIS_HOISTING_H

#include "analysis/transform/hoist/hoist.h"

enum { MOST_DIMS = 3, MOST_LOADS = 8 };

struct load {
  const struct code_access *found;
  /* The short loops around it whose iterators are in its address, outermost first. */
  const struct ir_stmt *loops[MOST_DIMS];
  unsigned loop_count;
  /* The short loop whose iterator shifts the address like the loop's does. -1: the loop's iterator
   * is not in the address. */
  int carried;
  int64_t words;
  struct ir_var *var; /* holds it; made when the loop is rebuilt */
};

struct hoisting {
  struct code *code;
  struct ir_stmt *loop;
  /* The short loops around this place, inside the loop. */
  const struct ir_stmt *inside[MOST_DIMS + 1];
  unsigned depth;
  bool carries;  /* values that an iteration has loaded may go to the next one */
  int64_t words; /* of all loads */
  struct load loads[MOST_LOADS];
  unsigned count;
};

/* Adds the declaration of the variable for the load: load->var, made here. */
void hoist_declare(struct hoisting *, struct load *, struct ir_list *out);
/* The load in front of the loop. */
struct ir_stmt *hoist_fetch(struct hoisting *, const struct load *);
/* The loop with registers in the places of the loads. All loads must be declared. */
struct ir_stmt *hoist_rebuilt_loop(struct hoisting *);

#endif
