/* SPDX-License-Identifier: MIT */
/* chunk_parts.h - what the files that find chunks share; private to chunk_find.c and chunk_loads.c.
 */
#ifndef MESI_ANALYSIS_CHUNK_PARTS_H
#define MESI_ANALYSIS_CHUNK_PARTS_H

#include "analysis/transform/segment_stage/chunk.h"

bool chunk_is_loop(const struct ir_stmt *stmt);
/* the variable, or a part of it */
bool chunk_assigns(struct ir_stmt *stmt, const struct ir_var *var);
bool chunk_declares(struct ir_stmt *stmt, const struct ir_var *var);
/* a break or continue of the loop around `stmt` */
bool chunk_jumps(const struct ir_stmt *stmt, enum ir_stmt_kind kind);

/* chunk_loads.c: the chunk's arrays, accesses, and its body. Returns the body without these
 * accesses; NULL: there are none. */
struct ir_stmt *chunk_loads(struct code *, const struct uniform *, struct chunk *);

#endif
