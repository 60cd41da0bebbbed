/* SPDX-License-Identifier: MIT */
/* launch_facts.h - facts from launches. */
#ifndef MESI_ANALYSIS_LAUNCH_FACTS_H
#define MESI_ANALYSIS_LAUNCH_FACTS_H

#include "analysis/host/constants.h"
#include "analysis/access/effects.h"
#include "analysis/data/facts.h"

/* launch->kernel must be set. The result's arrays are in `arena`. */
void facts_of_launch(struct arena *arena, struct constants *, const struct function_effects *,
                     const struct launch *, struct kernel_facts *ret);
bool facts_equal(const struct kernel_facts *, const struct kernel_facts *);

#endif
