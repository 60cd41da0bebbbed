/* SPDX-License-Identifier: MIT */
/* stepping.h - a loop whose iterations are elements of a block's tile or of a thread; private to
 * block_steps.c and thread_runs.c. */
#ifndef MESI_ANALYSIS_STEPPING_H
#define MESI_ANALYSIS_STEPPING_H

#include "analysis/code/polynomial.h"
#include "analysis/transform/stride_loops/stride_loops.h"

enum step_form {
  BY_BLOCKS,
  FROM_THREAD,
  BY_ONE,
  OF_THREAD /* a thread's own elements, one behind the other */
};

struct stepping {
  struct code *code;
  struct ir_stmt *source, *loop;
  struct ir_stmt *run;  /* the loop in canonical form */
  struct ir_stmt *body; /* what takes its place, in terms of its iterator */
  int axis;             /* 0 or 1: the loop goes along it */
  enum step_form form;
  int64_t tile;               /* elements of a block along `axis`; OF_THREAD: not set */
  struct ir_var *elements[2]; /* by axis, an element's number */
  struct ir_var *threads[2];  /* in polynomials, in the place of threadIdx */
  bool left;                  /* a digit is used otherwise */

  /* ---- OF_THREAD ---- */
  struct polynomial each;  /* elements of a thread */
  struct ir_expr *each_of; /* ... as the launch computes them */
  int64_t each_known;      /* ... 0: not constant */
  bool counts;             /* its iterator is the element */
  struct ir_expr *inside;  /* of elements that have an iteration; NULL: all have */
  struct ir_var *owner;    /* the number of the thread as written that has the element */
};

/* Is it a loop through a thread's own elements? Sets the fields above. */
bool runs_find(struct stepping *);
/* The digit that gives way to the element, and its value. */
struct polynomial runs_digit(struct stepping *, const struct ir_var **ret_digit);
/* The thread's number gives way to s->owner. */
struct polynomial runs_owner(struct stepping *, const struct ir_var **ret_digit);
/* The loop's body for an element. NULL: an iteration may end the loop otherwise. */
struct ir_stmt *runs_body(struct stepping *);
/* The elements of a block, long long. */
struct ir_expr *runs_tile(struct stepping *);
/* The predicted time of the accesses as written over that of neighbours. */
double runs_regained(struct stepping *);

/* The number of a block's threads along the axis, as a polynomial. */
struct polynomial stepping_threads(const struct stepping *, int axis);
struct polynomial stepping_builtin(struct stepping *, int builtin, const struct polynomial *times);
struct polynomial stepping_var(struct stepping *, struct ir_var *);
/* The polynomial of an expression, with s->threads in the place of threadIdx. */
struct polynomial stepping_sum(struct stepping *, struct ir_expr *resolved);

#endif
