/* SPDX-License-Identifier: MIT */
/* tile_plan.h - loops over tiles: which shape, and for which launches.
 *
 * Takes a shape-free kernel with a loop that reads the same elements again for many threads; gives
 * versions by size and alignment, with tiles in shared memory and several elements a thread. Gives
 * up: no shape fits, or the model sees no gain of a factor of two.
 */
#ifndef MESI_ANALYSIS_TILE_PLAN_H
#define MESI_ANALYSIS_TILE_PLAN_H

#include "analysis/mapping/mapping.h"

enum outcome plan_tile(struct mapping *);
void finish_tile(struct mapping *); /* where it is taken, with what others have added */

#endif
