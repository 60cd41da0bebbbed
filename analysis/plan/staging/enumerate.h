/* SPDX-License-Identifier: MIT */
/* enumerate.h - the kernels of a variant whose launches choose the arrays that they stage. */
#ifndef MESI_ANALYSIS_ENUMERATE_H
#define MESI_ANALYSIS_ENUMERATE_H

#include "analysis/data/options.h"
#include "analysis/plan/plan.h"

/* Fills in variant->choice->kernels. A variant without a choice is one kernel. */
void enumerate_kernels(const struct unit *, const struct plan_options *, struct kernel_variant *);

#endif
