/* SPDX-License-Identifier: MIT */
/* reuse.h - the memory requests that the instances of a thread share. */
#ifndef MESI_ANALYSIS_REUSE_H
#define MESI_ANALYSIS_REUSE_H

#include "analysis/code/shape_free.h"

enum { REUSE_SHORT = 16 }; /* iterations of a loop that is unrolled */

/* Is it a loop with few iterations, whose number and first value are constant? */
bool reuse_short_loop(const struct ir_stmt *, int64_t *ret_first, int64_t *ret_trips);
struct reuse {     /* of an instance, on average */
  double accesses; /* as written */
  double words;    /* of 4 bytes in their requests, as written; elements all over count more */
  double left;     /* the same where a thread does the work of its instances */
  double bytes;    /* of its own in device memory: neighbours of an element come with it */
};

/* The requests of a thread's instances along the axis in `body`, a part of the code. 0 words: not
 * known. */
struct reuse reuse_of_instances(struct code *, struct ir_stmt *body, int axis,
                                const struct geometry *);
/* The words as written over those that are left. 1: no fewer; 0: not known. */
double reuse_fewer(const struct reuse *);

#endif
