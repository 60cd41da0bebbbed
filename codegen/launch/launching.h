/* SPDX-License-Identifier: MIT */
/* launching.h - a launch while its text is edited. */
#ifndef MESI_CODEGEN_LAUNCHING_H
#define MESI_CODEGEN_LAUNCHING_H

#include "codegen/kernel/kernel.h"

struct launching {
  struct codegen *cg;
  const struct launch *launch;
  const struct launch_plan *plan;
  struct edits *edits;
  const char *text;                     /* of the launch's file */
  const struct kernel_variant *variant; /* that is used; NULL: the original */
  const char *part;                /* the kernel for parts; NULL: the launch goes out as a whole */
  const struct steps_names *steps; /* a batch may put it together with others; NULL: it may not */
};

/* emit_arguments.c */
/* Tells the runtime of what the arguments lead to. */
void wrap_args(struct launching *);
/* For a call that forwards them. */
void complete_args(struct launching *);

#endif
