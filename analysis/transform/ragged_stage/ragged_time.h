/* SPDX-License-Identifier: MIT */
/* ragged_time.h - predicted time of loops over ranges of neighbouring threads; private to the
 * folder. */
#ifndef MESI_ANALYSIS_RAGGED_TIME_H
#define MESI_ANALYSIS_RAGGED_TIME_H

#include "analysis/transform/ragged_stage/ragged.h"

/* The time of the loop's requests as written over that in chunks, for ranges of that many
 * elements. */
double ragged_gain(struct code *, const struct ragged *, double length);

#endif
