/* SPDX-License-Identifier: MIT */
/* guarded.h - conditions that stay around each element of a thread in a loop over tiles. */
#ifndef MESI_ANALYSIS_GUARDED_H
#define MESI_ANALYSIS_GUARDED_H

#include "analysis/code/instance.h"

/* The axes that conditions around the statement depend on, which the loop's elements then have as
 * predicates (coarsen.c). */
unsigned guarded_axes(const struct instances *, struct ir_stmt *body, const struct ir_stmt *stmt);

#endif
