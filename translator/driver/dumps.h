/* SPDX-License-Identifier: MIT */
/* dumps.h - reads and compares the files of MESI_DUMP (runtime/dump.h). */
#ifndef MESI_DRIVER_DUMPS_H
#define MESI_DRIVER_DUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum { DUMP_DIMS = 8 };

struct object_type {
  char kind;          /* of an element: f real, i signed, u unsigned or bool, b other bytes */
  unsigned size;      /* of an element, bytes */
  unsigned dim_count; /* 0: a scalar */
  uint64_t extents[DUMP_DIMS];
};

struct dump_object {
  const char *name;
  const unsigned char *bytes;
  size_t size;
  unsigned element;               /* enum mesi_dump_element */
  const struct object_type *type; /* NULL: the type of `element` */
};

struct dump_file {
  struct dump_object *objects;
  unsigned count;
};

/* false where the file is missing or malformed. */
bool dumps_read(struct arena *, const char *path, struct dump_file *ret);
/* NULL where the runs agree; otherwise the first difference in words. `exact`: byte for byte;
 * otherwise floating-point objects may differ by a relative norm of 1e-5 (float) or 1e-12 (double).
 * An object with a type is named by index and value, "a[3][17] is 4.5, was 4.25", another one as
 * "a: element 107 is 4.5, was 4.25". */
const char *dumps_difference(struct arena *, const struct dump_file *, const struct dump_file *,
                             bool exact);
/* The element at a byte of an object that has a type: "a[3][17]". */
const char *dumps_element_name(struct arena *, const struct dump_object *, size_t byte);

#endif
