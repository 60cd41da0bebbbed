/* SPDX-License-Identifier: MIT */
/* host_set.h - sets over what the host knows in front of a launch: scalar parameters that are never
 * assigned, blockDim and gridDim. */
#ifndef MESI_ANALYSIS_HOST_SET_H
#define MESI_ANALYSIS_HOST_SET_H

#include "analysis/sets/symbol.h"

/* Without all that the host does not know: for some value of it the set holds. */
__isl_give isl_set *host_project(__isl_take isl_set *set);
/* What is true of the host's quantities in `set` anyway. */
__isl_give isl_set *host_always(struct symbols *, __isl_keep isl_set *set);
/* The condition over the host's quantities under which `fails` (closed) never holds, where it is
 * one conjunction for launches whose parameters are all positive; NULL: it is not that simple, or
 * fails for every launch. */
__isl_give isl_set *host_avoids(struct symbols *, __isl_take isl_set *fails);

#endif
