/* SPDX-License-Identifier: MIT */
/* plan_kernel.h - from the facts of a launch to the staged variant of its kernel. */
#ifndef MESI_ANALYSIS_PLAN_KERNEL_H
#define MESI_ANALYSIS_PLAN_KERNEL_H

#include "analysis/code/code.h"
#include "analysis/code/draft.h"
#include "analysis/data/options.h"

struct explained_array;

struct kernel_plan {    /* in the unit's arena */
  struct stage *stages; /* in the order they were chosen */
  unsigned stage_count;
  uint64_t bytes;
  bool dynamic;
  struct kernel_choice *choice;   /* NULL: all of `stages`, always */
  struct kernel_mapping *mapping; /* NULL: the kernel keeps its own */
  struct no_alias_list no_alias;  /* conditions of the whole plan, which the launch checks */
  struct ir_expr *asks;           /* likewise, on parameters; NULL: none */
  /* For a kernel that is changed and not mapped: the end of its name, and its note. NULL: it is
   * not. */
  const char *suffix, *note;
  const bool *restricted;    /* likewise: draft.restricted */
  struct added_params added; /* likewise, also where it is mapped */
  unsigned promoted;         /* by promote.c, before the stages were chosen */
  struct remarks remarks;
  /* Stages nothing, and adds the findings about each array to `explained`. */
  bool looks_only;
  LIST_OF(struct explained_array) explained;
  const char *reject;              /* why the kernel's accesses are not understood; NULL: they
                                    * are */
  struct text access, range, plan; /* the dumps; owned */
};

/* Adds the stages of facts->kernel to *ret. */
void plan_kernel(struct effects *, struct stager *, const struct kernel_facts *,
                 const struct plan_options *, struct kernel_plan *ret);
/* The row of transforms.c. */
bool plan_stages(struct draft *);
void kernel_plan_finish(struct kernel_plan *);

/* ---- dump.c: stable lines ---- */
void dump_kernel(struct text *, const struct kernel_facts *);
void dump_accesses(struct text *, struct symbols *, const struct array *);
void dump_candidate_range(struct text *, struct symbols *, const struct candidate *);
void dump_stage(struct text *, const struct stage *);
char *dump_box(struct symbols *, const struct candidate *); /* [0 .. 7][..], in the arena */

#endif
