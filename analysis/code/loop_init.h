/* SPDX-License-Identifier: MIT */
#ifndef MESI_ANALYSIS_LOOP_INIT_H
#define MESI_ANALYSIS_LOOP_INIT_H

#include "translator/ir/ir.h"

/* The body with only the iterator in the head of each loop. Unchanged parts are shared. */
struct ir_stmt *loop_init_split(struct arena *, struct ir_stmt *body);

#endif
