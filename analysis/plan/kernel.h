/* SPDX-License-Identifier: MIT */
/* kernel.h - a kernel's way through the slots of transforms.c. */
#ifndef MESI_ANALYSIS_PLAN_CODE_H
#define MESI_ANALYSIS_PLAN_CODE_H

#include "analysis/plan/staging/plan_kernel.h"

/* Plans the kernel under these facts and fills in *ret. Returns the function whose body is printed:
 * the kernel, or a changed copy. */
struct ir_function *plan_kernel_code(struct unit *, struct effects *, struct stager *,
                                     const struct kernel_facts *, const struct plan_options *,
                                     struct kernel_plan *ret);

#endif
