/* SPDX-License-Identifier: MIT */
/* tune_report.h - the outcome of tuning: a table, and the file of tuned plans. */
#ifndef MESI_DRIVER_TUNE_REPORT_H
#define MESI_DRIVER_TUNE_REPORT_H

#include "translator/driver/tune_candidates.h"

/* Prints the table; adds the winners to the file at `path`. 0, or an exit status. */
int tune_report(struct arena *, const struct tune_program *, const char *gpu, const char *name,
                const char *path, struct diag *);

#endif
