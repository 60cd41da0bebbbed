/* SPDX-License-Identifier: MIT */
/* dump.h - the file of MESI_DUMP=FILE: final contents of the VS objects of a run.
 *
 * Written where the program ends through exit() or by returning from main. All numbers are
 * little-endian.
 *
 *   struct mesi_dump_header
 *   for each object:
 *     struct mesi_dump_entry
 *     name     name_bytes bytes, no terminator
 *     contents size bytes
 *
 * The variables that the program's files define come first, in the order of registration. Then
 * comes the mesi_malloc memory that is still allocated, in the order of allocation, named
 * "mesi_malloc"; its element type is that of the launches' arguments. Runs of one program are
 * comparable entry by entry: no address is in the file. A word that holds a pointer, by the
 * object's type, is written as a mesi_dump_pointer value instead.
 */
#ifndef MESI_DUMP_H
#define MESI_DUMP_H

#include <stdint.h>

#define MESI_DUMP_MAGIC "MESIDUMP"
enum { MESI_DUMP_VERSION = 1 };
enum mesi_dump_kind { MESI_DUMP_VARIABLE, MESI_DUMP_DYNAMIC };
/* the elements of the contents */
enum mesi_dump_element { MESI_DUMP_BYTES, MESI_DUMP_FLOAT, MESI_DUMP_DOUBLE };

struct mesi_dump_header {
  char magic[8];    /* MESI_DUMP_MAGIC, not terminated */
  uint32_t version; /* MESI_DUMP_VERSION */
  uint32_t count;   /* objects */
};

struct mesi_dump_entry {
  uint32_t kind;    /* enum mesi_dump_kind */
  uint32_t element; /* enum mesi_dump_element */
  uint32_t name_bytes;
  uint32_t reserved; /* 0 */
  uint64_t size;     /* bytes of contents */
};

/* A pointer into object `index` (from 0, the order in the file) at byte `offset`; its end counts as
 * inside. NULL is 0, a pointer to anything else MESI_DUMP_FOREIGN. */
#define MESI_DUMP_POINTER(index, offset) (((uint64_t)(index) + 1) << 40 | (uint64_t)(offset))
#define MESI_DUMP_FOREIGN UINT64_MAX

#endif
