/* SPDX-License-Identifier: MIT */
/* host_reach.h - the definition of a local variable that reaches a place. */
#ifndef MESI_ANALYSIS_HOST_REACH_H
#define MESI_ANALYSIS_HOST_REACH_H

#include "analysis/host/host_index.h"

struct host_point {             /* the place of an expression's evaluation */
  struct ir_function *function; /* NULL: the initialiser of a global */
  struct ir_stmt *stmt;         /* innermost statement; NULL: none */
  /* A write of `stmt` that comes after the evaluation (n of n = n + 1), or NULL. */
  const struct host_write *skip;
};

enum host_reach {
  HOST_REACH_UNKNOWN, /* several, or not understood */
  HOST_REACH_WRITE,   /* one on every path: *ret_write */
  HOST_REACH_ENTRY    /* none: the value at the entry of the function */
};

/* The definition of `var` (component 0 .. 2 of a dim3; -1: the whole) that reaches `at`. */
enum host_reach host_reach(const struct host_index *, const struct ir_var *var, int component,
                           struct host_point at, const struct host_write **ret_write);
/* The place where the value that `write` assigns is evaluated. */
struct host_point host_point_of_write(const struct host_write *, struct ir_function *);

#endif
