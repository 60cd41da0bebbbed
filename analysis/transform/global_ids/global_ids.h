/* SPDX-License-Identifier: MIT */
/* global_ids.h - joins the parts of a block and of a thread in an index to a global id. */
#ifndef MESI_ANALYSIS_GLOBAL_IDS_H
#define MESI_ANALYSIS_GLOBAL_IDS_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_global_ids(struct draft *);
bool plan_untiled_ids(struct draft *); /* only where another row has changed the copy */

#endif
