/* SPDX-License-Identifier: MIT */
/* launch_spread.h - a launch in parts, one on each device of MESI_DEVICES. Internal to launch.c and
 * launch_spread.c. All functions require the lock. */
#ifndef MESI_LAUNCH_SPREAD_H
#define MESI_LAUNCH_SPREAD_H

#include "launch_uses.h"

/* Where all threads have one current device, a launch waits for one that goes out over several. */
void mesi_spread_wait_turn(void);

/* Why the launch, whose uses are noted, does not go out over several devices; NULL: it does, and
 * has its number of parts. There are several. */
const char *mesi_spread_begin(struct launch *, unsigned blocks, unsigned long long total);
/* What the parts read, and none of them writes, starts its way to their devices; they are cut into
 * pieces, some of which need nothing of that. */
void mesi_spread_bring(struct launch *);
/* Before the uses of a part are made ready: the launch is one on its device. */
void mesi_spread_place(struct launch *, unsigned part);
/* Between these the program makes the part's launch. */
void mesi_spread_enter(struct launch *);
void mesi_spread_leave(struct launch *);
/* Behind the last part, or where the launch is left: it is one on the first device again. */
void mesi_spread_end(struct launch *);

/* In a process that was forked, perhaps while another thread made such a launch. */
void mesi_spread_in_child(void);

/* The address in the memory of the part's device for one in that of the first device. */
void *mesi_spread_pointer(const struct launch *, const void *pointer);

#endif
