/* SPDX-License-Identifier: MIT */
/* types_file.h - the types of a unit's VS variables as a small file: a translation writes it,
 * compare reads it, so that a difference is named by index and value.
 *
 *     f4 12 34 ns::a        a line a variable: element, extents, qualified name
 *
 * Elements: f4 f8 (float, double), i1 ... i8 (signed), u1 ... u8 (unsigned, bool), b16 (16 bytes of
 * anything else). */
#ifndef MESI_DRIVER_TYPES_FILE_H
#define MESI_DRIVER_TYPES_FILE_H

#include "translator/driver/dumps.h"

struct unit;

/* 0, or -1 with errno. */
int types_file_write(const char *path, const struct unit *unit);
/* Gives the objects of the file their types; does nothing where it is missing. */
void types_file_apply(struct arena *arena, const char *path, struct dump_file *dump);

#endif
