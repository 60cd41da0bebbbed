/* SPDX-License-Identifier: MIT */
/* messages.h - the form of messages: text, or one document of JSON or SARIF at the end. */
#ifndef MESI_DRIVER_MESSAGES_H
#define MESI_DRIVER_MESSAGES_H

#include "translator/driver/options.h"

/* Before the command line is known: text, with colours where standard error is a terminal. */
void messages_begin(struct diag *);
/* Sets the form by the options. From here on records may go to a temporary file. */
void messages_settle(struct diag *, const struct options *);
/* Writes the document, where one is requested, to standard error. */
void messages_end(struct diag *, const struct options *);

/* text, json or sarif */
bool messages_is_form(const char *name);

#endif
