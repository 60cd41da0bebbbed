/* SPDX-License-Identifier: MIT */
/* grid_footprint.h - the elements of an array that all blocks of a launch, or one run of blocks,
 * touch. */
#ifndef MESI_ANALYSIS_GRID_FOOTPRINT_H
#define MESI_ANALYSIS_GRID_FOOTPRINT_H

#include "analysis/range/candidate.h"

struct grid_footprint { /* [kernel scalars, blockDim, gridDim] -> { [d0, ...] }; owned */
  isl_set *read;        /* elements whose values from before the launch may be needed */
  isl_set *write;
  isl_set *must_write; /* within `write`: certainly written */
};

/* The way in which a coordinate follows blockIdx along an axis: by coefficient * blockIdx *
 * strides. */
struct block_advance {
  unsigned axis;
  unsigned dim;
  int64_t coefficient;   /* > 0 */
  struct symbol *moving; /* blockIdx, or the product of it and its strides */
};

/* Requires: dim_count and index of the candidate. With an `advance`, the coordinates of each block
 * are relative to its number: the elements of block b are among { [.., x + advance of b, ..] }. */
struct grid_footprint grid_footprint(struct symbols *, struct candidate *,
                                     const struct block_advance *advance);
/* Finds an advance in the first access that has one. Any is correct; a good one gives small
 * sets. */
bool find_block_advance(struct symbols *, const struct candidate *, unsigned axis,
                        struct block_advance *ret);
void grid_footprint_finish(struct grid_footprint *);

#endif
