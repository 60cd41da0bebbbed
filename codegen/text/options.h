/* SPDX-License-Identifier: MIT */
/* options.h - what codegen is asked for besides the plan. */
#ifndef MESI_CODEGEN_OPTIONS_H
#define MESI_CODEGEN_OPTIONS_H

#include <stdbool.h>

struct codegen_options {
  bool target_cpu;      /* C++ for the host compiler and mesi_cpu.h instead of CUDA */
  bool check;           /* with target_cpu: accesses of device code go through mesi/check.h */
  bool line_directives; /* #line, so that messages of later compilers point to the .mcu */
  /* where the output's compiler will look for headers by name; others are named by their path */
  const char *const *folders;
  unsigned folder_count;
};

#endif
