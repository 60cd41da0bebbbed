/* SPDX-License-Identifier: MIT */
/* mistakes.h - what is surely wrong in the source. */
#ifndef MESI_ANALYSIS_MISTAKES_H
#define MESI_ANALYSIS_MISTAKES_H

#include "analysis/access/effects.h"
#include "analysis/data/facts.h"
#include "translator/base/diag.h"

struct mistakes { /* in the unit's arena; a zeroed one but for the first three has none */
  struct unit *unit;
  struct effects *effects;
  struct diag *diag;
  LIST_OF(struct ir_place) told;
};

/* More threads than any block has. */
void mistakes_of_launch(struct mistakes *, const struct launch *, const struct kernel_facts *);
/* In the kernel as written, under the facts of a launch: indices, divisions. */
void mistakes_of_kernel(struct mistakes *, const struct kernel_facts *);

#endif
