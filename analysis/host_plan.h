/* host_plan.h - what is announced in host code, and which VS variables are guarded instead. */
#ifndef MESI_ANALYSIS_HOST_PLAN_H
#define MESI_ANALYSIS_HOST_PLAN_H

#include "analysis/constants.h"
#include "analysis/plan.h"

/* Fills plan->vs (allocated here, by VS id) and plan->host_edits, sets may_launch of the unit's host functions and
 * needs_inlining of headers that get an edit. Remarks DIAG_GUARDED. Returns 0. */
int host_plan(struct unit *, struct plan *, struct constants *, const struct plan_options *, struct diag *);

#endif
