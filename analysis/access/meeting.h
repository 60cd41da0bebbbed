/* SPDX-License-Identifier: MIT */
/* meeting.h - do all threads reach the places of a kernel where threads synchronise? */
#ifndef MESI_ANALYSIS_MEETING_H
#define MESI_ANALYSIS_MEETING_H

#include "analysis/access/effects.h"
#include "analysis/data/facts.h"

struct meeting {
  /* Only some of the threads that a place needs reach it. The others have ended, or must end before
   * it goes on. */
  bool partial;
  struct ir_place place; /* the first such place; valid when `partial` */
  unsigned calls;        /* calls that were visited */
};

struct meeting_query {
  struct effects *effects;
  const struct kernel_facts *facts; /* its kernel has a body */
  /* Does the memory that the kernel's variable has or leads to keep its values while the kernel
   * runs? NULL: nothing is known. */
  bool (*keeps)(void *context, const struct ir_var *array);
  void *context; /* of keeps */
};

void meeting_analyze(const struct meeting_query *, struct meeting *ret);

#endif
