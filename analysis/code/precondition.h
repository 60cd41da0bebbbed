/* SPDX-License-Identifier: MIT */
/* precondition.h - the requirements of a version of a kernel, which the launch checks before it
 * chooses that version. */
#ifndef MESI_ANALYSIS_PRECONDITION_H
#define MESI_ANALYSIS_PRECONDITION_H

#include "analysis/code/shape_free.h"

enum { MOST_PRECONDITIONS = 8 };

struct multiple {       /* `expr` is a multiple of `of` */
  struct ir_expr *expr; /* of kernel parameters */
  int64_t of;
};

struct preconditions { /* all of them must hold; facts of the launch are left out */
  struct multiple multiples[MOST_PRECONDITIONS];
  unsigned multiple_count;
  struct ir_var *aligned[MOST_PRECONDITIONS]; /* parameters that point to a multiple of 16 bytes */
  unsigned aligned_count;
  /* Conditions on kernel parameters and gridDim of the mapped launch. */
  struct ir_expr *guards[MOST_PRECONDITIONS];
  unsigned guard_count;
  bool only_aligned; /* assumes nothing beyond the needs of copies of several elements */
};

bool precondition_whole(const struct code *); /* are blocks assumed to be whole? */
/* The value in a form that the host can compute from the arguments. NULL: it cannot. */
struct ir_expr *precondition_host_form(struct code *, struct ir_expr *expr);
/* Do they ask the same? `more` is `all` with what was added to it. */
bool precondition_same(const struct preconditions *all, const struct preconditions *more);
/* True: the facts prove it, or code->preconditions has it now. False: the host could not check it,
 * or nothing may be assumed. */
bool precondition_multiple(struct code *, struct ir_expr *expr, int64_t of);
bool precondition_aligned(struct code *, struct ir_var *pointer);
bool precondition_at_least(struct code *, struct ir_expr *expr, int64_t least);
/* Removes conditions from the code that hold for all threads, by the facts or by new assumptions.
 * Drops the scan. */
void precondition_guards(struct code *);
/* Host arithmetic of one version in the totals that all versions have: its own are other variables.
 */
struct ir_expr *precondition_in_totals(struct arena *, struct ir_expr *,
                                       struct ir_var *const own[2], struct ir_var *const totals[2]);
/* Adds the assumptions of a version of shape `geometry`, with `totals` in the place of its gridDim
 * and its `own` totals. False: there are too many. */
bool precondition_also(struct arena *, struct preconditions *, const struct preconditions *from,
                       const struct geometry *geometry, struct ir_var *const own[2],
                       struct ir_var *const totals[2]);
/* The condition that the launch checks, on kernel parameters and totals. NULL: none. */
struct ir_expr *precondition_condition(struct arena *, const struct preconditions *);

#endif
