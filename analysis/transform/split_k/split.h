/* SPDX-License-Identifier: MIT */
/* split.h - several blocks share the sums of their elements. */
#ifndef MESI_ANALYSIS_SPLIT_H
#define MESI_ANALYSIS_SPLIT_H

#include "analysis/code/partial_sums.h"
#include "analysis/mapping/mapping.h"
#include "analysis/code/tiles.h"
#include "analysis/data/version.h"

/* ---- split_tiles.c: a loop over tiles ---- */
/* Gives the loop parts of its own for its sums; ret->loop is the one that is there then. Requires:
 * shaped code without tiles. False: *ret_reason, *ret_place. Drops the scan. */
bool split_prepare(struct code *, bool floats, struct team_loop *ret, const char **ret_reason,
                   struct ir_place *ret_place);
/* Puts the parts of blocks together behind the loop over tiles. Requires: tile_build of tiles whose
 * only one is shared. */
void split_finish(struct code *, const struct geometry *, struct tiles *, struct team_loop *,
                  struct ir_var *split);

/* ---- split_model.c: as mesi_split.h predicts it at the launch ---- */
/* Cycles with so many blocks for a sum. */
double split_cycles(const struct block_share *, const int64_t totals[2], double parts,
                    double iterations, double processors);
/* The best number of blocks, 0: one. *ret_gain: over one block, or over the kernel without. */
unsigned split_count(const struct block_share *, const int64_t totals[2], double iterations,
                     double processors, double *ret_gain);

/* ---- split_plan.c ---- */
enum outcome plan_split_k(struct mapping *); /* where tiles alone gain too little */
bool also_split(struct mapping *);           /* versions behind those of tiles */

#endif
