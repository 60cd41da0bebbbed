/* SPDX-License-Identifier: MIT */
/* use_range.h - the uses of an object by one launch. */
#ifndef MESI_ANALYSIS_USE_RANGE_H
#define MESI_ANALYSIS_USE_RANGE_H

#include "analysis/data/launch_value.h"

/* The range of the blocks first ... last along an axis: rest.begin + step * first ... rest.end +
 * step * last. */
struct part_range {
  struct ir_expr *step; /* bytes; NULL: not known, any block may use all of it */
  struct byte_range rest;
};

/* The use of an argument's object, or of a VS variable, by one launch. */
struct use_range {
  struct byte_range read, write;
  struct part_range read_part, write_part; /* along the axis of the launch's parts */
  bool whole; /* the call for the whole object says the same, apart from the parts */
  /* Condition under which all of `write` is written and none of it read. NULL: never. */
  struct ir_expr *overwrites;
  unsigned *no_alias; /* parameters whose read ranges `write` must not overlap for that */
  unsigned no_alias_count;
};

#endif
