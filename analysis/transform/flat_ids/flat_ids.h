/* SPDX-License-Identifier: MIT */
/* flat_ids.h - ids that are taken apart become an id along each axis. */
#ifndef MESI_ANALYSIS_FLAT_IDS_H
#define MESI_ANALYSIS_FLAT_IDS_H

#include "analysis/code/draft.h"

/* Rewrites the draft's code for the way with the number draft->way, and sets draft->extents. False:
 * there is no such way. */
bool plan_flat_ids(struct draft *);

#endif
