/* SPDX-License-Identifier: MIT */
/* tuned.h - plans that a measurement chose: `mesicc tune` writes them, and a translation takes them
 * in the model's place. */
#ifndef MESI_ANALYSIS_TUNED_H
#define MESI_ANALYSIS_TUNED_H

#include "analysis/plan/report/explain.h"

/* Keys without a shape, which every kernel can be tried with. Keys of shapes are as in --mapping,
 * 128x64/16x8/16; keys of teams are as team:1x128. */
#define TUNED_MODEL "model"         /* the model's choice */
#define TUNED_ORIGINAL "original"   /* as written */
#define TUNED_REGISTERS "registers" /* elements kept in registers, nothing else */
#define TUNED_STAGED \
  "staged" /* ... and all arrays staged that fit, most accesses per byte first \
            */
#define TUNED_UNTILED \
  "untiled"                   /* another mapping without loops over tiles, wherever it is right \
                               */
#define TUNED_ALWAYS "always" /* another mapping, or teams, wherever it is right */

struct kernel_plan;

enum tuned_match {
  TUNED_NONE, /* nothing was measured for these launches */
  TUNED_FOUND,
  TUNED_STALE, /* it was measured for an older version of the kernel */
};

/* Looks up the plan for the kernel's launches under these facts. *ret_plan: set for FOUND and
 * STALE. */
enum tuned_match tuned_plan_of(struct arena *, const struct plan_options *,
                               const struct kernel_facts *, const struct tuned_plan **ret_plan);
/* The options under which planning chooses this plan. False: there is no such plan. */
bool tuned_options(const struct plan_options *usual, const char *key, struct plan_options *ret);
/* Has the resulting plan the form that the key asks for? */
bool tuned_is_taken(const char *key, const struct kernel_plan *plan);

/* A name for the kernel's code: equal names for equal code. */
const char *tuned_code_of(struct arena *, const struct ir_function *kernel);
const char *tuned_hash(struct arena *, const char *text);

#endif
