/* reuse.h - the requests to memory that the instances of a thread share. */
#ifndef MESI_ANALYSIS_REUSE_H
#define MESI_ANALYSIS_REUSE_H

#include "analysis/code.h"

/* Requests of `factor` neighbours along the axis as written, over those of one thread that does their work. 1: no fewer. */
double reuse_of_instances(struct code *, int axis, int64_t factor);

#endif
