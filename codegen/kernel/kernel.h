/* SPDX-License-Identifier: MIT */
/* kernel.h - kernel: the kernels that are printed after those of the source.
 *
 * The room takes the plan's variants, parts and steps, whose bodies are IR. It gives their names,
 * and their text after the kernels they come from. It also makes the text that such a kernel needs
 * at its launch (a prefix in the launch's parentheses, arguments, grid and block), since kernel and
 * launch have to agree; the room `launch` inserts it. */
#ifndef MESI_CODEGEN_KERNEL_H
#define MESI_CODEGEN_KERNEL_H

#include "codegen/text/state.h"

struct kernel_names { /* the names of the kernels of a variant */
  const char *kernel;
  const char *versions[MOST_VERSIONS]; /* of a mapping; the first is `kernel` */
  const char **choices; /* of a choice, by the stages they have, a bit each; `kernel` has all */
  /* one more than the sets where the last stages only some segments of an array */
  unsigned choice_count;
  /* numbers of segments, 1 ..., for each of which all these kernels exist again, after them */
  unsigned number_count;
  bool rows; /* the kernels for any number have one more of these sets, for rows with an end */
  /* templates: for any number of segments, for 1 ...; NULL: none */
  const char *several[1 + MOST_NUMBERS];
  /* all of these exist again, after them, for launches that find an even table */
  bool even;
  const char *plain;   /* for launches too small for the mapping; NULL: none */
  const char *written; /* for launches whose arguments overlap; NULL: none */
  const char *fits;    /* checks the condition of specialised versions; NULL: none */
  /* checks the condition of one version, or gives the number of blocks that share its sums; NULL:
   * none */
  const char *when[MOST_VERSIONS];
  /* forms for a run of blocks of `kernel`, `versions`, `plain` and `written`; NULL: none */
  const char *run, *runs[MOST_VERSIONS], *run_plain, *run_written;
};

struct steps_names {       /* the names for a plan's steps */
  const char *kernel;      /* NULL: not yet */
  const char *description; /* the table for the runtime */
};

/* emit_stage.c */
void emit_variants(struct codegen *);
const char *variant_name(const struct codegen *, const struct kernel_variant *);
const struct kernel_names *names_of(const struct codegen *, const struct kernel_variant *);
/* with ;, one line; NULL: cannot be written */
const char *variant_prototype(struct codegen *, const struct kernel_variant *);
/* A name inside staged kernels: `wanted` unless the user's files have it; the same for the same
 * request. */
const char *staged_name(struct codegen *, const char *wanted);
unsigned choice_total(const struct kernel_names *); /* kernels of a choice */

/* emit_part.c: the name of the kernel, which is emitted at the first call */
const char *parts_name(struct codegen *, const struct kernel_parts *);

/* emit_steps.c: emitted at the first call */
const struct steps_names *steps_names(struct codegen *, const struct kernel_steps *);

/* emit_map.c */
bool mapping_chooses(const struct kernel_mapping *);
/* grid and block of the launch */
const char *mapped_shape(struct codegen *, const struct kernel_mapping *);
/* shape: that of the launch; fits, callees: the functions that check the condition of specialised
 * versions, and that of each version */
const char *mapped_prefix(struct codegen *, const struct kernel_variant *, const struct launch *,
                          const char *shape, const char *fits, const char *const *callees);
/* The prefix of a launch with a constant grid, where the runtime has to know the mapping of its
 * blocks. */
const char *mapped_exactly(struct codegen *, const struct kernel_mapping *, const char *shape);
bool plain_again(const struct kernel_mapping *, unsigned version);
const char *mapped_arguments(struct codegen *, const struct kernel_variant *);

/* emit_choice.c */
/* The condition that the memory behind a launch's arguments does not overlap; NULL: an argument has
 * no text that can be moved before the launch. */
const char *no_alias_condition(struct codegen *, const struct launch *, const struct no_alias *,
                               unsigned count);
/* All conditions that launches check before they take the variant; "": none. */
const char *variant_condition(struct codegen *, const struct launch *,
                              const struct kernel_variant *);
/* The text before the launch, in its parentheses; NULL: cannot be written. */
const char *choice_prefix(struct codegen *, const struct launch *, const struct kernel_variant *);

/* emit_segments.c */
/* NULL: none of its arrays has segments */
const struct stage *segmented_stage(const struct kernel_variant *);

/* emit_several.c: the choice among several kernels in the place of the launch's kernel; NULL: it
 * cannot be written. */
const char *several_callee(struct codegen *, const struct launch *, const struct kernel_variant *,
                           const char *kernel, const char *(*named)(void *, const char *),
                           void *context);

#endif
