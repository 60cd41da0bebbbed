/* depfile.h - -MD and -MJ. */
#ifndef MESI_DRIVER_DEPFILE_H
#define MESI_DRIVER_DEPFILE_H

#include "translator/driver/options.h"

/* Writes the depfile and the compile_commands fragment when asked for. 0, or -1 after a diagnostic. */
int depfile_write(struct arena *arena, const struct options *options, const struct unit *unit, const char *output,
                  struct diag *diag);

#endif
