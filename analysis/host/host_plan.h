/* SPDX-License-Identifier: MIT */
/* host_plan.h - the announcements in host code, and the VS variables that are guarded instead.
 *
 * The room analyses host code: constants (constants.h), the targets of pointers (host_bind.h), uses
 * of VS variables and the places in front of which they can be announced, calls of libraries
 * (host_calls.def), loops of launches (host_batch.h), facts of launches (launch_facts.h). It takes
 * the unit and the plans of launches (struct host_work). It gives announcements, batches, and the
 * guarded variables. */
#ifndef MESI_ANALYSIS_HOST_PLAN_H
#define MESI_ANALYSIS_HOST_PLAN_H

#include "analysis/host/constants.h"
#include "analysis/data/host_edit.h"
#include "analysis/data/options.h"
#include "translator/base/diag.h"

/* Fills work->vs (allocated here, by VS id) and work->edits. Sets may_launch of the unit's host
 * functions and needs_inlining of headers that get an edit. Adds remarks DIAG_GUARDED. Returns
 * 0. */
int host_plan(struct unit *, struct host_work *, struct constants *, const struct plan_options *,
              struct diag *);

#endif
