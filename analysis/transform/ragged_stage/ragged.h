/* SPDX-License-Identifier: MIT */
/* ragged.h - ranges of neighbouring threads that follow each other in memory, as the rows of a CSR
 * matrix do. The block copies them together, in chunks, to shared memory. */
#ifndef MESI_ANALYSIS_RAGGED_H
#define MESI_ANALYSIS_RAGGED_H

#include "analysis/transform/segment_stage/strip.h"

enum { MOST_RAGGED = 2, RAGGED_CONDITIONS = 4, RAGGED_AROUND = 8, RAGGED_THREADS = 256 };

/* A statement around loops that some threads of a block may not take. */
struct ragged_around {
  struct ir_stmt *stmt;
  bool otherwise; /* an if whose other arm has the loop */
  /* The conditions that lead there, all of them: own[i] is one on the thread's index, which holds
   * for a block if it holds for its first and its last thread; the others are the block's. */
  struct ir_expr *conditions[RAGGED_CONDITIONS];
  bool own[RAGGED_CONDITIONS];
  unsigned count;
  /* A loop whose iterator is one more than that of the thread before. The variable, made by the
   * builder, has the iterator of the first thread. NULL: an if. */
  struct ir_var *base;
};

struct ragged { /* a loop of each thread over a range of its own */
  /* The loop, the arrays of which an iteration's elements are copied, their accesses. */
  struct strip strip;
  struct ir_stmt *seen;        /* its body without these accesses */
  struct ir_expr *first, *end; /* loads of the range's bounds, with values in the place of locals */
  /* The bounds are of two arrays, so that a range need not begin where the one before ends. */
  bool apart;
  bool breaks, returns; /* the loop may be left early: to its end, out of the kernel */
};

struct ragged_all {
  struct ragged items[MOST_RAGGED];
  unsigned count;
  struct ragged_around around[RAGGED_AROUND];
  unsigned around_count;
};

/* ragged_find.c: the loops and their loads. Requires: a normal body (converge.h). Remarks say why
 * other loops over a range that arrays give are not taken. `associative`: floats may be rounded in
 * another way. */
void ragged_find(struct code *, const struct uniform *, bool associative, struct ragged_all *ret);
/* ragged_round.c: why nvcc could round an iteration in another way in another loop. NULL: it does
 * not. */
const char *ragged_rounds(struct ir_stmt *loop, struct ir_place *ret_place);
/* ... what comes behind the loop, and a statement around it that becomes a choice of the block */
const char *ragged_rounds_behind(struct code *, struct ir_stmt *loop, struct ir_place *ret_place);
const char *ragged_rounds_around(struct code *, struct ir_stmt *stmt, struct ir_place *ret_place);
/* ragged_waits.c: may a thread wait for what another one of its block does while both run? */
bool ragged_waits(struct code *, struct ir_place *ret_place);
/* ragged_bounds.c: an element in device memory, also where an index has changed since the scan */
bool ragged_is_element(const struct ir_expr *expr);
/* ragged_bounds.c: how an expression grows with the thread's index along x. */
struct ragged_linear {
  bool fits;  /* it is a multiple of the index, and a number that all threads of the block have */
  bool known; /* `step` is that multiple; else it is the same for all threads */
  int64_t step;
};
struct ragged_linear ragged_linear(const struct uniform *, const struct ragged_all *,
                                   struct ir_expr *expr);
/* Is the condition one that holds between two threads if it holds for both? */
bool ragged_is_guard(const struct uniform *, const struct ragged_all *, struct ir_expr *condition);
/* The expression for the thread with that index along x. */
struct ir_expr *ragged_for_thread(struct code *, const struct ragged_all *, struct ir_expr *expr,
                                  struct ir_expr *thread);

/* ragged_build.c: the changed body; `slots` of the strips must be chosen. */
struct ir_stmt *ragged_build(struct code *, struct ragged_all *);

/* The row of transforms.c. */
bool plan_ragged_stage(struct draft *);

#endif
