/* SPDX-License-Identifier: MIT */
/* launch_devices.h - decides which launches in parts may have their parts on several devices. */
#ifndef MESI_ANALYSIS_LAUNCH_DEVICES_H
#define MESI_ANALYSIS_LAUNCH_DEVICES_H

#include "analysis/access/effects.h"
#include "analysis/plan/plan.h"

/* Marks what the kernel only adds to: SUM_INT or its like in the access of arguments and of
 * variables. `floats`: sums in another order are wanted. The other takes the marks back. */
void devices_take_sums(struct effects *, const struct launch *, struct launch_plan *, bool floats);
void devices_drop_sums(const struct launch *, struct launch_plan *);

/* Has the launch loops and sums? It may compute for long, however few bytes it reads. */
bool devices_may_pay(struct effects *, const struct launch *, struct launch_plan *, bool floats);

/* Why the parts of a launch that may go out in parts stay on one device. NULL: they may be
 * spread. */
const char *devices_obstacle(struct effects *, const struct launch *, const struct launch_plan *);

#endif
