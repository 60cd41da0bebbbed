/* SPDX-License-Identifier: MIT */
/* tuned.h - plans that were chosen by measurement: `mesicc tune` writes them, a translation takes
 * them in the model's place. */
#ifndef MESI_ANALYSIS_TUNED_H
#define MESI_ANALYSIS_TUNED_H

#include "analysis/plan/report/explain.h"

/* Keys that name no shape: what every kernel can be tried with. Those of shapes are as --mapping
 * has them, 128x64/16x8/16, those of teams team:1x128. */
#define TUNED_MODEL "model"         /* what the model chooses */
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
  TUNED_STALE, /* of a kernel that has changed since */
};

/* The plan for the kernel's launches under these facts; *ret_plan where it is FOUND or STALE. */
enum tuned_match tuned_plan_of(struct arena *, const struct plan_options *,
                               const struct kernel_facts *, const struct tuned_plan **ret_plan);
/* The options under which the planning chooses it. False: there is no such plan. */
bool tuned_options(const struct plan_options *usual, const char *key, struct plan_options *ret);
/* Does what came out have the form that the key asks for? */
bool tuned_is_taken(const char *key, const struct kernel_plan *plan);

/* Names the kernel's code: the same where what it computes reads the same. */
const char *tuned_code_of(struct arena *, const struct ir_function *kernel);
const char *tuned_hash(struct arena *, const char *text);

#endif
