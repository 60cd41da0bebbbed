/* SPDX-License-Identifier: MIT */
/* pure.h - calls in host code that may run once more. */
#ifndef MESI_ANALYSIS_PURE_H
#define MESI_ANALYSIS_PURE_H

#include "translator/ir/unit.h"

/* Does the call change only the function's own variables, and depend on nothing that it changes? */
bool pure_call(const struct ir_expr *);

#endif
