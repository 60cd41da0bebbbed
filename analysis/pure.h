/* pure.h - calls in host code that may be made once more. */
#ifndef MESI_ANALYSIS_PURE_H
#define MESI_ANALYSIS_PURE_H

#include "translator/ir/unit.h"

/* Does a call change nothing but the function's own variables? */
bool pure_function(const struct ir_function *);

#endif
