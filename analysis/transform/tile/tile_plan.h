/* tile_plan.h - loops over tiles: which shape, and for which launches. */
#ifndef MESI_ANALYSIS_TILE_PLAN_H
#define MESI_ANALYSIS_TILE_PLAN_H

#include "analysis/mapping/mapping.h"

enum outcome plan_tile(struct mapping *);
void finish_tile(struct mapping *);      /* where it is taken, with what others have added */

#endif
