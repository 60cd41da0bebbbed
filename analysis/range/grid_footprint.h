/* SPDX-License-Identifier: MIT */
/* grid_footprint.h - the elements of an array that all blocks of a launch together touch, or one
 * run of blocks. */
#ifndef MESI_ANALYSIS_GRID_FOOTPRINT_H
#define MESI_ANALYSIS_GRID_FOOTPRINT_H

#include "analysis/range/candidate.h"

struct grid_footprint { /* [kernel scalars, blockDim, gridDim] -> { [d0, ...] }; owned */
  isl_set *read;        /* whose values from before the launch may be needed */
  isl_set *write;
  isl_set *must_write; /* within `write`: written whatever happens */
};

/* how a coordinate follows blockIdx along an axis: by coefficient * blockIdx * strides */
struct block_advance {
  unsigned axis;
  unsigned dim;
  int64_t coefficient;   /* > 0 */
  struct symbol *moving; /* blockIdx, or the product of it and its strides */
};

/* Requires: dim_count and index of the candidate. `advance` NULL, or: of each block less what the
 * block's number adds to the coordinate: the elements of block b are among { [.., x + advance of b,
 * ..] }. */
struct grid_footprint grid_footprint(struct symbols *, struct candidate *,
                                     const struct block_advance *advance);
/* From the first access that has one; any is right, a good one makes small sets. */
bool find_block_advance(struct symbols *, const struct candidate *, unsigned axis,
                        struct block_advance *ret);
void grid_footprint_finish(struct grid_footprint *);

#endif
