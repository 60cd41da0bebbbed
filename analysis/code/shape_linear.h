/* SPDX-License-Identifier: MIT */
/* shape_linear.h - indices of threads in expressions, as linear forms; private to shape_free.c and
 * shape_linear.c. */
#ifndef MESI_ANALYSIS_SHAPE_LINEAR_H
#define MESI_ANALYSIS_SHAPE_LINEAR_H

#include "analysis/code/shape_free.h"

enum { MOST_THREADS = 1024, MOST_BLOCKS_Y = 65536 };
#define MOST_IDS (INT64_C(1) << 31) /* along a dimension of a grid */

/* thread * threadIdx + block * blockIdx + constant, along one axis. It is the value of an
 * expression of an integer type of 32 or 64 bits, or equal to it modulo 2^bits. */
struct linear {
  bool known;
  bool exact; /* equal, not only modulo 2^bits */
  int axis;   /* -1: a constant */
  int64_t thread, block, constant;
  bool block_by_dim; /* `block` is times blockDim */
};

struct shaping {
  struct code *code;
  const struct kernel_facts *facts; /* of the launch as written */
  const struct geometry *geometry;  /* NULL: only a check */
  struct ir_var *const *ids;        /* variables for the global ids; NULL: they are computed */
  struct ir_var **totals; /* parameters for totals that are not constants; made when needed */
  /* The virtual thread along z within its block. NULL: indices along z stay. */
  struct ir_var *layer;
  const char *reason;
  struct ir_place place;
};

/* The expression's form; known == false: it has none. */
struct linear linear_of(struct shaping *, struct ir_expr *expr);
bool linear_uses_index(const struct linear *);
bool linear_is_global_id(struct shaping *, const struct linear *); /* up to the constant */
bool linear_is_index_type(const struct ir_type *);
/* Without conversions between types of indices, which hold the numbers of a launch's shape. */
struct ir_expr *linear_bare(struct ir_expr *);
bool linear_keeps_value(const struct ir_var *); /* a local that is set once */

#endif
