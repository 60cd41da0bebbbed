/* SPDX-License-Identifier: MIT */
/* depfile.h - -MD and -MJ. */
#ifndef MESI_DRIVER_DEPFILE_H
#define MESI_DRIVER_DEPFILE_H

#include "translator/driver/options.h"

/* Writes the depfile and the compile_commands fragment when asked for. 0, or -1 after a diagnostic.
 */
/* NULL: none is asked for, or none has a name. */
const char *depfile_name(struct arena *, const struct options *, const char *output);
int depfile_write(struct arena *arena, const struct options *options, const struct unit *unit,
                  const char *output, struct diag *diag);

#endif
