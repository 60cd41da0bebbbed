/* SPDX-License-Identifier: MIT */
/* bundle_headers.h - the files that a translation has read, for a folder that builds elsewhere. */
#ifndef MESI_DRIVER_BUNDLE_HEADERS_H
#define MESI_DRIVER_BUNDLE_HEADERS_H

#include "translator/driver/options.h"

/* Copies the files of the rule in `depfile` (as -MP writes it) and removes it: those below an -I
 * folder, given in options->folders, to DIR/include, those below the input's folder to STEM.parts,
 * each at its place below that folder. `stem` is DIR/src/NAME. Files that are there already stay.
 * 0, or an exit status after a diagnostic. */
int bundle_headers_copy(struct arena *, const struct options *options, const char *input,
                        const char *stem, const char *depfile, struct diag *);

#endif
