/* SPDX-License-Identifier: MIT */
/* bundle.h - a folder that builds, checks and times emitted programs on a machine with nvcc only.
 */
#ifndef MESI_DRIVER_BUNDLE_H
#define MESI_DRIVER_BUNDLE_H

#include "translator/driver/options.h"

/* ---- common parts of folders for other machines ---- */

/* The options for text emitted into such a folder: headers of -I folders are included by their
 * names. */
const struct options *bundle_options(struct arena *arena, const struct options *given);
/* Writes the runtime, the tools and the headers of -I folders to DIR, which exists; `script` (of
 * this repository) becomes its run.sh. Takes the options of bundle_options. 0, or an exit
 * status. */
int bundle_begin(struct arena *arena, const struct options *options, const char *directory,
                 const char *script, struct diag *diag);
/* Adds the macros, C and C++ files, headers beside these and beside the input, and arguments of a
 * case: STEM.macros.h, STEM.parts, STEM.run. */
int bundle_add_files(struct arena *arena, const struct options *options, const char *input,
                     const char *stem, struct diag *diag);
const char *bundle_case_name(struct arena *arena, const struct options *options, const char *input);

int bundle_write(struct arena *arena, const struct options *options, struct diag *diag);

#endif
