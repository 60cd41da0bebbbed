/* SPDX-License-Identifier: MIT */
/* row_load.h - rows that are loaded into registers, 16 bytes at once. */
#ifndef MESI_ANALYSIS_ROW_LOAD_H
#define MESI_ANALYSIS_ROW_LOAD_H

#include "translator/ir/ir_rewrite.h"

/* Rewrites loops of a function that is ready to be printed. Returns how many. */
unsigned row_loads(struct arena *, struct ir_function *);

#endif
