/* SPDX-License-Identifier: MIT */
/* options.h - options of codegen besides the plan. */
#ifndef MESI_CODEGEN_OPTIONS_H
#define MESI_CODEGEN_OPTIONS_H

#include <stdbool.h>

#include "translator/base/arena.h"

struct ir_function;
struct kernel_variant;

struct printed_text { /* the text after a kernel of the source in the output */
  const struct ir_function *kernel;
  const struct kernel_variant *variant; /* NULL: for launches in parts, or as steps */
  const char *text;                     /* in the unit's arena */
};

struct printed_texts { /* in the order of their making */
  LIST_OF(struct printed_text) items;
};

struct codegen_options {
  bool target_cpu;      /* C++ for the host compiler and mesi_cpu.h instead of CUDA */
  bool check;           /* with target_cpu: accesses of device code go through mesi/check.h */
  bool line_directives; /* #line, so that messages of later compilers point to the .mcu */
  /* folders where the output's compiler searches headers by name; others are named by their path */
  const char *const *folders;
  unsigned folder_count;
  struct printed_texts *printed; /* filled in for reports; NULL: not needed */
};

#endif
