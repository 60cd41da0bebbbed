/* SPDX-License-Identifier: MIT */
/* survey.h - mesicc survey: the results for a whole tree of programs. */
#ifndef MESI_DRIVER_SURVEY_H
#define MESI_DRIVER_SURVEY_H

#include "translator/driver/options.h"

/* Translates each unit of the options' inputs (files, and .cu and .mcu files in folders) in a
 * process of its own, keeps no output, and prints a table, or JSON, on standard output. 0 once all
 * units have been processed, whatever their results; otherwise an exit status, after a
 * diagnostic. */
int survey_run(struct arena *, const struct options *, struct diag *);

#endif
