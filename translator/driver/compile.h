/* SPDX-License-Identifier: MIT */
/* compile.h - the target's compiler on emitted files. */
#ifndef MESI_DRIVER_COMPILE_H
#define MESI_DRIVER_COMPILE_H

#include "translator/driver/build.h"

/* Compiles one emitted file. `phase` is nvcc's long name for the step; the host's compiler knows
 * --compile, --device-c, --device-w and --preprocess. `input` is the source of `emitted`: headers
 * are beside it. `product` NULL: standard output. 0, or an exit status after a diagnostic. */
int compile_file(struct arena *, const struct build *, const char *input, const char *emitted,
                 const char *phase, const char *product, struct diag *);
/* Links a program from the emitted file, further objects, those of the build's C and C++ files, and
 * the runtime. The same statuses. */
int compile_program(struct arena *, const struct build *, const char *input, const char *emitted,
                    const struct string_list *objects, const char *program, struct diag *);

#endif
