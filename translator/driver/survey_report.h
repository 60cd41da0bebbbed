/* SPDX-License-Identifier: MIT */
/* survey_report.h - a survey as a table and as JSON, on standard output. */
#ifndef MESI_DRIVER_SURVEY_REPORT_H
#define MESI_DRIVER_SURVEY_REPORT_H

#include "translator/driver/survey_rows.h"

/* False: writing failed. */
bool survey_print_table(struct arena *, const struct survey *);
bool survey_print_json(struct arena *, const struct survey *);

#endif
