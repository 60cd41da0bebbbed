/* SPDX-License-Identifier: MIT */
/* planning.h - the state of the planning of one kernel's stages; private to the files of this
 * folder. */
#ifndef MESI_ANALYSIS_PLANNING_H
#define MESI_ANALYSIS_PLANNING_H

#include "analysis/plan/staging/plan_kernel.h"
#include "analysis/range/candidate.h"

/* Operations of isl, for the walk and for each array. An operation on a growing set takes longer
 * and longer. So each time that the limit is reached it is halved for the rest of the unit, and a
 * translation ends long before its time limit. */
enum { OPERATIONS = 150000, HALVINGS = 2 };

struct planning {
  struct symbols symbols;
  struct kernel_access access;
  struct effects *effects;
  struct stager *stager;
  const struct kernel_facts *facts;
  const struct plan_options *options;
  struct kernel_plan *out;
  struct candidate **candidates;
  unsigned count;
  bool measures; /* the launch measures the objects of new candidates */
  bool again;    /* plan again, with a look at tables and objects by the launch */
  uint64_t left; /* of C, behind the staged arrays and the padding after them */
  bool pays;     /* a copy is worth its barriers; from -O2 on */
};

static inline struct arena *arena_of(struct planning *p) { return p->stager->unit->arena; }

/* ---- candidates.c ---- */
void limit_operations(isl_ctx *, const struct stager *); /* sets isl's limit anew */
bool exhausted(struct planning *);                       /* did isl give up since the last call? */
bool has_constant_block(const struct planning *);
bool launch_can_choose(const struct planning *); /* may its arguments decide? */
/* Do the threads of a warp access elements that are apart? */
bool is_scattered(struct planning *, const struct array *);
extern const char *const cached_anyway;  /* the remark for an array that is not scattered */
void find_candidates(struct planning *); /* sets candidates, count */

/* ---- own_elements.c ---- */
/* From -O2 on: does each thread use elements of its own, few enough for its registers, again and
 * again? */
bool keeps_in_registers(struct planning *, const struct candidate *);

/* ---- padding.c ---- */
/* Sets the padding that the banks ask for, if any. */
void padding_wanted(struct planning *, const struct candidate *, struct stage *);
/* Keeps that of the chosen copies for which there is room. */
void pad_copies(struct planning *, uint64_t static_limit);

#endif
