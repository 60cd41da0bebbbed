/* SPDX-License-Identifier: MIT */
/* split.h - several blocks share the sums of their elements. */
#ifndef MESI_ANALYSIS_SPLIT_H
#define MESI_ANALYSIS_SPLIT_H

#include "analysis/code/partial_sums.h"
#include "analysis/mapping/mapping.h"
#include "analysis/code/tiles.h"
#include "analysis/data/version.h"

/* ---- split_tiles.c: a loop over tiles ---- */
/* Gives the loop parts of its own for its sums; ret->loop becomes the changed loop. Requires:
 * shaped code without tiles. False: see *ret_reason and *ret_place. Drops the scan. */
bool split_prepare(struct code *, bool floats, struct team_loop *ret, const char **ret_reason,
                   struct ir_place *ret_place);
/* Combines the parts of blocks behind the loop over tiles. Requires: tile_build of tiles, of which
 * the only one is shared. */
void split_finish(struct code *, const struct geometry *, struct tiles *, struct team_loop *,
                  struct ir_var *split);

/* ---- split_model.c: the prediction of mesi_sums.h at the launch ---- */
/* The cycles with `parts` blocks for a sum. */
double split_cycles(const struct block_share *, const int64_t totals[2], double parts,
                    double iterations, double processors);
/* The best number of blocks for a sum; 0: one. *ret_gain: over one block, or over the kernel
 * without sharing. */
unsigned split_count(const struct block_share *, const int64_t totals[2], double iterations,
                     double processors, double *ret_gain);

/* ---- split_plan.c ---- */
enum outcome plan_split_k(struct mapping *); /* where tiles alone gain too little */
bool also_split(struct mapping *);           /* adds versions behind those of tiles */

#endif
