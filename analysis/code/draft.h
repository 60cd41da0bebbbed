/* SPDX-License-Identifier: MIT */
/* draft.h - a kernel's plan while transformations are tried on it, one after the other
 * (plan/transforms.c). */
#ifndef MESI_ANALYSIS_DRAFT_H
#define MESI_ANALYSIS_DRAFT_H

#include "analysis/code/code.h"
#include "analysis/data/options.h"
#include "analysis/data/version.h"

/* A place of the code in a form that other rows know (SLOT_FORM): what is said of it where one of
 * them takes the kernel, and where none does. */
struct formed {
  struct ir_place place;
  enum diag_id taken, declined; /* equal: nothing is said where no row takes the kernel */
  const char *array;            /* that it is about */
  const char *what;             /* the form, as what the kernel gets */
};

struct said { /* remarks, or decisions, from the one up to the other */
  unsigned from, to;
};

struct draft {
  struct code code; /* as it is by now; its remarks are the plan's */
  const struct plan_options *options;
  struct stager *stager;
  struct text *dump;             /* lines of --dump-plan; the plan's */
  unsigned promoted;             /* array elements that the code keeps in registers */
  LIST_OF(struct formed) formed; /* the code is printed where `promoted` or a row below uses it */
  bool hoisted;                  /* some of them over loops that only load them */
  /* The code without them, where each is a load that the compiler of the emitted code moves out of
   * its loop by itself, since nothing is stored there; NULL: it is not so. And the remarks and
   * decisions on them. */
  struct ir_function *bare;
  struct said hoists_said[2];
  struct kernel_mapping *mapping; /* the work mapped to threads anew; NULL: as written */
  /* whose body is printed in the place of the code's; NULL: the code's own */
  struct ir_function *changed;
  /* of the name of such a kernel, and what it does, for a comment; NULL: the mapping has them,
   * or there is none */
  const char *suffix, *note;
  /* `changed`: by parameter, whether it is printed as __restrict__; NULL: as they are */
  const bool *restricted;
  struct no_alias_list no_alias; /* conditions of all of it, which the launch finds out */
  struct kernel_plan *plan;      /* of the room above: stages, and what is dumped */
  /* Does the kernel as it is stage an array that `covers` says nothing of? */
  bool (*stages_others)(struct draft *, bool (*covers)(const void *context, const struct ir_var *),
                        const void *context);
};

/* drops the scan, and gives the code's body nodes of its own */
void draft_own_body(struct draft *);

#endif
