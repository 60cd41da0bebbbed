/* SPDX-License-Identifier: MIT */
/* read_only.h - loads through the read-only cache. */
#ifndef MESI_ANALYSIS_READ_ONLY_H
#define MESI_ANALYSIS_READ_ONLY_H

#include "analysis/code/code.h"

/* `body`, a part of the code, with loads of what the kernel does not write marked; where it is a
 * parameter that leads there, the code's kernel has the mark (read_only). The code is scanned, and
 * its scan is not of the result. */
struct ir_stmt *read_only_loads(struct code *, struct ir_stmt *body);

#endif
