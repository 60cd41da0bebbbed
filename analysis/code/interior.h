/* SPDX-License-Identifier: MIT */
/* interior.h - the code of threads for which all conditions on indices hold. */
#ifndef MESI_ANALYSIS_INTERIOR_H
#define MESI_ANALYSIS_INTERIOR_H

#include "analysis/code/code.h"

struct interior {
  struct ir_stmt *body; /* the kernel's body without those ifs */
  /* The condition on the thread's and the block's index and parameters. NULL: it always holds. */
  struct ir_expr *condition;
  bool convex; /* it also holds for threads between two for which it holds */
  /* All threads of a block go the same way: the block's first and last element along x decide. */
  bool by_block;
  /* With by_block: a further condition on the block's index and parameters. NULL: none. */
  struct ir_expr *also;
};

/* Finds the interior of code in its virtual shape. The code does not change; its scan is
 * dropped. */
void interior_of(struct code *, struct interior *ret);
/* The same, where conditions also hold in all iterations of loops between numbers of the launch. */
void interior_of_windows(struct code *, struct interior *ret);

#endif
