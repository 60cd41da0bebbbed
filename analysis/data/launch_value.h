/* SPDX-License-Identifier: MIT */
/* launch_value.h - numbers that a launch finds, and ranges of bytes that depend on them. */
#ifndef MESI_ANALYSIS_LAUNCH_VALUE_H
#define MESI_ANALYSIS_LAUNCH_VALUE_H

#include "translator/ir/unit.h"

/* A range that depends on kernel parameters, blockDim and gridDim as the launch gives them; host
 * arithmetic. */
struct byte_range {
  /* bytes relative to the pointer or the variable's start; NULL: empty */
  struct ir_expr *begin, *end;
};

/* A run-time no-alias check: bytes behind two pointer parameters must not overlap. */
struct no_alias {
  unsigned param, other;
  bool objects;                         /* they must lead to different objects */
  struct byte_range bytes, other_bytes; /* otherwise; neither is empty */
};

/* Values of IR_VAR_LAUNCH variables that are no position: of the segments of a copy, and bounds of
 * table i for one of them. */

enum launch_name {
  SEGMENT_SHIFT = -1,
  SEGMENT_ELEMENTS = -2,
  SEGMENT_SHARE = -3,
  TABLE_LOW = -16 /* - 2 * i */,
  TABLE_HIGH = -17 /* - 2 * i */
};

struct added_param {       /* a parameter behind the kernel's own, with a number of the launch */
  const char *name, *type; /* the type is one of the runtime, which is made from the number */
  struct ir_expr *value;   /* host arithmetic over the kernel's parameters; it does not trap */
};

struct added_params {
  struct added_param *items;
  unsigned count;
};

struct launch_value { /* a pair of numbers that a launch finds */
  bool is_extent; /* of the object behind the parameter: its first element, and the first that is
                     not one; else the least and the greatest element of the table there */
  unsigned param;
  struct ir_var *array; /* the parameter */
  const struct ir_type *element;
  struct byte_range bytes; /* of the table, read by the kernel; begin NULL: the whole object */
};

#endif
