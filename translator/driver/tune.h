/* SPDX-License-Identifier: MIT */
/* tune.h - `mesicc tune`: measures the candidate plans of a program's kernels and keeps the best.
 */
#ifndef MESI_DRIVER_TUNE_H
#define MESI_DRIVER_TUNE_H

#include "translator/driver/options.h"

/* Also with --emit and --read. STATUS_DIFFERENT where the plans that the model chooses change
 * results. */
int tune_run(struct arena *arena, const struct options *options, struct diag *diag);

#endif
