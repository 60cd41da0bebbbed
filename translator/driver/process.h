/* SPDX-License-Identifier: MIT */
/* process.h - running programs without a shell. */
#ifndef MESI_DRIVER_PROCESS_H
#define MESI_DRIVER_PROCESS_H

#include <stdbool.h>

#include "translator/driver/options.h"

struct command {
  struct string_list words;       /* [0] is the program, looked up on the PATH */
  struct string_list environment; /* NAME=VALUE to add */
  const char *out;                /* file for standard output; NULL: inherited */
  const char *err;                /* file for standard error; NULL: inherited */
};

/* From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT end the running command, not mesicc, which can
 * then clean up. Signals that are ignored stay so. */
void process_catch_signals(void);
/* 0, or 128 + the number of the last signal received: no further command is started. */
int process_interrupted(void);

/* In a child: gives these signals their usual effect again. */
void process_reset_signals(void);

void command_add(struct arena *, struct command *, const char *word);
/* Exit status; 128 + n for signal n; -1 where the program could not be started. The program ends
 * when mesicc ends, for whatever reason. */
int command_run(struct arena *, const struct command *, bool verbose);

#endif
