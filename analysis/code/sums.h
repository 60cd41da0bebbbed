/* SPDX-License-Identifier: MIT */
/* sums.h - a loop that sums up, and whose iterations several threads or blocks may share. */
#ifndef MESI_ANALYSIS_SUMS_H
#define MESI_ANALYSIS_SUMS_H

#include "analysis/access/access.h"
#include "analysis/code/reduce.h"

enum { MOST_SUMS = 4, MOST_VECTORS = 8 };

struct shared_sum { /* a variable that the loop only updates */
  struct ir_var *var;
  enum reduce_op op;
  struct ir_var *part; /* of a thread; made by the builder */
  bool called;         /* the lesser or greater by fminf and relatives */
  struct ir_var *at;   /* takes the first iteration that has the value; NULL: none does */
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
  double bytes; /* of an iteration that no other thread of the kernel reads */
  /* they are neighbours from iteration to iteration; else from thread to thread */
  bool rows;
  int64_t trips; /* -1: not constant */
  struct vector_load vectors[MOST_VECTORS];
  unsigned vector_count;
  int64_t vector; /* iterations of a vector load */
};

#endif
