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
  /* the kernels for parts, as they stand behind the callee; NULL: the launch goes out as a whole */
  const char *part;
  const struct steps_names *steps; /* a batch may put it together with others; NULL: it may not */
};

/* emit_launch.c */
/* The name of another kernel, which stands beside the launch's, as the launch can write it. */
const char *callee_named(struct launching *, const char *name);
const char *written_kernel(struct launching *); /* as the launch names it, of one type */
/* A kernel whose arrays have to be apart, or the other one. */
const char *callee_if_no_alias(struct launching *, const char *name, const char *otherwise);
bool launching_is_mapped(const struct launching *);

/* emit_parted.c */
/* The part of a launching; NULL: it has none. */
const char *parted_with(struct launching *);
const char *parted_by(const struct launching *); /* what stands in front of the callee */
const char *in_parts(const struct launching *);  /* what the runtime is told of it */

/* emit_arguments.c */
/* Tells the runtime of what the arguments lead to. */
void wrap_args(struct launching *);
/* For a call that forwards them. */
void complete_args(struct launching *);

#endif
