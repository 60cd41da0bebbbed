/* SPDX-License-Identifier: MIT */
/* tile_plan.h - loops over tiles: the shapes, and the launches that each is for.
 *
 * Takes a shape-free kernel with a loop that reads the same elements again for many threads. Gives
 * versions by size and alignment, with tiles in shared memory and several elements per thread.
 * Gives up: no shape fits, or the model sees no gain of a factor of two. */
#ifndef MESI_ANALYSIS_TILE_PLAN_H
#define MESI_ANALYSIS_TILE_PLAN_H

#include "analysis/mapping/mapping.h"

enum outcome plan_tile(struct mapping *);
/* tile_short.c: the condition under which the loops of the tiles are long enough for them. `whole`:
 * they are whole numbers of tiles. NULL:
 * there is none. */
struct ir_expr *tile_long_enough(const struct mapping *, const struct tiles *, bool whole);
void finish_tile(struct mapping *); /* if it is taken, with the versions that others have added */

#endif
