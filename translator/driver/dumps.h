/* dumps.h - reads and compares what MESI_DUMP wrote (runtime/dump.h). */
#ifndef MESI_DRIVER_DUMPS_H
#define MESI_DRIVER_DUMPS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct dump_object {
  const char *name;
  const unsigned char *bytes;
  size_t size;
  unsigned element; /* enum mesi_dump_element */
};

struct dump_file {
  struct dump_object *objects;
  unsigned count;
};

/* false where the file is missing or malformed. */
bool dumps_read(struct arena *, const char *path, struct dump_file *ret);
/* NULL where the runs agree; otherwise the first difference in words. `exact`: byte for byte; otherwise floating-point
 * objects may differ by a relative norm of 1e-5 (float) or 1e-12 (double). */
const char *dumps_difference(struct arena *, const struct dump_file *, const struct dump_file *, bool exact);

#endif
