/* SPDX-License-Identifier: MIT */
/* host_plan.h - what is announced in host code, and which VS variables are guarded instead.
 *
 * The room knows host code: constants (constants.h), what pointers lead to (host_bind.h), uses of
 * VS variables and the places in front of which they can be announced, calls into libraries
 * (host_calls.def), loops of launches (host_batch.h), facts of launches (launch_facts.h). It takes
 * the unit and what is planned of launches (struct host_work) and gives announcements, batches, and
 * the variables that are guarded.
 */
#ifndef MESI_ANALYSIS_HOST_PLAN_H
#define MESI_ANALYSIS_HOST_PLAN_H

#include "analysis/host/constants.h"
#include "analysis/data/host_edit.h"
#include "analysis/data/options.h"
#include "translator/base/diag.h"

/* Fills work->vs (allocated here, by VS id) and work->edits, sets may_launch of the unit's host
 * functions and needs_inlining of headers that get an edit. Remarks DIAG_GUARDED. Returns 0. */
int host_plan(struct unit *, struct host_work *, struct constants *, const struct plan_options *,
              struct diag *);

#endif
