/* SPDX-License-Identifier: MIT */
/* rounding_rank.h - which of two products nvcc takes as the first operand of their sum. */
#ifndef MESI_ANALYSIS_ROUNDING_RANK_H
#define MESI_ANALYSIS_ROUNDING_RANK_H

#include "analysis/code/code.h"

enum rank_order { RANK_UNKNOWN, RANK_LEFT, RANK_RIGHT };

/* A sum of two products, each of which stands there or is the value of a local. */
struct ranked_sum {
  const struct ir_expr *sum;         /* BINARY of ADD, or ASSIGN of ADD_ASSIGN */
  const struct ir_expr *products[2]; /* left and right */
  bool alone[2];                     /* nothing else uses the local that holds it */
  enum rank_order first;
};

struct ranked_sums {
  LIST_OF(struct ranked_sum) list;
};

/* The sums of a body that is evaluated as written. */
void rounding_rank(const struct code *, struct ir_stmt *body, struct ranked_sums *ret);

#endif
