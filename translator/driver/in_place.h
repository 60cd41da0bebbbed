/* SPDX-License-Identifier: MIT */
/* in_place.h - mesicc nvcc: the compiler of an existing build. */
#ifndef MESI_DRIVER_IN_PLACE_H
#define MESI_DRIVER_IN_PLACE_H

#include "translator/base/arena.h"
#include "translator/base/diag.h"

/* Does nvcc's work with these arguments, and returns its exit status. Does not return where nvcc
 * gets the arguments unchanged: nvcc then replaces this process. */
int in_place_run(struct arena *, int argc, char **argv, struct diag *);

#endif
