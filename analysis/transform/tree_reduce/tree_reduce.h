/* SPDX-License-Identifier: MIT */
/* tree_reduce.h - sums over the threads of a block, built by hand as a tree in shared memory. */
#ifndef MESI_ANALYSIS_TREE_REDUCE_H
#define MESI_ANALYSIS_TREE_REDUCE_H

#include "analysis/code/draft.h"
#include "analysis/code/number.h"
#include "analysis/model/model.h"

enum {
  TREE_WARP = 32,
  MOST_TREES = 8,
  MOST_TREE_SUMS = 4,   /* arrays that the steps of a tree combine side by side */
  MOST_TREE_STEPS = 10, /* of 1024 elements */
  MOST_TREE_THREADS = 1024
};

struct tree_sum {         /* s[own] = operation(s[own], s[other]) */
  struct ir_var *var;     /* the shared array */
  const char *operation;  /* of mesi_lanes.h */
  struct ir_stmt *stmt;   /* in the code */
  struct ir_expr *own[2]; /* the index of the target, and of the operand; NULL: the same */
  struct ir_expr *other;  /* the index of the other operand */
};

struct tree {
  struct ir_stmt *loop; /* its steps */
  struct ir_stmt *list; /* the list that has the loop */
  struct tree_sum sums[MOST_TREE_SUMS];
  unsigned sum_count;
  int64_t leaves; /* elements, from 0: a power of 2 */
  unsigned steps;
  bool doubled; /* neighbours first: 1, 2, 4 ... apart; else the farthest first */
  bool waits;   /* begins with a barrier */
};

struct trees {
  struct code *code;
  int64_t block[3];
  int64_t threads; /* of a block */
  struct tree items[MOST_TREES];
  unsigned count;
  const char *reason; /* the first one, if there are none */
  struct ir_place place;
};

/* ---- tree_find.c ---- */

/* Finds the trees of the code. False: there are none, for the reason. */
bool tree_find(struct trees *);
/* The numbers of a thread of the block. */
struct numbers tree_thread(const struct trees *, int64_t thread);
/* The element of a shared array, and its only index. NULL: it is another expression. */
struct ir_var *tree_element(struct ir_expr *expr, struct ir_expr **ret_index);

bool tree_is_barrier(const struct ir_stmt *stmt);

/* ---- tree_uses.c ---- */

/* Are only the sums of the array read behind its trees? False: sets the reason. */
bool tree_uses_fit(struct trees *, const struct ir_var *var);
/* Does the condition hold for thread 0 only? */
bool tree_only_root(const struct trees *, struct ir_expr *condition);

/* ---- tree_build.c ---- */

struct ir_stmt *tree_barrier(struct code *);

/* The body in which a warp goes through each tree behind one barrier. */
struct ir_stmt *tree_build(struct trees *);
/* mesi_tree_halved<256>(from, lane, mesi_sum()) */
struct ir_expr *tree_call(struct code *, const struct tree *, unsigned sum, int64_t apart,
                          struct ir_expr *from, struct ir_expr *lane);

/* ---- tree_merge.c: a block does the work of several ---- */

struct merging {
  struct trees *trees;
  int64_t blocks;           /* of the launch, that one block does */
  unsigned at;              /* the tree's place in the kernel's list */
  struct ir_var *total;     /* threads of the launch; NULL: they are constant */
  struct ir_function *code; /* result */
  int64_t shared_bytes;
  const char *reason; /* NULL: none */
};

/* False: see the reason. */
bool tree_merge(struct merging *);

/* The row of transforms.c. */
bool plan_tree_reduce(struct draft *);

#endif
