/* SPDX-License-Identifier: MIT */
/* use_range.h - what one launch does to an object. */
#ifndef MESI_ANALYSIS_USE_RANGE_H
#define MESI_ANALYSIS_USE_RANGE_H

#include "analysis/data/launch_value.h"

/* of the blocks first ... last along an axis: rest.begin + step * first ... rest.end + step *
 * last */
struct part_range {
  struct ir_expr *step; /* bytes; NULL: not known, any block may use all of it */
  struct byte_range rest;
};

/* what one launch does to the object of an argument or to a VS variable */
struct use_range {
  struct byte_range read, write;
  struct part_range read_part, write_part; /* along the axis of the launch's parts */
  bool whole; /* the call for the whole object says the same, but for the parts */
  /* condition under which all of `write` is written and none of it read; NULL: never */
  struct ir_expr *overwrites;
  unsigned *no_alias; /* parameters whose read ranges `write` must not overlap for that */
  unsigned no_alias_count;
};

#endif
