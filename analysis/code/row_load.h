/* SPDX-License-Identifier: MIT */
/* row_load.h - loads rows into registers, 16 bytes at once. */
#ifndef MESI_ANALYSIS_ROW_LOAD_H
#define MESI_ANALYSIS_ROW_LOAD_H

#include "translator/ir/ir_rewrite.h"

/* Rewrites loops of a function that is ready to be printed. Returns their number. */
unsigned row_loads(struct arena *, struct ir_function *);

#endif
