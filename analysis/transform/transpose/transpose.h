/* SPDX-License-Identifier: MIT */
/* transpose.h - accesses of a warp that are apart become accesses of neighbours along the other
 * axis, through shared memory. */
#ifndef MESI_ANALYSIS_TRANSPOSE_H
#define MESI_ANALYSIS_TRANSPOSE_H

#include "analysis/mapping/mapping.h"
#include "analysis/model/model.h"

enum { MOST_TRANSPOSES = 4 };

struct transposes { /* of the code of one kernel */
  const struct code_access *items[MOST_TRANSPOSES];
  unsigned count;
  /* In accesses that are not transposed, the threads of a warp are neighbours along y. */
  bool along_y;
  double gain;        /* cycles of requests as written over the remaining ones */
  const char *reason; /* why there is no gain */
  struct ir_place place;
};

/* Requires: code shaped for a square block, scanned. False: see ret->reason. */
bool transpose_plan(struct code *, struct transposes *ret);
/* Rewrites the code, and drops its scan. *ret_bytes: the shared memory that a block needs. */
void transpose_build(struct code *, const struct geometry *, const struct transposes *,
                     uint64_t *ret_bytes);

enum outcome plan_transpose(struct mapping *);

#endif
