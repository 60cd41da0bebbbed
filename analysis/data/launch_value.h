/* SPDX-License-Identifier: MIT */
/* launch_value.h - numbers that a launch finds out, and ranges of bytes that are made of them. */
#ifndef MESI_ANALYSIS_LAUNCH_VALUE_H
#define MESI_ANALYSIS_LAUNCH_VALUE_H

#include "translator/ir/unit.h"

/* over kernel parameters, blockDim and gridDim as the launch gives them; host arithmetic */
struct byte_range {
  /* bytes relative to the pointer or the variable's start; NULL: empty */
  struct ir_expr *begin, *end;
};

/* a run-time no-alias check: bytes behind two pointer parameters that must not overlap */
struct no_alias {
  unsigned param, other;
  bool objects;                         /* they have to lead to different objects */
  struct byte_range bytes, other_bytes; /* otherwise; neither is empty */
};

/* Values of IR_VAR_LAUNCH variables that are no position: of the segments of a copy, and bounds of
 * table i in one of them. */

enum launch_name {
  SEGMENT_SHIFT = -1,
  SEGMENT_ELEMENTS = -2,
  SEGMENT_SHARE = -3,
  TABLE_LOW = -16 /* - 2 * i */,
  TABLE_HIGH = -17 /* - 2 * i */
};

struct launch_value { /* a pair of numbers that a launch finds out */
  bool is_extent; /* of the object behind the parameter: its first element, and the first that is
                     not one; else the least and the greatest element of the table there */
  unsigned param;
  struct ir_var *array; /* the parameter */
  const struct ir_type *element;
  struct byte_range bytes; /* of the table, that the kernel reads; begin NULL: all of the object */
};

#endif
