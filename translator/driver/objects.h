/* SPDX-License-Identifier: MIT */
/* objects.h - translation of one file or several, and compilation of the emitted files by nvcc or
 * the host's compiler: -c, -dc, -E, -ptx, --link. */
#ifndef MESI_DRIVER_OBJECTS_H
#define MESI_DRIVER_OBJECTS_H

#include "translator/driver/options.h"

/* Returns the exit status: of several files the first that is not 0. All files are processed. */
int objects_make(struct arena *, const struct options *, struct diag *);

#endif
