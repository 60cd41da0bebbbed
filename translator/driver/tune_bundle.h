/* SPDX-License-Identifier: MIT */
/* tune_bundle.h - tuning on a machine with nvcc and a GPU only: a folder goes there, times come
 * back. */
#ifndef MESI_DRIVER_TUNE_BUNDLE_H
#define MESI_DRIVER_TUNE_BUNDLE_H

#include "translator/driver/options.h"

/* Adds the inputs to the folder options->tune_emit. 0, or an exit status. */
int tune_bundle_emit(struct arena *, const struct options *, struct diag *);
/* Takes the times in options->tune_read, for all programs that it has. */
int tune_bundle_read(struct arena *, const struct options *, struct diag *);

#endif
