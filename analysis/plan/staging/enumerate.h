/* SPDX-License-Identifier: MIT */
/* enumerate.h - which kernels there are of a variant whose launches choose what they stage. */
#ifndef MESI_ANALYSIS_ENUMERATE_H
#define MESI_ANALYSIS_ENUMERATE_H

#include "analysis/data/options.h"
#include "analysis/plan/plan.h"

/* Fills in variant->choice->kernels; a variant without a choice is one kernel. */
void enumerate_kernels(const struct unit *, const struct plan_options *, struct kernel_variant *);

#endif
