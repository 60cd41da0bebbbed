/* launch_range.h - the bytes of its objects that a launch may read and write. */
#ifndef MESI_ANALYSIS_LAUNCH_RANGE_H
#define MESI_ANALYSIS_LAUNCH_RANGE_H

#include "analysis/effects.h"
#include "analysis/facts.h"
#include "analysis/plan.h"

/* Sets the ranges in `plan`, whose arguments and uses are there. `facts` are those of the launch; its kernel has a body. With an
 * axis (not -1) they say what runs of blocks along it use. */
void plan_launch_ranges(struct effects *, const struct kernel_facts *, const struct launch *, int parts_axis, struct launch_plan *plan);
/* Can all arguments be evaluated twice? */
bool launch_repeats_arguments(const struct launch *);

#endif
