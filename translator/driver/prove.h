/* SPDX-License-Identifier: MIT */
/* prove.h - the verb prove: two translations of a program compute the same in a finite field, or
 * where they differ. */
#ifndef MESI_DRIVER_PROVE_H
#define MESI_DRIVER_PROVE_H

#include "translator/driver/options.h"

/* One input: at -O0 and at the level asked for, -O3 without one. Two inputs: each as it is, the
 * second at the level where one is given. Prints one line. STATUS_FINE, STATUS_DIFFERENT,
 * STATUS_UNDECIDED, or what a translation ended with. */
int prove_run(struct arena *, const struct options *, struct diag *);

#endif
