/* SPDX-License-Identifier: MIT */
/* launch_devices.h - decides which launches in parts may have their parts on several devices. */
#ifndef MESI_ANALYSIS_LAUNCH_DEVICES_H
#define MESI_ANALYSIS_LAUNCH_DEVICES_H

#include "analysis/access/effects.h"
#include "analysis/plan/plan.h"

/* Why the parts of a launch that may go out in parts stay on one device. NULL: they may be
 * spread. */
const char *devices_obstacle(struct effects *, const struct launch *, const struct launch_plan *);

#endif
