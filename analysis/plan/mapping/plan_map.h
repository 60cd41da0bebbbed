/* plan_map.h - another mapping of a shape-free kernel's work to threads. */
#ifndef MESI_ANALYSIS_PLAN_MAP_H
#define MESI_ANALYSIS_PLAN_MAP_H

#include "analysis/code/code.h"
#include "analysis/data/options.h"

/* NULL: the kernel keeps its mapping; a remark says why. Otherwise *ret_code is the code to print, and a line is added to `dump`. */
struct kernel_mapping *plan_map(const struct code *, struct stager *, const struct plan_options *, struct text *dump,
                                struct ir_function **ret_code);

#endif
