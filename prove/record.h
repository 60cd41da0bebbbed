/* SPDX-License-Identifier: MIT */
/* record.h - the output file of a program under `mesicc prove`: records one after another, each
 * with its kind first.
 *
 *   struct prove_launch, name_bytes bytes of the kernel's name: one for each launch, in their order
 *   struct prove_object, name_bytes bytes of name, `bytes` of contents (pointers replaced,
 *       runtime/dump.h), then, with has_cells, a tagged element (shadow.h) for each whole word of
 *       4 bytes, and the number of the launch that wrote it (4 bytes; 0: the host) for each
 *   struct prove_trailer, last: without it the program did not end by itself
 */
#ifndef MESI_PROVE_RECORD_H
#define MESI_PROVE_RECORD_H

#include <stdint.h>

enum { RECORD_OBJECT = 1, RECORD_END = 2, RECORD_LAUNCH = 3 };
enum { RECORD_EVENTS = 4 }; /* EVENT_COUNT of shadow.h */

struct prove_object {
  uint32_t kind, element, name_bytes, has_cells; /* element: enum mesi_dump_element */
  uint64_t bytes;
};

struct prove_launch {
  uint32_t kind, name_bytes;
};

struct prove_trailer {
  uint64_t kind;
  uint64_t inputs; /* host stores that became random elements */
  uint64_t in_kernels[RECORD_EVENTS], on_host[RECORD_EVENTS];
};

#endif
