/* SPDX-License-Identifier: MIT */
/* launch_range.h - the bytes of its objects that a launch may read and write. */
#ifndef MESI_ANALYSIS_LAUNCH_RANGE_H
#define MESI_ANALYSIS_LAUNCH_RANGE_H

#include "analysis/access/effects.h"
#include "analysis/data/facts.h"
#include "analysis/plan/plan.h"

/* Sets the ranges in `plan`, which has its arguments and uses, and the footprints in `facts`, which
 * are those of the launch. The launch's kernel must have a body. With an axis (not -1) the ranges
 * also give the uses of runs of blocks along it. `wants_footprints`: also where the launch is not
 * hooked. */
void plan_launch_ranges(struct effects *, struct kernel_facts *, const struct launch *,
                        int parts_axis, bool wants_footprints, struct launch_plan *plan);

/* Can everything that the launch evaluates be evaluated twice, in any order? */
bool launch_is_repeatable(const struct launch *);
/* Can all arguments be evaluated twice? */
bool launch_repeats_arguments(const struct launch *);

#endif
