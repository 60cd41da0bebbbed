/* SPDX-License-Identifier: MIT */
/* constants.h - values of host expressions that are the same constant whenever a launch is
 * reached. */
#ifndef MESI_ANALYSIS_CONSTANTS_H
#define MESI_ANALYSIS_CONSTANTS_H

#include "analysis/host/host_reach.h"
#include "translator/ir/unit.h"

struct constants;

/* Indexes the unit's host code; the unit must outlive the index. */
struct constants *constants_create(struct unit *);
void constants_destroy(struct constants *); /* NULL is fine */

/* The value of an integer expression of host code at a launch. False, *ret untouched: not known. */
bool constants_of_expr(struct constants *, const struct ir_expr *host_expr, const struct launch *at,
                       int64_t *ret);
/* A grid or block argument by component: ret[i] is valid where known[i]. False: no component is
 * known. */
bool constants_dim3(struct constants *, const struct ir_expr *, const struct launch *at,
                    int64_t ret[3], bool known[3]);

/* ---- for the other host analyses ---- */
struct host_index *constants_index(struct constants *);
bool constants_at(struct constants *, const struct ir_expr *, struct host_point at, int64_t *ret);
/* The point of a launch's arguments. False: the launch is in code that is not lowered. */
bool constants_launch_point(struct constants *, const struct launch *, struct host_point *ret);
/* Does a static variable keep the value of its initialiser, in this unit and elsewhere? */
bool constants_never_changes(struct constants *, const struct ir_var *);

#endif
