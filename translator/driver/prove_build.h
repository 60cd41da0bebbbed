/* SPDX-License-Identifier: MIT */
/* prove_build.h - from an emitted file to a program that computes in a field beside the real
 * numbers. */
#ifndef MESI_DRIVER_PROVE_BUILD_H
#define MESI_DRIVER_PROVE_BUILD_H

#include "translator/driver/build.h"

/* The missing tool or library, in words, without which no program can be built here. NULL: none. */
const char *prove_missing(struct arena *, const struct build *);
/* Compiles NAME.cpp of the build's directory, and the program's other files. `source` is the file
 * that NAME.cpp was made from. 0 with the program's path; -1 with the reason in words. */
int prove_compile(struct arena *, const struct build *, const char *source, const char *name,
                  const char **ret_program, const char **ret_reason);

#endif
