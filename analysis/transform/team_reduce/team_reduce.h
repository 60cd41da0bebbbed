/* SPDX-License-Identifier: MIT */
/* team_reduce.h - several threads share the iterations of a loop that sums up. */
#ifndef MESI_ANALYSIS_TEAM_REDUCE_H
#define MESI_ANALYSIS_TEAM_REDUCE_H

#include "analysis/code/draft.h"
#include "analysis/code/precondition.h"
#include "analysis/model/model.h"
#include "analysis/code/sums.h"
#include "analysis/data/options.h"

/* Finds the loop of shaped code that threads may share. False: see *ret_reason and *ret_place.
 * Requires: a scan. */
bool team_reduce_find(struct code *, bool floats, struct team_loop *ret, const char **ret_reason,
                      struct ir_place *ret_place);
/* Finds the memory that only one thread reads. False: there is none. Requires: blocks of several
 * elements. */
bool team_reduce_reads(struct code *, struct team_loop *);
/* Finds vector loads, under code->preconditions. False: there is none. */
bool team_reduce_vectorize(struct code *, struct team_loop *);

/* For passes over a row (row_team): is it a loop whose iterations may be shared? Its effects on
 * memory are not checked, and it may sum up nothing. `floats` is not needed for the least and the
 * greatest float by functions of the device, nor for the place of a greatest. */
bool team_reduce_pass(struct code *, struct ir_stmt *loop, bool floats, struct team_loop *ret,
                      const char **ret_reason, struct ir_place *ret_place);
/* ... is it an expression that every thread of a team may compute? */
bool team_reduce_straight(struct code *, struct ir_expr *, const char **ret_reason,
                          struct ir_place *ret_place);
/* ... does the scan follow all of the kernel's memory? */
bool team_reduce_memory(struct code *, const char **ret_reason, struct ir_place *ret_place);
/* How an index follows the iterator: 0 not at all, 1 element by element, 2 otherwise. */
int team_reduce_follows(struct code *, const struct code_access *, const struct ir_var *iterator);
/* Is the element of the iteration 0 at a multiple of 16 bytes, under code->preconditions? */
bool team_reduce_starts_aligned(struct code *, const struct code_access *,
                                const struct ir_var *iterator, int64_t vector);

bool team_reduce_stores(const struct ir_stmt *); /* to memory: only one thread of the team runs
                                                  * it */
/* Does the loop declare the variable, in its body or as its iterator? */
bool team_reduce_declares(struct ir_stmt *loop, const struct ir_var *);
/* Does the expression name a variable that the loop declares, besides its iterator? */
bool team_reduce_names_inner(struct ir_stmt *loop, struct ir_expr *);

struct team {       /* the threads that share a loop */
  int64_t elements; /* per block: virtual threads */
  int64_t threads;  /* per element */
  bool in_rows;     /* they are neighbours; else `elements` apart */
};
/* team_time.c: predicted cycles of a loop, for launches of `elements` virtual threads. */
double team_reduce_stream_time(const struct team_loop *, const struct target *, double elements);
double team_reduce_written_time(const struct team_loop *, const struct target *, double elements);
double team_reduce_team_time(const struct team_loop *, const struct target *, const struct team *,
                             double elements);
/* ... the iterations whose loads a thread has in flight at a time, as vectors or not */
int64_t team_reduce_batch(const struct team_loop *, bool vectorized);
/* ... the time of a unit of iterations in a block; `loaded`: while all multiprocessors read */
struct block_time team_reduce_block_time(const struct team_loop *, const struct target *,
                                         const struct team *, bool vectorized, bool loaded);
/* the iterations that a team takes at a time */
int64_t team_reduce_unit(const struct team_loop *, const struct team *);
int64_t team_reduce_in_warp(const struct team *); /* the number of its threads in one warp */
/* Replaces the body: the code of `elements` virtual threads runs on elements * threads real ones.
 * `workspace` holds the parts of sums that blocks share; NULL: they share none. */
void team_reduce_build(struct code *, struct team_loop *, const struct team *,
                       struct ir_var *workspace);

/* Adds versions in which threads share a loop to `mapped`, or returns such versions alone;
 * *ret_code is the first of them. Returns `mapped` (or NULL) where no loop is shared; a remark says
 * why. Adds lines to `dump`. */
struct kernel_mapping *plan_team_loop(const struct code *, const struct plan_options *,
                                      struct kernel_mapping *mapped, struct text *dump,
                                      struct ir_function **ret_code);

/* The row of transforms.c. */
bool plan_team_reduce(struct draft *);

#endif
