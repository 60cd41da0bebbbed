/* SPDX-License-Identifier: MIT */
/* turn_axes.h - the axes of a launch in another order, in which the threads of a warp are
 * neighbours along the rows of arrays. */
#ifndef MESI_ANALYSIS_TURN_AXES_H
#define MESI_ANALYSIS_TURN_AXES_H

#include "analysis/code/code.h"
#include "analysis/code/draft.h"

struct turned {
  int from[3]; /* by axis of the code: the axis of the launch that lies along it */
  double gain; /* the predicted time as written over that of the new order */
  /* The launch keeps its kernel where more threads of a warp are neighbours along the new x
   * already. */
  int64_t run;
  const char *reason; /* why accesses that are far apart stay so; NULL: none do */
  struct ir_place place;
};

/* turn_model.c: the order with the least predicted time. False: there is none that gains. */
bool turn_find(struct code *, struct turned *ret);
/* Rewrites the code; its facts follow. */
void turn_build(struct code *, const int from[3]);

bool plan_turn_axes(struct draft *);

#endif
