/* SPDX-License-Identifier: MIT */
/* verbs.h - run, compare, bundle. */
#ifndef MESI_DRIVER_VERBS_H
#define MESI_DRIVER_VERBS_H

#include "translator/driver/options.h"

/* Carries out options->verb (not VERB_TRANSLATE). Returns the exit status. */
int verb_run(struct arena *arena, const struct options *options, struct diag *diag);

#endif
