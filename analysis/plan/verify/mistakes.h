/* SPDX-License-Identifier: MIT */
/* mistakes.h - what is surely wrong in the source. */
#ifndef MESI_ANALYSIS_MISTAKES_H
#define MESI_ANALYSIS_MISTAKES_H

#include "analysis/access/effects.h"
#include "analysis/data/options.h"
#include "analysis/host/constants.h"
#include "translator/base/diag.h"

/* Tells of launches with more threads than any block has, and, in the kernels as written, under the
 * facts of their launches, of indices that leave their object and divisions by zero; and of results
 * that nobody reads. Behind the planning, whose budget it leaves alone. */
void mistakes_of_unit(struct unit *, struct effects *, struct constants *,
                      const struct plan_options *, struct diag *);

#endif
