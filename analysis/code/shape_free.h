/* SPDX-License-Identifier: MIT */
/* shape_free.h - kernels whose result does not depend on how their threads are grouped into blocks.
 */
#ifndef MESI_ANALYSIS_SHAPE_FREE_H
#define MESI_ANALYSIS_SHAPE_FREE_H

#include "analysis/code/code.h"

struct geometry {     /* the mapping of a shape-free kernel; axis 0 x, 1 y */
  int64_t block[2];   /* virtual threads of a block */
  int64_t threads[2]; /* real threads of a block */
  int64_t vector[2];  /* neighbouring virtual threads that one real thread handles at a time */
  /* Virtual threads along z that one thread runs, one after the other. 0: blocks have one layer, as
   * written. */
  int64_t layers;
  /* A warp is 4 x 8 threads. Their elements are those that a lane holds for tensor cores
   * (product.h); vector is { 2, 1 }. */
  bool fragments;
};

/* May the planner choose the block shape? False: see *ret_reason and *ret_place. Requires: code as
 * the user's launch sees it. */
bool shape_free(struct code *, const char **ret_reason, struct ir_place *ret_place);
/* Rewrites the code for `geometry`: global ids become blockIdx * block + threadIdx, early returns
 * become conditions, and threads beyond the launch's total do nothing. Totals that are not
 * constants become parameters, behind the kernel's own. The facts follow. False: the body has a
 * return that cannot become a condition. */
bool shape_virtual(struct code *, const struct geometry *, struct ir_var *ret_totals[2],
                   const char **ret_reason, struct ir_place *ret_place);

/* The code of one element: `ids` (unsigned) take the place of the global ids by axis, and
 * *ret_sizes are the launch's totals. NULL: as above. */
struct ir_stmt *shape_element(struct code *, struct ir_var *const ids[2],
                              struct ir_var *ret_totals[2], struct ir_expr *ret_sizes[2],
                              const char **ret_reason, struct ir_place *ret_place);
/* `body` with `if (c) return; rest` as `if (!c) { rest }`. `jump`: IR_STMT_RETURN, or
 * IR_STMT_CONTINUE for the body of a loop. Other jumps stay. */
struct ir_stmt *shape_without_jumps(struct arena *, struct ir_stmt *body, enum ir_stmt_kind jump);
struct ir_stmt *shape_return_in(struct ir_stmt *body); /* NULL: there is none */
/* `body` without returns: all threads come to its end. */
struct ir_stmt *shape_to_end(struct code *, struct ir_stmt *body);

/* blockIdx * blockDim + threadIdx along an axis, as an int */
struct ir_expr *shape_global_id(struct arena *, int axis);

/* Does the kernel name threadIdx.y or blockIdx.y? If not, threads that differ only in y do the
 * same, so launches usually have one row of them. */
bool shape_names_rows(const struct code *);
bool shape_names_layers(const struct code *); /* ... along z */

#endif
