/* SPDX-License-Identifier: MIT */
/* objects.h - translation of one file or several, and what nvcc or the host's compiler makes of
 * the emitted ones: -c, -dc, -E, -ptx, --link. */
#ifndef MESI_DRIVER_OBJECTS_H
#define MESI_DRIVER_OBJECTS_H

#include "translator/driver/options.h"

/* Returns the exit status; of several files the first that is not 0, and the others are done. */
int objects_make(struct arena *, const struct options *, struct diag *);

#endif
