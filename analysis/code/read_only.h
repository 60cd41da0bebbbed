/* SPDX-License-Identifier: MIT */
/* read_only.h - loads through the read-only cache. */
#ifndef MESI_ANALYSIS_READ_ONLY_H
#define MESI_ANALYSIS_READ_ONLY_H

#include "analysis/code/code.h"

/* `body`, a part of the code, with marks at loads from memory that the kernel does not write. If a
 * parameter leads there, the code's kernel has the mark (read_only). The code must be scanned; its
 * scan does not fit the result. beside_stores: of loads that need a mark of their own only those
 * whose innermost loop stores something, because the loops stay as they are. */
struct ir_stmt *read_only_loads(struct code *, struct ir_stmt *body, bool beside_stores);

#endif
