/* SPDX-License-Identifier: MIT */
/* codegen.h - the last stage: applies a plan to the source text of a unit.
 *
 * The output is the main file's text with edits, headers with edits spliced in, staged kernels
 * after their originals, and an epilogue with the runtime's tables: docs/inside/emitted.md, "What
 * the emitted file looks like".
 */
#ifndef MESI_CODEGEN_CODEGEN_H
#define MESI_CODEGEN_CODEGEN_H

#include "analysis/plan/plan.h"
#include "codegen/text/options.h"
#include "translator/base/diag.h"
#include "translator/base/text.h"
#include "translator/ir/unit.h"

/* Makes the whole output text. Returns 0, or -1 after a diagnostic (construct in a macro that
 * cannot be edited...). */
int codegen_unit(struct unit *, const struct plan *, const struct codegen_options *, struct diag *,
                 struct text *out);

#endif
