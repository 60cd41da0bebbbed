/* SPDX-License-Identifier: MIT */
/* plan_choice.h - the choice that launches make when their arguments decide which arrays fit. */
#ifndef MESI_ANALYSIS_PLAN_CHOICE_H
#define MESI_ANALYSIS_PLAN_CHOICE_H

#include "analysis/range/candidate.h"

/* Has the box a size that only the launch's arguments give? */
bool candidate_at_launch(const struct candidate *);

/* The stages of the candidates that are not rejected, in order of appearance. The others get a
 * reason. Returns the number of stages. */
unsigned plan_choice(struct stager *, struct symbols *, struct candidate **candidates,
                     unsigned count, struct stage *ret_stages);

#endif
