/* SPDX-License-Identifier: MIT */
/* plan_text.h - a kernel's plan as text. */
#ifndef MESI_ANALYSIS_PLAN_TEXT_H
#define MESI_ANALYSIS_PLAN_TEXT_H

#include "analysis/plan/staging/plan_kernel.h"

/* Adds the emitted codes, and the conditions of launches that take them. */
void plan_print_code(struct text *, const struct kernel_facts *, const struct ir_function *code,
                     const struct kernel_plan *);

#endif
