/* SPDX-License-Identifier: MIT */
/* launch_plan.h - the announcements of launches to the runtime: access bits of arguments, and VS
 * variables that are used by name. */
#ifndef MESI_ANALYSIS_LAUNCH_PLAN_H
#define MESI_ANALYSIS_LAUNCH_PLAN_H

#include "analysis/access/effects.h"
#include "analysis/plan/plan.h"

/* Fills plan->launches[launch->id], except for its variant. */
void plan_launch(struct unit *, struct effects *, const struct launch *, struct plan *);

#endif
