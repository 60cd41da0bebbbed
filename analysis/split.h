/* split.h - several blocks share the sums of their elements. */
#ifndef MESI_ANALYSIS_SPLIT_H
#define MESI_ANALYSIS_SPLIT_H

#include "analysis/cooperate.h"

/* ---- split.c: code ---- */
struct ir_var *split_param(struct code *); /* where the parts are; a parameter that the versions of a kernel have in common */
uint64_t split_bytes(const struct cooperation *, int64_t elements); /* of the parts of a block */
/* mesi_split_put<...>(_split, which, element, part); mesi_split_get<...>(_split, which, element) */
struct ir_stmt *split_put(struct code *, const struct cooperation *, unsigned sum, int64_t elements, struct ir_var *split, struct ir_expr *which,
                          struct ir_expr *element);
struct ir_expr *split_get(struct code *, const struct cooperation *, unsigned sum, int64_t elements, struct ir_var *split, struct ir_expr *which,
                          struct ir_expr *element);
/* Does the block put the parts together? `level`: those of a level of the tree; NULL: all at once. */
struct ir_expr *split_last(struct code *, struct ir_var *split, struct ir_var *level);
struct ir_expr *split_blocks(struct code *); /* that share a sum */
/* Declares where a block's run of the loop begins and ends. */
void split_run(struct code *, const struct ir_loop *, int64_t unit, struct ir_var *ret[2], struct ir_list *out);
/* How often the loop runs, as the launch can tell it; NULL: it cannot. */
struct ir_expr *split_iterations(struct code *, const struct ir_loop *);

/* The elements along x that come to the loop, as the launch can tell; NULL: it cannot, or all do. Requires: blocks of one element. */
struct ir_expr *split_elements(struct code *, struct ir_stmt *loop);

bool split_contains(struct ir_stmt *stmt, const struct ir_stmt *wanted);

/* ---- split_tiles.c: a loop over tiles ---- */
/* Gives the loop parts of its own for its sums; ret->loop is the one that is there then. Requires: shaped code without tiles. False: *ret_reason, *ret_place. Drops the scan. */
bool split_prepare(struct code *, bool floats, struct cooperation *ret, const char **ret_reason, struct ir_place *ret_place);
/* Puts the parts of blocks together behind the loop over tiles. Requires: tile_build of tiles whose only one is shared. */
void split_finish(struct code *, const struct geometry *, struct tiles *, struct cooperation *, struct ir_var *split);

/* ---- split_model.c: as mesi_split.h predicts it at the launch ---- */
/* Cycles with so many blocks for a sum. */
double split_cycles(const struct split *, const int64_t totals[2], double parts, double iterations, double processors);
/* The best number of blocks, 0: one. *ret_gain: over one block, or over the kernel without. */
unsigned split_count(const struct split *, const int64_t totals[2], double iterations, double processors, double *ret_gain);

#endif
