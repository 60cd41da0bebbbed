/* bundle.h - a folder that builds, checks and times emitted programs on a machine with nvcc only. */
#ifndef MESI_DRIVER_BUNDLE_H
#define MESI_DRIVER_BUNDLE_H

#include "translator/driver/options.h"

int bundle_write(struct arena *arena, const struct options *options, struct diag *diag);

#endif
