/* SPDX-License-Identifier: MIT */
/* compare.h - builds a program at several levels, runs each, compares results and times. */
#ifndef MESI_DRIVER_COMPARE_H
#define MESI_DRIVER_COMPARE_H

#include "translator/driver/options.h"

/* Prints the table and `results agree` or the first difference. STATUS_DIFFERENT where results
 * differ. */
int compare_run(struct arena *arena, const struct options *options, struct diag *diag);

#endif
