/* SPDX-License-Identifier: MIT */
/* precondition.h - what a version of a kernel requires, and the launch checks before it chooses
 * that version. */
#ifndef MESI_ANALYSIS_PRECONDITION_H
#define MESI_ANALYSIS_PRECONDITION_H

#include "analysis/code/shape_free.h"

enum { MOST_PRECONDITIONS = 8 };

struct multiple {       /* expr is a multiple of `of` */
  struct ir_expr *expr; /* over kernel parameters */
  int64_t of;
};

struct preconditions { /* all of them hold; not those that the launch's facts prove */
  struct multiple multiples[MOST_PRECONDITIONS];
  unsigned multiple_count;
  struct ir_var *aligned[MOST_PRECONDITIONS]; /* pointer parameters: to a multiple of 16 bytes */
  unsigned aligned_count;
  /* over kernel parameters and gridDim of the mapped launch */
  struct ir_expr *guards[MOST_PRECONDITIONS];
  unsigned guard_count;
  bool only_aligned; /* nothing but what copies of several elements need is to be assumed */
};

bool precondition_whole(const struct code *); /* are blocks taken to be whole? */
/* The value as the host can compute it from the arguments; NULL: it cannot. */
struct ir_expr *precondition_host_form(struct code *, struct ir_expr *expr);
/* True: the facts prove it, or it is among code->preconditions now. False: the host could not check
 * it, or nothing may be assumed. */
bool precondition_multiple(struct code *, struct ir_expr *expr, int64_t of);
bool precondition_aligned(struct code *, struct ir_var *pointer);
bool precondition_at_least(struct code *, struct ir_expr *expr, int64_t least);
/* Takes conditions out of the code that hold for all threads, by the facts or by what is assumed
 * from now on. Drops the scan. */
void precondition_guards(struct code *);
/* Adds what a version of shape `geometry` assumes, with `totals` in the place of its gridDim and
 * its `own` totals. False: too much. */
bool precondition_also(struct arena *, struct preconditions *, const struct preconditions *from,
                       const struct geometry *geometry, struct ir_var *const own[2],
                       struct ir_var *const totals[2]);
/* What the launch has to check, over kernel parameters and totals; NULL: nothing. */
struct ir_expr *precondition_condition(struct arena *, const struct preconditions *);

#endif
