/* SPDX-License-Identifier: MIT */
/* host_bind.h - the object that a pointer argument of a launch points into. */
#ifndef MESI_ANALYSIS_HOST_BIND_H
#define MESI_ANALYSIS_HOST_BIND_H

#include "analysis/host/constants.h"

struct host_binding {
  struct vs_var *vs;         /* a VS array, struct or scalar; NULL: see allocation */
  struct ir_var *allocation; /* the variable that got the allocation; NULL when vs is set */
  int64_t offset_bytes;      /* from the start of the object; valid when offset_known */
  bool offset_known;
  int64_t extent_bytes; /* of the whole object; -1 unknown */
  /* Two unique bindings with different vs or allocation do not overlap. */
  bool unique;
};

/* False, *ret untouched: not known. */
bool host_bind_arg(struct constants *, const struct launch *, unsigned arg,
                   struct host_binding *ret);

/* Do allocating calls, or null, give the pointer variable all its values, and is its address used
 * nowhere else? Uses outside lowered code are not checked. *ret_call: the last of the calls; NULL
 * for new. *ret_extent: its bytes; -1 unknown. */
bool host_allocation_of(struct constants *, const struct ir_var *pointer,
                        const struct host_node **ret_call, int64_t *ret_extent);

#endif
