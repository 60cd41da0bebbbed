/* SPDX-License-Identifier: MIT */
/* host_bind.h - which object a pointer argument of a launch points into. */
#ifndef MESI_ANALYSIS_HOST_BIND_H
#define MESI_ANALYSIS_HOST_BIND_H

#include "analysis/host/constants.h"

struct host_binding {
  struct vs_var *vs;         /* a VS array, struct or scalar; NULL: see allocation */
  struct ir_var *allocation; /* the variable that received the allocation; NULL when vs is set */
  int64_t offset_bytes;      /* from the start of the object; valid when offset_known */
  bool offset_known;
  int64_t extent_bytes; /* of the whole object; -1 unknown */
  /* objects of two unique bindings with different vs or allocation do not overlap */
  bool unique;
};

/* false, *ret untouched: not known. */
bool host_bind_arg(struct constants *, const struct launch *, unsigned arg,
                   struct host_binding *ret);

#endif
