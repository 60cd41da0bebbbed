/* SPDX-License-Identifier: MIT */
/* waits.h - the loads of a kernel that wait behind stores only because names may alias. */
#ifndef MESI_ANALYSIS_WAITS_H
#define MESI_ANALYSIS_WAITS_H

#include "analysis/code/code.h"
#include "analysis/data/options.h"
#include "analysis/model/model.h"

enum { MOST_ROOTS = 64 }; /* parameters that the tracing can tell apart */

struct waits {
  unsigned count;        /* loads that wait for names */
  struct ir_place place; /* of the first */
  uint64_t roots;        /* the parameters of these loads and of the stores in front of them */
  /* Cycles of a multiprocessor for its threads: as written, and where no load waits for names. */
  double written, ahead;
};

/* The number of iterations of a loop whose loads may be in flight at once, if none waits for
 * another's stores. 1: its body is too large, or threads leave it. */
unsigned waits_at_once(const struct ir_stmt *loop, double bytes);

/* Estimates the waits of the code as it is now. */
void waits_of(struct code *, const struct target *, struct waits *ret);

/* The code with `#pragma unroll` at the loops whose loads wait for names. */
struct ir_stmt *waits_unrolled(struct code *, struct ir_stmt *body);

#endif
