/* SPDX-License-Identifier: MIT */
/* bin.h - bin: points sorted into the cells of a grid (mesi_bin.h). Internal to the runtime.
 *
 * The room takes points in VS memory and a grid. It gives the order of the points by cells and each
 * cell's first point. The steps of the room `device` make them on the device, over the memory and
 * the launches of the room `launch`. */
#ifndef MESI_BIN_INTERNAL_H
#define MESI_BIN_INTERNAL_H

#include "../mesi_bin.h"

/* Writes the message (NULL: nowhere) and returns the status. */
int mesi_bin_fail(char *message, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Check the arguments of mesi_bin_init, and set the derived fields. */
int mesi_bin_check_grid(struct mesi_bins *bins);
int mesi_bin_check_options(struct mesi_bins *bins);

#endif
