/* SPDX-License-Identifier: MIT */
/* strip_parts.h - functions that the search for strips shares; private to strip_find.c and
 * strip_loads.c. */
#ifndef MESI_ANALYSIS_STRIP_PARTS_H
#define MESI_ANALYSIS_STRIP_PARTS_H

#include "analysis/code/loop.h"
#include "analysis/transform/segment_stage/strip.h"

/* Is the variable, or a part of it, assigned? */
bool strip_assigns(struct ir_stmt *stmt, const struct ir_var *var);
bool strip_declares(struct ir_stmt *stmt, const struct ir_var *var);
/* Has it a break or continue of the loop around `stmt`? */
bool strip_jumps(const struct ir_stmt *stmt, enum ir_stmt_kind kind);

/* strip_loads.c: sets the strip's arrays, accesses and body. Returns the body without these
 * accesses. NULL: there are none. */
struct ir_stmt *strip_loads(struct code *, const struct uniform *, struct strip *);

#endif
