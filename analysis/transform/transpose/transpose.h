/* SPDX-License-Identifier: MIT */
/* transpose.h - what a warp accesses apart is accessed by neighbours along the other axis, through
 * shared memory. */
#ifndef MESI_ANALYSIS_TRANSPOSE_H
#define MESI_ANALYSIS_TRANSPOSE_H

#include "analysis/mapping/mapping.h"
#include "analysis/model/model.h"

enum { MOST_TRANSPOSES = 4 };

struct transposes { /* of the code of one kernel */
  const struct code_access *items[MOST_TRANSPOSES];
  unsigned count;
  /* the threads of a warp are neighbours along y in accesses that are not transposed */
  bool along_y;
  double gain;        /* cycles of requests as written over those that are left */
  const char *reason; /* why there is nothing to gain */
  struct ir_place place;
};

/* Requires: code shaped for a square block, scanned. False: ret->reason. */
bool transpose_plan(struct code *, struct transposes *ret);
/* Rewrites the code, whose scan is dropped. The shared memory that the block needs is *ret_bytes.
 */
void transpose_build(struct code *, const struct geometry *, const struct transposes *,
                     uint64_t *ret_bytes);

enum outcome plan_transpose(struct mapping *);

#endif
