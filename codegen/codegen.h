/* SPDX-License-Identifier: MIT */
/* codegen.h - the last stage: carries a plan out on the source text of a unit.
 *
 * The output is the main file's text with edits, headers that need edits spliced in, staged kernels
 * behind their originals, and an epilogue with the runtime's tables: docs/inside/emitted.md, "What
 * the emitted file looks like".
 */
#ifndef MESI_CODEGEN_CODEGEN_H
#define MESI_CODEGEN_CODEGEN_H

#include "analysis/plan/plan.h"
#include "codegen/text/options.h"
#include "translator/base/diag.h"
#include "translator/base/text.h"
#include "translator/ir/unit.h"

/* The whole output text. Returns 0, or -1 after reporting a diagnostic (construct in a macro that
 * cannot be edited...). */
int codegen_unit(struct unit *, const struct plan *, const struct codegen_options *, struct diag *,
                 struct text *out);

#endif
