/* SPDX-License-Identifier: MIT */
/* gate.h - the choice between one device and several for a launch. Internal to launch_spread.c and
 * launch_parted.c. All functions require the lock. */
#ifndef MESI_GATE_H
#define MESI_GATE_H

#include "launch_uses.h"

struct mesi_gate_costs {     /* of one launch; times in ms, speeds in bytes a ms */
  double one;                /* the kernel's time on one device; below 0: not known */
  double share;              /* the busiest device's share of the work */
  double touched;            /* bytes that the kernel reads and writes, at least */
  double steady;             /* bytes that a device gets from others each time */
  double to_one, to_several; /* bytes to move first, to the device that gets most */
  double link, memory;       /* speeds: between devices, of a device's memory */
};

/* Predicted times where all data are in their places. */
double mesi_gate_one(const struct mesi_gate_costs *costs);
double mesi_gate_several(const struct mesi_gate_costs *costs);
/* Do several devices pay, where staying on one device has lost `saved` ms before? */
bool mesi_gate_pays(const struct mesi_gate_costs *costs, double saved);

/* Have several devices taken as long as one? */
bool mesi_gate_lost(double one, double several);

/* Has the gate kept the site's launches on one device so often that this launch passes unasked? A
 * launch that the gate is asked about is neither held back nor repeated (again.c). */
bool mesi_gate_passes(const struct mesi_site *site);

/* The reason why the launch, whose parts are set, stays on one device. NULL: it goes out over
 * several. */
const char *mesi_gate_refuses(struct launch *launch);
/* Does MESI_SPREAD decide which launches go out, so that the gate is not asked? */
bool mesi_gate_is_forced(void);
/* Before and after a launch that goes out as a whole, or over several devices. */
void mesi_gate_begins(struct launch *launch, bool several);
void mesi_gate_ends(struct launch *launch, bool several);

#endif
