/* SPDX-License-Identifier: MIT */
/* survey_errors.h - the messages of a unit that is not taken. */
#ifndef MESI_DRIVER_SURVEY_ERRORS_H
#define MESI_DRIVER_SURVEY_ERRORS_H

#include "translator/driver/survey_rows.h"

/* The header that is not found according to these messages; *ret_includer: the file that includes
 * it. NULL: there is no such message. */
const char *survey_missing_header(struct arena *, const char *messages, const char **ret_includer);
/* Sets the unit's fate, and the code and the text of the error behind it. */
void survey_add_error(struct arena *, const char *messages, struct survey_unit *);
const char *survey_fate_name(enum survey_fate);

#endif
