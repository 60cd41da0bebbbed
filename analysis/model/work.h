/* SPDX-License-Identifier: MIT */
/* work.h - counted work of the iterations of tiled loops. Internal to the room; others include
 * model.h. */
#ifndef MESI_ANALYSIS_MODEL_WORK_H
#define MESI_ANALYSIS_MODEL_WORK_H

#include "analysis/model/model.h"

/* Virtual threads of a real one along the axis. */
double model_factor(const struct geometry *, int axis);
/* Iterations of a loop; `unknown` where they are not constant. */
double model_trips(const struct ir_stmt *, double unknown);
/* Of one iteration of the tile's loop; `pause` and `loaded` are left to model_rebuffer. */
struct work model_work(struct code *, const struct instances *, const struct geometry *,
                       const struct tile *);

#endif
