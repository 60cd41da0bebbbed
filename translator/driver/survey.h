/* SPDX-License-Identifier: MIT */
/* survey.h - mesicc survey: what becomes of a whole tree of programs. */
#ifndef MESI_DRIVER_SURVEY_H
#define MESI_DRIVER_SURVEY_H

#include "translator/driver/options.h"

/* Translates each unit that the options' inputs name (files, and .cu and .mcu files under folders)
 * in a process of its own, keeps no output, and prints a table, or JSON, on standard output. 0 once
 * all units were looked at, whatever became of them; else an exit status, after a diagnostic. */
int survey_run(struct arena *, const struct options *, struct diag *);

#endif
