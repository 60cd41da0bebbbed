/* SPDX-License-Identifier: MIT */
/* launch_keep.h - can a launch take the kernel that was planned for it, by its own text?
 *
 * The question comes after a kernel is planned and before the plan is closed. So codegen has
 * nothing left to refuse, and the report agrees with the emitted code. The reasons are static
 * texts.
 */
#ifndef MESI_ANALYSIS_LAUNCH_KEEP_H
#define MESI_ANALYSIS_LAUNCH_KEEP_H

#include "analysis/data/options.h"
#include "analysis/plan/plan.h"

/* Why the launch keeps the kernel as written. NULL: it takes the variant. *ret_declared: the
 * variant needs a declaration in front of the launch's host function. */
const char *launch_keeps_kernel(struct unit *, const struct plan_options *, const struct launch *,
                                const struct kernel_variant *, bool *ret_declared);

/* Why the text of the launch, or of its kernel, has no place for a kernel that takes a run of its
 * blocks. NULL: it has one. */
const char *launch_refuses_parts(const struct unit *, const struct launch *);

/* ... for a kernel that does several launches at once */
const char *launch_refuses_steps(struct unit *, const struct launch *, const struct kernel_steps *);

#endif
