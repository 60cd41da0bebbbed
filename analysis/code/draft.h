/* SPDX-License-Identifier: MIT */
/* draft.h - a kernel's plan while transformations are tried on it, one after the other
 * (plan/transforms.c). */
#ifndef MESI_ANALYSIS_DRAFT_H
#define MESI_ANALYSIS_DRAFT_H

#include "analysis/code/code.h"
#include "analysis/data/options.h"
#include "analysis/data/version.h"

/* A place of the code in a form that other rows know (SLOT_FORM), with the remarks if one of them
 * takes the kernel, and if none does. */
struct formed {
  struct ir_place place;
  enum diag_id taken, declined; /* equal: no remark if no row takes the kernel */
  const char *array;            /* the array that it is about */
  const char *what;             /* the form, as an object of "gets" */
};

struct said { /* remarks, or decisions, from index `from` up to `to` */
  unsigned from, to;
};

struct draft {
  struct code code; /* in its present state; its remarks are the plan's */
  const struct plan_options *options;
  struct stager *stager;
  struct text *dump;             /* lines of --dump-plan; the plan's */
  unsigned promoted;             /* array elements that the code keeps in registers */
  LIST_OF(struct formed) formed; /* the code is printed where `promoted` or a row below uses it */
  bool alone;                    /* a form gains although no row below takes the kernel */
  bool hoisted;                  /* some of them over loops that only load these elements */
  /* The code without these registers, if the compiler of the emitted code would move each load out
   * of its loop by itself, since nothing is stored there. NULL: it would not. Then the remarks and
   * decisions on the registers. */
  struct ir_function *bare;
  struct said hoists_said[2];
  /* Why accesses stay far apart that another order of axes would bring together. NULL: none do. */
  const char *kept_axes;
  struct ir_place kept_axes_place;
  unsigned way;                   /* SLOT_EXTENTS: the number of the way to choose axes */
  const struct extents *extents;  /* of the code's elements; NULL: they are the launch's threads */
  struct kernel_mapping *mapping; /* the new mapping of the work to threads; NULL: as written */
  /* The function whose body is printed instead of the code's. NULL: the code's own. */
  struct ir_function *changed;
  /* For such a kernel: the end of its name, and its note for a comment. NULL: the mapping has them,
   * or there are none. */
  const char *suffix, *note;
  /* For `changed`, by parameter: is it printed as __restrict__? NULL: as they are. */
  const bool *restricted;
  struct no_alias_list no_alias; /* conditions of the whole draft, which the launch checks */
  struct added_params added;     /* of all its codes */
  struct kernel_plan *plan;      /* of the caller: stages, and the dumps */
  /* Does the present kernel stage an array that `covers` does not cover? */
  bool (*stages_others)(struct draft *, bool (*covers)(const void *context, const struct ir_var *),
                        const void *context);
};

/* drops the scan, and gives the code's body nodes of its own */
void draft_own_body(struct draft *);

#endif
