/* codegen.h - the last stage: carries a plan out on the source text of a unit.
 *
 * The output is the main file's text with edits, headers that need edits spliced in, staged kernels behind their
 * originals, and an epilogue with the runtime's tables: docs/internals.md, "What the emitted file looks like".
 */
#ifndef MESI_CODEGEN_CODEGEN_H
#define MESI_CODEGEN_CODEGEN_H

#include "analysis/plan/plan.h"
#include "translator/base/diag.h"
#include "translator/base/text.h"
#include "translator/ir/unit.h"

struct codegen_options {
  bool target_cpu;      /* C++ for the host compiler and mesi_cpu.h instead of CUDA */
  bool check;           /* with target_cpu: accesses of device code go through mesi/check.h */
  bool line_directives; /* #line, so that messages of later compilers point to the .mcu */
  const char *const *folders; /* where the output's compiler will look for headers by name; others are named by their path */
  unsigned folder_count;
};

/* The whole output text. Returns 0, or -1 after reporting a diagnostic (construct in a macro that cannot be edited...). */
int codegen_unit(struct unit *, const struct plan *, const struct codegen_options *, struct diag *, struct text *out);

#endif
