/* SPDX-License-Identifier: MIT */
/* messages.h - the form of messages: text, or one document of JSON or SARIF at the end. */
#ifndef MESI_DRIVER_MESSAGES_H
#define MESI_DRIVER_MESSAGES_H

#include "translator/driver/options.h"

/* Before the command line is known: text, with colours where standard error is a terminal. */
void messages_begin(struct diag *);
/* As the options say. From here on records may go to a temporary file. */
void messages_settle(struct diag *, const struct options *);
/* Writes the document, where one was asked for, to standard error. */
void messages_end(struct diag *, const struct options *);

/* text, json or sarif */
bool messages_is_form(const char *name);

/* A line that says what is being done, over the one before: on a terminal, where the work has taken
 * a second, and not with -v. `done` of `count`; count 0: not known. */
void progress_show(const char *doing, const char *what, unsigned done, unsigned count);
/* Takes the line away; the next one may come at once. */
void progress_clear(void);

#endif
