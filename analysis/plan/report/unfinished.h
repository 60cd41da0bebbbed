/* SPDX-License-Identifier: MIT */
/* unfinished.h - tells of kernels whose steps ended before they were examined to their end. */
#ifndef MESI_ANALYSIS_UNFINISHED_H
#define MESI_ANALYSIS_UNFINISHED_H

#include "analysis/code/code.h"

/* The plan stands only as the steps of a better one ended: its refusals count as late ones. */
void unfinished_doubt(struct remarks *);
/* `effort`: as in plan_options. `changed`: the kernel has a plan. Call it before the kernel's
 * budget ends. */
void unfinished_tell(struct arena *, const struct kernel_facts *, unsigned effort, bool changed,
                     struct remarks *);

#endif
