/* SPDX-License-Identifier: MIT */
/* updates.h - updates of elements as a load and a store. */
#ifndef MESI_ANALYSIS_UPDATES_H
#define MESI_ANALYSIS_UPDATES_H

#include "analysis/code/code.h"

/* The code with `a[i] op= b` as `a[i] = a[i] op b`. */
struct ir_stmt *updates_apart(struct arena *, struct ir_stmt *);

#endif
