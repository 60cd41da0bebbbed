/* SPDX-License-Identifier: MIT */
/* reuse.h - the memory requests that the instances of a thread share. */
#ifndef MESI_ANALYSIS_REUSE_H
#define MESI_ANALYSIS_REUSE_H

#include "analysis/code/shape_free.h"

enum { REUSE_SHORT = 16 }; /* iterations of a loop that is unrolled */

/* Is it a loop with few iterations, whose number and first value are constant? */
bool reuse_short_loop(const struct ir_stmt *, int64_t *ret_first, int64_t *ret_trips);
/* The requests of a thread's instances along the axis in `body`, a part of the code: those of the
 * code as written over those of the thread that does their work. 1: no fewer; 0: not known. */
double reuse_of_instances(struct code *, struct ir_stmt *body, int axis, const struct geometry *);
/* The same along y, where neighbours along x are loaded and stored 16 bytes at once, as many as
 * geometry->vector[0]. *ret_requests: those of an element as written. */
double reuse_of_vectors(struct code *, struct ir_stmt *body, const struct geometry *,
                        double *ret_requests);

#endif
