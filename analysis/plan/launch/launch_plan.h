/* SPDX-License-Identifier: MIT */
/* launch_plan.h - what launches tell the runtime: access bits of arguments, VS variables used by
 * name. */
#ifndef MESI_ANALYSIS_LAUNCH_PLAN_H
#define MESI_ANALYSIS_LAUNCH_PLAN_H

#include "analysis/access/effects.h"
#include "analysis/plan/plan.h"

/* Fills plan->launches[launch->id] but its variant. */
void plan_launch(struct unit *, struct effects *, const struct launch *, struct plan *);

#endif
