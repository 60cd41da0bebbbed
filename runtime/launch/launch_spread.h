/* SPDX-License-Identifier: MIT */
/* launch_spread.h - a launch in parts, one on each device of MESI_DEVICES. Internal to launch.c and
 * launch_spread.c. All functions require the lock. */
#ifndef MESI_LAUNCH_SPREAD_H
#define MESI_LAUNCH_SPREAD_H

#include "launch_uses.h"

/* Where all threads share one current device, waits while another thread's launch goes out over
 * several devices. */
void mesi_spread_wait_turn(void);

/* Begins a launch over several devices, whose uses are noted. NULL: it goes out so, and its number
 * of parts is set; otherwise the reason why not. Requires several devices. */
const char *mesi_spread_begin(struct launch *, unsigned blocks, unsigned long long total);
/* Starts the copies of all bytes that parts read and none of them writes. Cuts the parts into
 * pieces, some of which need none of these bytes. */
void mesi_spread_bring(struct launch *);
/* Before the uses of a part are made ready: gives the launch the part's device and stream. */
void mesi_spread_place(struct launch *, unsigned part);
/* The program makes the part's launch between these two. */
void mesi_spread_enter(struct launch *);
void mesi_spread_leave(struct launch *);
/* After the last part, or where the launch is left: the launch is on its first device again. */
void mesi_spread_end(struct launch *);

/* In a forked process: another thread of the parent may have been making such a launch. */
void mesi_spread_in_child(void);

/* The address on the part's device that corresponds to one on the first device. */
void *mesi_spread_pointer(const struct launch *, const void *pointer);

#endif
