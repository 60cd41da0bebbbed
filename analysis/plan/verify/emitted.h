/* SPDX-License-Identifier: MIT */
/* emitted.h - checks the code that plans make for the GPU, before codegen prints it.
 *
 * It looks for an index outside an array that a transformation declared, a vector access that is
 * not aligned, a barrier that some threads of a block do not reach, shared memory above the limit,
 * a warp operation without all of its threads, and malformed IR. Checks that are neither proved nor
 * found wrong are counted. Correct code has no findings. */
#ifndef MESI_ANALYSIS_EMITTED_H
#define MESI_ANALYSIS_EMITTED_H

#include "analysis/access/effects.h"
#include "analysis/data/facts.h"
#include "analysis/plan/plan.h"

struct emitted_finding {
  const struct ir_function *kernel; /* the user's */
  const char *text;                 /* statement and reason */
};

struct emitted_share {
  unsigned all, proved; /* the rest was not told, or is a finding */
};

struct emitted_report {          /* in the unit's arena */
  unsigned codes;                /* codes that were checked */
  unsigned unread;               /* those that isl gave up on before their end */
  struct emitted_share indices;  /* of arrays that transformations declared: inside */
  struct emitted_share vectors;  /* accesses of 8 or 16 bytes: aligned */
  struct emitted_share barriers; /* all threads of the block reach them */
  struct emitted_share warps;    /* operations of a whole warp: all of its threads reach them */
  LIST_OF(struct emitted_finding) findings;
  LIST_OF(const char *) untold; /* the checks that were not told */
};

struct emitted_code { /* one body that codegen prints as a kernel */
  struct ir_function *code;
  const struct ir_function *kernel, *other; /* the user's; `other`: the second of two, or NULL */
  struct kernel_facts facts;   /* of its launches, in its own shape, except for `kernel`, `watch` */
  struct ir_expr **conditions; /* on its parameters and gridDim; they hold for its launches */
  unsigned condition_count;
  const struct stage *stages; /* arrays that codegen puts into shared memory */
  unsigned stage_count;
  uint64_t staged_bytes; /* of shared memory for them */
  bool dynamic;          /* ... which the launch asks for */
  bool no_alias;         /* launches have checked that the written memory is disjoint */
  bool shares;           /* nodes with the kernel, whose ids they have */
};

void emitted_check_code(struct unit *, struct effects *, unsigned arch, const struct emitted_code *,
                        struct emitted_report *);

/* emitted_plan.c: checks all codes of a variant that launches with these facts take, and a kernel
 * of several launches. */
void emitted_check_variant(struct unit *, struct effects *, unsigned arch,
                           const struct kernel_variant *, const struct kernel_facts *,
                           struct emitted_report *);
void emitted_check_steps(struct unit *, struct effects *, unsigned arch,
                         const struct kernel_steps *, struct emitted_report *);

/* One line: the numbers of checks and proofs. */
const char *emitted_line(struct arena *, const struct emitted_report *);

#endif
