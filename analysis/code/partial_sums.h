/* SPDX-License-Identifier: MIT */
/* partial_sums.h - several blocks share the sums of their elements: what their code needs. */
#ifndef MESI_ANALYSIS_PARTIAL_SUMS_H
#define MESI_ANALYSIS_PARTIAL_SUMS_H

#include "analysis/code/code.h"
#include "analysis/code/sums.h"
#include "analysis/data/version.h"

/* of mesi_split.h: says in front of a launch how many blocks share a sum, and remembers it */
#define PARTIAL_COUNT "mesi_splits"
#define PARTIAL_KNOWN "mesi_split_known"

/* where the parts are; a parameter that the versions of a kernel have in common */
struct ir_var *partial_param(struct code *);
uint64_t partial_bytes(const struct team_loop *, int64_t elements); /* of the parts of a block */
/* mesi_split_put<...>(_split, which, element, part); mesi_split_get<...>(_split, which, element) */
struct ir_stmt *partial_put(struct code *, const struct team_loop *, unsigned sum, int64_t elements,
                            struct ir_var *workspace, struct ir_expr *which,
                            struct ir_expr *element);
struct ir_expr *partial_get(struct code *, const struct team_loop *, unsigned sum, int64_t elements,
                            struct ir_var *workspace, struct ir_expr *which,
                            struct ir_expr *element);
/* Does the block put the parts together? `level`: those of a level of the tree; NULL: all at once.
 */
struct ir_expr *partial_last(struct code *, struct ir_var *workspace, struct ir_var *level);
struct ir_expr *partial_blocks(struct code *); /* that share a sum */
/* How often the loop runs, as the launch can tell it; NULL: it cannot. */
struct ir_expr *partial_iterations(struct code *, const struct ir_loop *);

/* The elements along x that come to the loop, as the launch can tell; NULL: it cannot, or all do.
 * Requires: blocks of one element. */
struct ir_expr *partial_elements(struct code *, struct ir_stmt *loop);

bool stmt_contains(struct ir_stmt *stmt, const struct ir_stmt *wanted);

#endif
