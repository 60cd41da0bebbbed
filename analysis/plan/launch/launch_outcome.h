/* SPDX-License-Identifier: MIT */
/* launch_outcome.h - the decision about a launch that may go out in parts. */
#ifndef MESI_ANALYSIS_LAUNCH_OUTCOME_H
#define MESI_ANALYSIS_LAUNCH_OUTCOME_H

#include "analysis/access/effects.h"
#include "analysis/plan/plan.h"

/* Decides about parts along the axis, on one device and on several, and writes it to the launch's
 * plan. Requires its variant, its batch and its ranges along the axis. `floats`: sums in another
 * order are wanted. Returns the text of a remark; *ret_id: its id. */
const char *plan_parted_launch(struct plan *, struct unit *, struct effects *,
                               const struct launch *, int axis, bool floats, enum diag_id *ret_id);

#endif
