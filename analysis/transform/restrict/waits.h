/* SPDX-License-Identifier: MIT */
/* waits.h - which loads of a kernel wait behind stores for the names of memory alone. */
#ifndef MESI_ANALYSIS_WAITS_H
#define MESI_ANALYSIS_WAITS_H

#include "analysis/code/code.h"
#include "analysis/data/options.h"
#include "analysis/model/model.h"

enum { MOST_ROOTS = 64 }; /* parameters that are told from one another */

struct waits {
  unsigned count;        /* loads that wait so */
  struct ir_place place; /* of the first */
  uint64_t roots; /* parameters that these loads and the stores in front of them go through */
  /* cycles of a multiprocessor for its threads, as written and where no load waits so */
  double written, ahead;
};

/* How many iterations of a loop may be on their way at once, where none waits for another's stores;
 * 1: its body is too large, or threads leave it. */
unsigned waits_at_once(const struct ir_stmt *loop, double bytes);

/* Looks at the code as it is. */
void waits_of(struct code *, const struct target *, struct waits *ret);

/* The code with loops whose loads wait so unrolled. */
struct ir_stmt *waits_unrolled(struct code *, struct ir_stmt *body);

#endif
