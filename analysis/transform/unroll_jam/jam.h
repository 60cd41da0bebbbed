/* SPDX-License-Identifier: MIT */
/* jam.h - runs several iterations of a sequential loop at once, so that common elements are loaded
 * once. */
#ifndef MESI_ANALYSIS_JAM_H
#define MESI_ANALYSIS_JAM_H

#include "analysis/range/candidate.h"
#include "translator/ir/ir_rewrite.h"

struct jam {
  /* ---- input ---- */
  struct unit *unit;
  const struct symbols *symbols;
  const struct kernel_access *access; /* of `code`, by whose expressions it is keyed */
  struct ir_function *code; /* a copy of the kernel; gets locals, and in the end the new body */
  struct ir_stmt *loop;     /* of code->body */
  unsigned count;           /* iterations at once, in groups of `inner` neighbours */
  unsigned inner;
  /* A load from it may equal that of another iteration, as the bits below tell. NULL: none. */
  const struct array *array;
  struct ir_var *segment; /* the number of a bit; NULL: bit 0 */
  /* The bits: 0 between neighbours, 1 between groups of them. The kernel's head declares them. */
  struct ir_var *differs[2];

  /* ---- results of jam_fits ---- */
  const char *why;               /* it does not fit; NULL: it does */
  struct ir_place place;         /* of the reason */
  struct no_alias_list no_alias; /* conditions that the launch checks */
  unsigned var_count;            /* of the code as it was */
  bool *own, *varies;            /* by variable: declared in the loop; differs between iterations */
  /* Numbers of loads in inner loops: those that differ between iterations or may differ, and among
   * them those that are or may be common. */
  unsigned loads, common;
  bool *asked;               /* by array: its overlaps are known */
  struct ir_var **instances; /* [variable * count + iteration]; NULL: not made */
  unsigned made;             /* variables for loads */
};

/* Does the loop compute the same with several iterations at once? The launch only checks the
 * conditions of `no_alias`. */
bool jam_fits(struct jam *);
/* If it fits: code->body gets the loop with `count` iterations at a time. Remaining iterations, and
 * those whose conditions do not all hold, run as written. */
void jam_build(struct jam *);

/* ---- between the two ---- */
bool jam_varies(const struct jam *, struct ir_expr *expr); /* does it differ between iterations? */
bool jam_stmt_varies(const struct jam *, struct ir_stmt *stmt);
/* Does it write memory that is not the loop's own? */
bool jam_stores(const struct jam *, struct ir_stmt *stmt);
/* The condition around all that a body does behind plain declarations; it is the last statement.
 * NULL: there is none. */
struct ir_stmt *jam_guard(const struct jam *, const struct ir_stmt *body);
/* NULL: it is no element of an array. */
const struct access *jam_access(const struct jam *, const struct ir_expr *expr,
                                const struct array **ret_array);

#endif
