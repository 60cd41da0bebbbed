/* SPDX-License-Identifier: MIT */
/* launch_sums.h - objects that a launch over several devices only adds to. Internal to the files
 * launch*.c. All functions require the lock. */
#ifndef MESI_LAUNCH_SUMS_H
#define MESI_LAUNCH_SUMS_H

#include "launch_uses.h"

/* Why the objects that the launch adds to cannot have a sum on each device. NULL: they can, or
 * there are none. */
const char *mesi_sums_obstacle(const struct mesi_parts *parts);

/* Makes the sums of the devices beside the launch's own, each of zeros. */
void mesi_sums_begin(struct launch *);
/* Adds them up, on the host, behind all parts. */
void mesi_sums_end(struct launch *);

/* The object in whose place the part on `device` has a sum; NULL: it uses the object itself. */
struct mesi_object *mesi_sums_own(const struct launch *, const struct mesi_object *, int device);
/* The address on `device` that the object would begin at there, were it all there. */
char *mesi_sums_address(const struct launch *, const struct mesi_object *, int device);

/* A use of the sum by a part on the device of launch->uses. False: the use is no sum, or the device
 * is the launch's own. */
bool mesi_sums_use(struct launch *, const struct mesi_pending *);

#endif
