/* SPDX-License-Identifier: MIT */
/* interior.h - the code of threads for which all conditions on indices hold. */
#ifndef MESI_ANALYSIS_INTERIOR_H
#define MESI_ANALYSIS_INTERIOR_H

#include "analysis/code/code.h"

struct interior {
  struct ir_stmt *body; /* of the kernel, without those ifs */
  /* of the thread's and the block's index and parameters; NULL: it holds always */
  struct ir_expr *condition;
  bool convex; /* it holds between two threads for which it holds */
  /* all threads of a block go one way: by its first and its last element along x */
  bool by_block;
  /* by_block: what has to hold besides, of the block's index and parameters; NULL: nothing */
  struct ir_expr *also;
};

/* The code in its virtual shape; it stays as it is, and its scan is dropped. */
void interior_of(struct code *, struct interior *ret);

#endif
