/* SPDX-License-Identifier: MIT */
/* partial_sums.h - the code that several blocks need to share the sums of their elements. */
#ifndef MESI_ANALYSIS_PARTIAL_SUMS_H
#define MESI_ANALYSIS_PARTIAL_SUMS_H

#include "analysis/code/code.h"
#include "analysis/code/sums.h"
#include "analysis/data/version.h"

/* Functions of mesi_sums.h: they compute in front of a launch how many blocks share a sum, and
 * remember it. */
#define PARTIAL_COUNT "mesi_sums_blocks"
#define PARTIAL_KNOWN "mesi_sums_known"

/* Writes the numbers of the launch's one layer in the place of blockIdx.z and gridDim.z, which
 * count the blocks that share a sum. Requires: code that is not scanned. */
void partial_one_layer(struct code *);
/* The parameter for the memory of the parts. The versions of a kernel share it. */
struct ir_var *partial_param(struct code *);
uint64_t partial_bytes(const struct team_loop *, int64_t elements); /* for the parts of a block */
/* mesi_sums_put<...>(_sums, which, element, part); mesi_sums_get<...>(_sums, which, element) */
struct ir_stmt *partial_put(struct code *, const struct team_loop *, unsigned sum, int64_t elements,
                            struct ir_var *workspace, struct ir_expr *which,
                            struct ir_expr *element);
struct ir_expr *partial_get(struct code *, const struct team_loop *, unsigned sum, int64_t elements,
                            struct ir_var *workspace, struct ir_expr *which,
                            struct ir_expr *element);
/* Does this block combine the parts? `level`: those of a level of the tree; NULL: all at once. */
struct ir_expr *partial_last(struct code *, struct ir_var *workspace, struct ir_var *level);
struct ir_expr *partial_blocks(struct code *); /* the number of blocks that share a sum */
/* The trip count of the loop, in a form that the launch can compute. NULL: it cannot. */
struct ir_expr *partial_iterations(struct code *, const struct ir_loop *);

/* The number of elements along x that reach the loop, in a form that the launch can compute. NULL:
 * it cannot, or all do. Requires: blocks of one element. */
struct ir_expr *partial_elements(struct code *, struct ir_stmt *loop);

bool stmt_contains(struct ir_stmt *stmt, const struct ir_stmt *wanted);

#endif
