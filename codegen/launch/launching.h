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
  const struct kernel_variant *variant; /* the variant that it uses; NULL: the original */
  /* the kernels for parts, as text after the callee; NULL: the launch goes out as a whole */
  const char *part;
  const struct steps_names *steps; /* a batch may make it one with others; NULL: it may not */
};

/* emit_launch.c */
/* The name of another kernel beside the launch's, in the form that the launch can write. */
const char *callee_named(struct launching *, const char *name);
const char *written_kernel(struct launching *); /* in the form of the launch, with one type */
/* A kernel whose arrays must not overlap, or the other one. */
const char *callee_if_no_alias(struct launching *, const char *name, const char *otherwise);
bool launching_is_mapped(const struct launching *);

/* emit_parted.c */
/* The part of a launch; NULL: it has none. */
const char *parted_with(struct launching *);
const char *parted_by(const struct launching *); /* the text before the callee */
const char *in_parts(const struct launching *);  /* its announcement to the runtime */

/* emit_arguments.c */
/* Announces the memory behind the arguments to the runtime. */
void wrap_args(struct launching *);
/* For a call that forwards the arguments. */
void complete_args(struct launching *);

#endif
