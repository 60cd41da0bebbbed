/* SPDX-License-Identifier: MIT */
/* host_touch.h - announcements at calls in which the operating system may touch virtual shared
 * memory. */
#ifndef MESI_ANALYSIS_HOST_TOUCH_H
#define MESI_ANALYSIS_HOST_TOUCH_H

#include "analysis/host/host_index.h"
#include "analysis/data/host_edit.h"
#include "translator/base/diag.h"

/* Adds HOST_TOUCH_ARG, HOST_OPEN_ARG and HOST_TOUCH_ALL_BEFORE edits. It skips objects that an
 * argument names directly and that `work` has unguarded by then: they have announcements of their
 * own. */
void host_touch_calls(struct host_index *, struct unit *, struct host_work *, struct diag *);

/* The arguments of such calls where no edit can stand: they are in the body of a macro, or in an
 * argument of a user's macro that may do more with their text. */
void host_touch_in_macros(struct unit *, struct ir_places *ret);

#endif
