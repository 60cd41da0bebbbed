/* grid_footprint.h - the elements of an array that all blocks of a launch together touch. */
#ifndef MESI_ANALYSIS_GRID_FOOTPRINT_H
#define MESI_ANALYSIS_GRID_FOOTPRINT_H

#include "analysis/candidate.h"

struct grid_footprint { /* [kernel scalars, blockDim, gridDim] -> { [d0, ...] }; owned */
  isl_set *read;        /* whose values from before the launch may be needed */
  isl_set *write;
  isl_set *must_write;  /* within `write`: written whatever happens */
};

/* Requires: dim_count and index of the candidate. */
struct grid_footprint grid_footprint(struct symbols *, struct candidate *);
void grid_footprint_finish(struct grid_footprint *);

#endif
