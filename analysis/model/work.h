/* SPDX-License-Identifier: MIT */
/* work.h - counted work of the iterations of tiled loops. Internal to the room; others include
 * model.h. */
#ifndef MESI_ANALYSIS_MODEL_WORK_H
#define MESI_ANALYSIS_MODEL_WORK_H

#include "analysis/model/model.h"

/* The number of virtual threads of a real one along the axis. */
double model_factor(const struct geometry *, int axis);
/* The trip count of a loop by constants and by numbers that all launches give; `unknown` if they do
 * not tell it. */
double model_trips(const struct code *, const struct ir_stmt *, double unknown);
/* The work of one iteration of the tile's loop, except for `pause` and `loaded`, which
 * model_rebuffer sets. */
struct work model_work(struct code *, const struct instances *, const struct geometry *,
                       const struct tile *);
/* The issue slots of a scheduler for a call that is not inline. */
double model_call_slots(const struct code *, const struct ir_expr *call);
/* The issue slots of a virtual thread in a body without loops. */
double model_issue(struct code *, const struct instances *, const struct geometry *);

#endif
