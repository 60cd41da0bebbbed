/* SPDX-License-Identifier: MIT */
/* reshape.h - blocks of fewer threads than a warp has get whole warps. */
#ifndef MESI_ANALYSIS_RESHAPE_H
#define MESI_ANALYSIS_RESHAPE_H

#include "analysis/mapping/mapping.h"

/* The row of transforms.c. */
enum outcome plan_reshape(struct mapping *);
/* Adds its blocks to another mapping. */
bool also_reshape(struct mapping *);

#endif
