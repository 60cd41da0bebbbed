/* SPDX-License-Identifier: MIT */
/* witness.h - points that answered a question about a form and a domain with "no". */
#ifndef MESI_ANALYSIS_WITNESS_H
#define MESI_ANALYSIS_WITNESS_H

#include <stdbool.h>

#include "analysis/sets/symbol.h"

/* Is the form less than `limit` (above: greater) at a kept point of `domain`? False: that is not
 * known. */
bool witness_beyond(struct symbols *, __isl_keep isl_pw_aff *aff, __isl_keep isl_set *domain,
                    __isl_keep isl_val *limit, bool above);
/* Keeps a point of `bad`, a part of `domain` that is not empty, within the bounds of its symbols.
 */
void witness_keep(struct symbols *, __isl_keep isl_set *bad, __isl_keep isl_set *domain);
void witness_forget(struct symbols *);

#endif
