/* SPDX-License-Identifier: MIT */
/* host_set.h - sets over the quantities that the host knows in front of a launch: scalar parameters
 * that are never assigned, blockDim and gridDim. */
#ifndef MESI_ANALYSIS_HOST_SET_H
#define MESI_ANALYSIS_HOST_SET_H

#include "analysis/sets/symbol.h"

/* Projects out all that the host does not know: the set holds for some value of it. */
__isl_give isl_set *host_project(__isl_take isl_set *set);
/* The facts about the host's quantities in `set` that hold anyway. */
__isl_give isl_set *host_always(struct symbols *, __isl_keep isl_set *set);
/* The condition on the host's quantities under which `fails` (closed) never holds, if it is one
 * conjunction for launches whose parameters are all positive. NULL: it is not that simple, or every
 * launch fails. */
__isl_give isl_set *host_avoids(struct symbols *, __isl_take isl_set *fails);

#endif
