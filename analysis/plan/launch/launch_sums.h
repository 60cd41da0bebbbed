/* SPDX-License-Identifier: MIT */
/* launch_sums.h - variables that a kernel only adds to. */
#ifndef MESI_ANALYSIS_LAUNCH_SUMS_H
#define MESI_ANALYSIS_LAUNCH_SUMS_H

#include "analysis/access/effects.h"
#include "analysis/plan/plan.h"

/* The kind of the numbers that `kernel`, with the functions that it calls, adds to the variable, or
 * to the memory behind the parameter: SUM_INT or its like. 0: it uses it in
 * another way, too. `floats`: sums in another order are wanted. */
unsigned launch_sum(struct effects *, const struct ir_function *kernel, const struct ir_var *var,
                    bool floats);

#endif
