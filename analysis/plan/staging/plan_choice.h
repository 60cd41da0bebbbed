/* SPDX-License-Identifier: MIT */
/* plan_choice.h - what launches choose from when their arguments decide what fits. */
#ifndef MESI_ANALYSIS_PLAN_CHOICE_H
#define MESI_ANALYSIS_PLAN_CHOICE_H

#include "analysis/range/candidate.h"

/* Has the box a size that only the launch's arguments give? */
bool candidate_at_launch(const struct candidate *);

/* The stages of the candidates that are not rejected, in order of appearance; the others get a
 * reason. Returns how many. */
unsigned plan_choice(struct stager *, struct symbols *, struct candidate **candidates,
                     unsigned count, struct stage *ret_stages);

#endif
