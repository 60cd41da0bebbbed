/* SPDX-License-Identifier: MIT */
/* devices.h - the devices that MESI_DEVICES names, over which a launch may go out. Internal to the
 * runtime. All functions require the lock. */
#ifndef MESI_DEVICES_H
#define MESI_DEVICES_H

#include <stdbool.h>

/* Called before the program starts and before mesi_ranks_start, without the lock: where there are
 * several ranks, this one has the GPUs of its own alone. */
void mesi_devices_of_rank(void);

/* The number of devices; 1 where MESI_DEVICES is not set. Ends the program where it names a device
 * that does not exist. */
int mesi_devices_count(void);
/* The device at an index below the count; each stands for one part of a launch. */
int mesi_devices_at(int index);
bool mesi_devices_have(int device);

static inline bool mesi_devices_several(void) { return mesi_devices_count() > 1; }

#endif
