/* SPDX-License-Identifier: MIT */
/* meeting.h - do all threads come to the places of a kernel where threads meet? */
#ifndef MESI_ANALYSIS_MEETING_H
#define MESI_ANALYSIS_MEETING_H

#include "analysis/access/effects.h"
#include "analysis/data/facts.h"

struct meeting {
  /* a place is met by some of the threads that it asks for: the others have ended, or are to end
   * before it goes on */
  bool partial;
  struct ir_place place; /* the first such place; valid when `partial` */
  unsigned calls;        /* that were looked into */
};

struct meeting_query {
  struct effects *effects;
  const struct kernel_facts *facts; /* its kernel has a body */
  /* Do the elements that the kernel's variable leads to, or has, keep their values over the kernel?
   * NULL: nothing is known. */
  bool (*keeps)(void *context, const struct ir_var *array);
  void *context; /* of keeps */
};

void meeting_analyze(const struct meeting_query *, struct meeting *ret);

#endif
