/* SPDX-License-Identifier: MIT */
/* windows.h - neighbours along x that go through a window of a length that only the launch knows.
 */
#ifndef MESI_ANALYSIS_WINDOWS_H
#define MESI_ANALYSIS_WINDOWS_H

#include "analysis/code/interior.h"
#include "analysis/code/tiles.h"

/* May there be such a loop, by its form? */
bool windows_possible(struct code *);
/* Rewrites interior->body, a part of the scanned code in its virtual shape, for threads with
 * `lanes` neighbours along x: the elements of a window stay in registers from one iteration to the
 * next. `written`: the body as written, for the model. Returns the time of the loops as written
 * over that of the new ones; 0: there is no such loop. The scan has no meaning any more. Adds
 * statements of real threads to `verbatim`. */
double windows_rewrite(struct code *, struct interior *, struct ir_stmt *written, int64_t lanes,
                       struct ir_list *verbatim);

#endif
