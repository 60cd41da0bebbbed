/* SPDX-License-Identifier: MIT */
/* depfile.h - -MD and -MJ. */
#ifndef MESI_DRIVER_DEPFILE_H
#define MESI_DRIVER_DEPFILE_H

#include "translator/driver/options.h"

/* The name of the depfile; NULL: none is requested, or none has a name. depfile_write writes the
 * depfile and the compile_commands fragment where requested. 0, or -1 after a diagnostic. */
const char *depfile_name(struct arena *, const struct options *, const char *output);
int depfile_write(struct arena *arena, const struct options *options, const struct unit *unit,
                  const char *output, struct diag *diag);

#endif
