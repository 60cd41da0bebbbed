/* SPDX-License-Identifier: MIT */
/* stride_loops.h - loops by which the threads of a launch share elements become an element a
 * thread. */
#ifndef MESI_ANALYSIS_STRIDE_LOOPS_H
#define MESI_ANALYSIS_STRIDE_LOOPS_H

#include "analysis/code/draft.h"

/* the loops around a kernel's body, outermost first */
struct stride_nest {
  struct stride_level {
    struct ir_stmt *source; /* the loop as it stands in the kernel */
    struct ir_stmt *loop;   /* ... in canonical form */
    int axis;               /* 0 or 1: the ids over which it goes */
    struct ir_expr *bound;  /* the elements, in parameters and constants */
  } levels[2];
  unsigned count;
  bool of_block; /* the threads of a block share a row, each block has a row of its own */
  bool flat;     /* one loop over the launch's threads, with no other in it */
  bool asks;     /* `distances` may be asked of a launch */
  bool few;      /* a thread has at most some thousand iterations */
  /* Distances between elements of iterations, none of which may be 0 in a launch: a condition over
   * parameters, set by stride_legal. NULL: there are none. */
  struct ir_expr *distances;
  struct ir_stmt *body; /* of the innermost loop */
};

/* Finds the loops. False: other statements stand beside them, they have another form, or their body
 * has no loop, where each element would repeat what stands in front of them. */
bool stride_find(struct code *, struct stride_nest *ret);
/* May the iterations of a thread run in any order, or at once? */
bool stride_legal(struct code *, struct stride_nest *);
/* Is it a declaration without effects, of a local that is set once? */
bool stride_is_plain(const struct ir_stmt *);
/* The facts of a launch's threads become those of its elements. */
void stride_follow_facts(struct code *, const struct stride_nest *);

/* A block's steps through its tile (block_steps.c). */
struct block_steps {
  struct extents extents; /* of a launch */
  int axis;
  struct ir_expr *tile; /* elements of a block along it; NULL: there are no steps */
};
/* Puts an element in the place of the steps. False: there are none, or another use of ids. */
bool block_steps_form(struct code *, struct block_steps *ret);
/* A condition on the threads of a launch in the new form, as one on the launch as written. */
struct ir_expr *block_steps_written(struct arena *, const struct block_steps *,
                                    struct ir_expr *expr);

/* Rows of threads that do what the first one does (idle_rows.c): the elements are those of one row,
 * and so are the facts. */
bool idle_rows_form(struct code *, struct extents *ret);

/* The row of transforms.c. Sets draft->extents where it takes the kernel. */
bool plan_stride_loops(struct draft *);

#endif
