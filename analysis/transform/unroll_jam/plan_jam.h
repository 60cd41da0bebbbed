/* SPDX-License-Identifier: MIT */
/* plan_jam.h - decides whether a loop runs several iterations at once. */
#ifndef MESI_ANALYSIS_PLAN_JAM_H
#define MESI_ANALYSIS_PLAN_JAM_H

#include "analysis/code/draft.h"
#include "analysis/code/code.h"

/* The code for launches that find common bases among the segments of `c`. NULL: none. */
const struct several *plan_jam(struct unit *, unsigned arch, struct symbols *,
                               const struct kernel_access *, const struct candidate *c,
                               struct remarks *);

/* For all launches: a loop of the code whose iterations load common elements in any case. Returns
 * the code, with its conditions and a note for a comment. NULL: there is none, or it gains too
 * little. */
struct ir_function *plan_jammed_loop(struct code *, struct no_alias_list *ret_no_alias,
                                     const char **ret_note);

/* The row of transforms.c. */
bool plan_unroll_jam(struct draft *);

#endif
