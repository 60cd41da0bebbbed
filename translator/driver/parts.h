/* SPDX-License-Identifier: MIT */
/* parts.h - a program's other files: C and C++ sources given after the .mcu, which only the host's
 * compiler sees. */
#ifndef MESI_DRIVER_PARTS_H
#define MESI_DRIVER_PARTS_H

#include "translator/driver/build.h"

bool parts_is_source(const char *path); /* by the name: .c, .cpp, .cc or .cxx */

/* Compiles each part once a build; the objects are build->objects. 0, or an exit status after a
 * diagnostic. */
int parts_compile(struct arena *, struct build *, struct diag *);

/* Copies the parts, and the headers beside them, to a folder. 0, or an exit status after a
 * diagnostic. */
int parts_copy(struct arena *, const struct options *, const char *folder, struct diag *);
/* Copies the headers of a folder to another one. 0, or an exit status after a diagnostic. */
int parts_copy_headers(struct arena *, const char *from, const char *folder, struct diag *);

#endif
