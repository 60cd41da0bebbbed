/* SPDX-License-Identifier: MIT */
/* unread.h - results of kernels that nobody reads. */
#ifndef MESI_ANALYSIS_UNREAD_H
#define MESI_ANALYSIS_UNREAD_H

#include "analysis/access/effects.h"
#include "analysis/host/constants.h"

struct unread_result {
  struct ir_place place; /* of the variable, or of the call that allocates the memory */
  const char *text;
};

struct unread_results {
  LIST_OF(struct unread_result) list; /* in the unit's arena */
};

/* Runs behind the planning of host code. `whole_program`: no other file uses the unit's
 * variables. */
void unread_results(struct unit *, struct effects *, struct constants *, bool whole_program,
                    struct unread_results *ret);

#endif
