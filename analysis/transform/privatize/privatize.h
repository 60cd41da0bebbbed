/* SPDX-License-Identifier: MIT */
/* privatize.h - arrays that a kernel only updates by atomic operations, kept per block. */
#ifndef MESI_ANALYSIS_PRIVATIZE_H
#define MESI_ANALYSIS_PRIVATIZE_H

#include "analysis/code/draft.h"
#include "analysis/model/model.h"
#include "analysis/code/reduce.h"
#include "analysis/data/options.h"

enum { MOST_PRIVATE = 4, MOST_UPDATES = 4 };

struct private_array { /* an array, or the part that the kernel updates */
  struct ir_var *var;
  const struct ir_type *element;
  enum reduce_op op;
  const char *flush;                           /* the atomic operation that adds a block's part */
  unsigned dim_count;                          /* of the array */
  int64_t low[ACCESS_DIMS], size[ACCESS_DIMS]; /* the box of its elements */
  int64_t elements;                            /* in the box; 1: each thread keeps a register */
  int64_t copies; /* per block: a power of 2; threads share them in turn */
  /* A parameter that every index is below: the launch checks that it is from 1 to `elements`, and
   * the code chooses `copies`. NULL: the box is constant. */
  struct ir_var *length;
  /* The range of an index is not known: the copy has `elements` of them, and others are updated
   * where they are (privatize_open.c). */
  bool open;
  struct ir_var *copy_count; /* of `length`: the number of copies; made by the builder */
  double updates;            /* per thread, by the published rule */
  double block_updates;      /* of one thread of each block, for all of it */
  struct ir_var *copy;       /* in shared memory: [elements][copies]; made by the builder */
  struct ir_var *sum;        /* of a thread; NULL: more than one element */
};

struct private_arrays {
  struct private_array items[MOST_PRIVATE];
  unsigned count;
  uint64_t bytes;   /* of shared memory */
  unsigned updates; /* places in the code */
  bool in_loops;    /* one is in a loop */
};

/* The array that a statement of the code updates. NULL: none of them. */
const struct private_array *private_array_of(const struct private_arrays *,
                                             const struct ir_stmt *stmt);
/* Finds the kernel's private arrays, of at most `capacity` bytes; remarks say why others are none.
 * False: there is none. Requires: a scan. */
bool privatize_find(struct code *, bool floats, uint64_t capacity, struct private_arrays *ret);

/* The shape of a block that takes turns with others at the elements of the launch. */
struct privatize_shape {
  struct geometry geometry; /* elements and threads */
  int64_t rounds;           /* elements of a thread at a time, along x */
};

/* The number of copies with so many elements that a block has room for. */
int64_t private_copies(int64_t elements);
/* The condition over parameters under which lengths allow the copies. NULL: for all launches. */
struct ir_expr *private_lengths(struct code *, const struct private_arrays *);

/* privatize_open.c: an update, in the copy and beside it. */
struct open_update {
  struct ir_var *index; /* the parameter's element */
  struct ir_stmt *declared, *inside, *outside;
};
/* Has the update a form by which it may be made beside the copy? */
bool private_may_be_open(const struct ir_expr *call, const struct private_array *);
void private_open_begin(struct code *, const struct ir_stmt *, struct open_update *ret);
struct ir_stmt *private_open_end(struct code *, const struct private_array *,
                                 const struct open_update *, struct ir_stmt *made);
/* The condition under which a launch gains by it. */
struct ir_expr *private_open_gains(struct code *, const struct private_array *);

/* The body and parameters for blocks that take turns. NULL: see *ret_reason. */
struct ir_function *privatize_build(struct code *, struct private_arrays *,
                                    const struct privatize_shape *, struct ir_var *ret_totals[2],
                                    const char **ret_reason, struct ir_place *ret_place);
/* The body for the launch's own shape. */
struct ir_function *privatize_build_in_place(struct code *, struct private_arrays *);

/* privatize_plan.c: the plan for the kernel's private arrays. */
struct privatize_plan {
  struct kernel_mapping *mapping; /* blocks take turns; NULL: the launch's own shape */
  struct ir_function *code;       /* to print */
  const char *note;               /* for a comment */
};
/* False: the kernel keeps its atomic operations, and remarks say why. Adds a line to `dump`. */
bool privatize_choose(struct code *, const struct plan_options *, struct text *dump,
                      struct privatize_plan *ret);

/* The row of transforms.c. */
bool plan_privatize(struct draft *);

#endif
