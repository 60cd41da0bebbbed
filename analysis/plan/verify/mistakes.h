/* SPDX-License-Identifier: MIT */
/* mistakes.h - certain errors in the source. */
#ifndef MESI_ANALYSIS_MISTAKES_H
#define MESI_ANALYSIS_MISTAKES_H

#include "analysis/access/effects.h"
#include "analysis/data/options.h"
#include "analysis/host/constants.h"
#include "translator/base/diag.h"

/* Tells of launches with more threads than a block can have; in the kernels as written, under the
 * facts of their launches, of indices that leave their object and divisions by zero; and of results
 * that nobody reads. Runs behind the planning, whose budget it leaves alone. */
void mistakes_of_unit(struct unit *, struct effects *, struct constants *,
                      const struct plan_options *, struct diag *);

#endif
