/* SPDX-License-Identifier: MIT */
/* sums.h - a loop that sums up, whose iterations several threads or blocks may share. */
#ifndef MESI_ANALYSIS_SUMS_H
#define MESI_ANALYSIS_SUMS_H

#include "analysis/access/access.h"
#include "analysis/code/reduce.h"

enum { MOST_SUMS = 4, MOST_VECTORS = 8 };

struct shared_sum { /* a variable that the loop only updates */
  struct ir_var *var;
  enum reduce_op op;
  struct ir_var *part; /* of a thread; made by the builder */
  bool called;         /* fminf and similar functions choose the lesser or greater */
  struct ir_var *at;   /* gets the first iteration that has the value; NULL: none does */
  struct ir_var *at_part;
};

struct vector_load {          /* elements of neighbouring iterations, 16 bytes */
  const struct ir_expr *expr; /* of one iteration */
  const struct array *array;
  struct ir_var *var; /* made by the builder */
};

struct team_loop {
  struct ir_stmt *loop;
  struct shared_sum sums[MOST_SUMS];
  unsigned sum_count;
  bool floats;  /* one of them rounds */
  bool stored;  /* memory is written in front of the loop */
  double bytes; /* of an iteration, which no other thread of the kernel reads */
  /* Neighbouring iterations read neighbouring elements; else neighbouring threads do. */
  bool rows;
  /* Nothing else is read than elements that all threads read at the same time; `bytes` are
   * theirs. */
  bool uniform;
  int64_t block; /* threads of a block as written; of uniform loops */
  int64_t trips; /* -1: not constant */
  struct vector_load vectors[MOST_VECTORS];
  unsigned vector_count;
  int64_t vector; /* iterations of a vector load */
};

#endif
