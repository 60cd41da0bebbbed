/* SPDX-License-Identifier: MIT */
/* guarded.h - conditions that remain around each element of a thread in a loop over tiles. */
#ifndef MESI_ANALYSIS_GUARDED_H
#define MESI_ANALYSIS_GUARDED_H

#include "analysis/code/instance.h"

/* The axes that the conditions around the statement depend on. The loop's elements get predicates
 * for them (coarsen.c). */
unsigned guarded_axes(const struct instances *, struct ir_stmt *body, const struct ir_stmt *stmt);

#endif
