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

void command_add(struct arena *, struct command *, const char *word);
/* Exit status; 128 + n for signal n; -1 where the program could not be started. */
int command_run(struct arena *, const struct command *, bool verbose);

#endif
