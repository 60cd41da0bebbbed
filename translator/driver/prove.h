/* SPDX-License-Identifier: MIT */
/* prove.h - the verb prove: whether two translations of a program compute the same in a finite
 * field, and otherwise the first difference. */
#ifndef MESI_DRIVER_PROVE_H
#define MESI_DRIVER_PROVE_H

#include "translator/driver/options.h"

/* One input: at -O0 and at the requested level (default -O3). Two inputs: each as it is, the second
 * at the requested level, if any. Prints one line. STATUS_FINE, STATUS_DIFFERENT, STATUS_UNDECIDED,
 * or the status of a failed translation. */
int prove_run(struct arena *, const struct options *, struct diag *);

#endif
