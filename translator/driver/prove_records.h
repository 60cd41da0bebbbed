/* SPDX-License-Identifier: MIT */
/* prove_records.h - reads and compares the records of two programs under prove (prove/record.h). */
#ifndef MESI_DRIVER_PROVE_RECORDS_H
#define MESI_DRIVER_PROVE_RECORDS_H

#include "prove/record.h"
#include "translator/driver/dumps.h"

struct prove_records {
  struct dump_file dump; /* the objects: those that were freed, in that order, then the others */
  const char **cells;    /* of each object, as in the file; NULL: none */
  const char **kernels;  /* of each launch */
  uint32_t launches;
  struct prove_trailer trailer;
  uint64_t elements; /* words that are part of a floating-point number */
};

/* false where the file is missing, or the program did not end by itself. */
bool prove_records_read(struct arena *, const char *path, struct prove_records *ret);
/* NULL where all memory is equal: the elements of floating-point numbers, the bits of everything
 * else. Otherwise the difference of the earliest launch, in words: "c[3] is 4.5 (element 9), was
 * 4.25 (element 17); written by launch 2, sum". */
const char *prove_records_difference(struct arena *, const struct prove_records *,
                                     const struct prove_records *);

#endif
