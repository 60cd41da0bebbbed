/* SPDX-License-Identifier: MIT */
/* loop.h - loops in canonical form. */
#ifndef MESI_ANALYSIS_LOOP_H
#define MESI_ANALYSIS_LOOP_H

#include "analysis/code/code.h"

/* the first value for which the loop does not run */
struct ir_expr *loop_end(struct arena *, const struct ir_loop *);
/* The trip count of a loop that counts up, by constants and values that all launches share. -1: not
 * known. */
int64_t loop_trips(const struct code *, const struct ir_loop *);
/* The iterations of a loop from `lower` on. INFINITY: it steps away from its end. */
double loop_trips_between(const struct ir_loop *, double lower, double bound);
bool loop_is_one(const struct ir_stmt *); /* for, while, do */
/* The number of loops in `stmt`, itself included. */
unsigned loop_number(struct ir_stmt *stmt);
/* Does a loop in `stmt` count the variable? */
bool loop_counts(struct ir_stmt *stmt, const struct ir_var *var);
/* `stmt` with `new` in the place of `old`. */
struct ir_stmt *loop_swap(struct arena *, struct ir_stmt *stmt, const struct ir_stmt *old,
                          struct ir_stmt *new);
/* Declares the begin and the end of a block's run of the loop. `unit`: iterations that stay
 * together. */
void loop_run(struct code *, const struct ir_loop *, int64_t unit, struct ir_var *ret[2],
              struct ir_list *out);

/* for (var = begin; var < end; var += step) */
struct stepped {
  struct ir_var *var;
  bool declares; /* the loop declares `var` */
  struct ir_expr *begin, *end;
  int64_t step;
  const char *pragma; /* "#pragma unroll 8" */
};

/* That loop with `body`. Of an unsigned `var` the iterations are counted:
 *     T _f = begin, _n = _f < end ? (end - _f - 1) / step + 1 : 0;
 *     for (T _c = 0; _c < _n; _c++) { T var = _f + _c * step; body }
 * A step may take an unsigned number over the end of its type and on to its begin, so the loop may
 * never end. nvcc must allow for that: it tests behind each iteration of an unrolled loop and
 * merges no loads. */
struct ir_stmt *loop_stepped(struct code *, const struct stepped *, struct ir_stmt *body);

#endif
