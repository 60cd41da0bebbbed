/* bin.h - shared by the files of mesi_bin_*. Internal to the runtime. */
#ifndef MESI_BIN_INTERNAL_H
#define MESI_BIN_INTERNAL_H

#include "mesi_bin.h"

/* Writes the message (NULL: nowhere) and returns the status. */
int mesi_bin_fail(char *message, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What mesi_bin_init was given. Derived fields are filled in. */
int mesi_bin_check_grid(struct mesi_bins *bins);
int mesi_bin_check_options(struct mesi_bins *bins);

#endif
