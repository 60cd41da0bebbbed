/* SPDX-License-Identifier: MIT */
/* outputs.h - a check that no file is written and read, or written twice, by one command. */
#ifndef MESI_DRIVER_OUTPUTS_H
#define MESI_DRIVER_OUTPUTS_H

#include "translator/base/diag.h"
#include "translator/driver/options.h"

/* Do both names lead to one file, or would they once it is made? Links of either kind count. "-",
 * NULL and other than regular files, such as /dev/null, are never the same. */
bool is_same_file(const char *, const char *);
/* -1 after a diagnostic where an output is an input or another output. Entries may be NULL. */
int outputs_check(const struct string_list *inputs, const struct string_list *outputs,
                  struct diag *);
/* Adds the files of the command line: the source, the program's other files, the tuned plans. */
void outputs_add_inputs(struct arena *, const struct options *, struct string_list *inputs);

#endif
