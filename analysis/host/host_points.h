/* SPDX-License-Identifier: MIT */
/* host_points.h - may a host pointer point into virtual shared memory? */
#ifndef MESI_ANALYSIS_HOST_POINTS_H
#define MESI_ANALYSIS_HOST_POINTS_H

#include "analysis/host/host_index.h"

/* True unless the value of the pointer (or decaying array) expression provably comes from
 * elsewhere. */
bool host_may_point(struct host_index *, const struct ir_expr *pointer);
/* The VS variable that the expression names as a, a[i], &a[i].x, a + i. NULL: it is something
 * else. */
struct vs_var *host_named_vs(const struct ir_expr *pointer);

#endif
