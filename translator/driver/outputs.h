/* SPDX-License-Identifier: MIT */
/* outputs.h - a file that is written must be neither read by the same command nor written twice. */
#ifndef MESI_DRIVER_OUTPUTS_H
#define MESI_DRIVER_OUTPUTS_H

#include "translator/base/diag.h"
#include "translator/driver/options.h"

/* Both names lead to one file, through links of either kind as well, or would once it is made. "-",
 * NULL and what is no regular file, such as /dev/null, are never the same. */
bool is_same_file(const char *, const char *);
/* -1 after a diagnostic where an output is an input or another output. Entries may be NULL. */
int outputs_check(const struct string_list *inputs, const struct string_list *outputs,
                  struct diag *);
/* What the command line names: the source, the program's other files, the tuned plans. */
void outputs_add_inputs(struct arena *, const struct options *, struct string_list *inputs);

#endif
