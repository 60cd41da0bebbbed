/* SPDX-License-Identifier: MIT */
/* launch_parts.h - decides which launches may go out in parts, each over a run of blocks. */
#ifndef MESI_ANALYSIS_LAUNCH_PARTS_H
#define MESI_ANALYSIS_LAUNCH_PARTS_H

#include "analysis/access/effects.h"
#include "analysis/data/facts.h"
#include "analysis/plan/plan.h"

/* The axis of the grid along which blocks are told apart; -1: none. The kernel must have a body. */
int parts_axis(const struct kernel_facts *, const struct launch *);

/* Is there enough to move? With `always`: anything at all? Requires the launch's ranges along the
 * axis. */
bool parts_may_pay(const struct kernel_facts *, const struct launch_plan *, bool always);

/* Why the launch cannot go out in parts. NULL: it can. Requires the launch's plan with its
 * variant. */
const char *parts_obstacle(struct effects *, const struct launch *, const struct launch_plan *,
                           unsigned axis);

/* Why a launch that can go out in parts still goes out as a whole on one device. NULL: it does
 * not. */
const char *parts_cost(const struct launch *, const struct launch_plan *);

/* The kernel for parts, which launches can share. */
const struct kernel_parts *parts_of_launch(struct plan *, const struct launch *, unsigned axis);

#endif
