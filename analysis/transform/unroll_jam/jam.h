/* SPDX-License-Identifier: MIT */
/* jam.h - several iterations of a sequential loop at once, so that what they load in common is
 * loaded once. */
#ifndef MESI_ANALYSIS_JAM_H
#define MESI_ANALYSIS_JAM_H

#include "analysis/range/candidate.h"
#include "translator/ir/ir_rewrite.h"

struct jam {
  /* ---- what is asked for ---- */
  struct unit *unit;
  const struct symbols *symbols;
  const struct kernel_access *access; /* of `code`, by whose expressions it is keyed */
  struct ir_function *code; /* a copy of the kernel; gets locals, and in the end the new body */
  struct ir_stmt *loop;     /* of code->body */
  unsigned count;           /* iterations at once: groups of `inner` neighbours */
  unsigned inner;
  /* a load of it may find the element of another iteration: the bits below say so; NULL: none */
  const struct array *array;
  struct ir_var *segment; /* the number of a bit; NULL: it is bit 0 */
  /* the bits: 0 between neighbours, 1 between groups of them; declared by the kernel's head */
  struct ir_var *differs[2];

  /* ---- what jam_fits found ---- */
  const char *why;               /* it does not fit; NULL: it does */
  struct ir_place place;         /* of that */
  struct no_alias_list no_alias; /* what the launch has to find out */
  unsigned var_count;            /* of the code as it was */
  bool *own, *varies; /* by variable: declared in the loop; another one for each iteration */
  /* in the loops inside: that differ between iterations or may, and of them those that are or
   * may be common */
  unsigned loads, common;
  bool *asked;               /* by array: what it may overlap is known */
  struct ir_var **instances; /* [variable * count + iteration]; NULL: not made */
  unsigned made;             /* variables for loads */
};

/* Is the loop's code, with several iterations at once, the same? Asks nothing of the launch but
 * `apart`. */
bool jam_fits(struct jam *);
/* Where it fits: code->body with the loop going by `count` iterations, those that are too few or
 * whose conditions do not all hold as written. */
void jam_build(struct jam *);

/* ---- between the two ---- */
bool jam_varies(const struct jam *, struct ir_expr *expr); /* with the iteration */
bool jam_stmt_varies(const struct jam *, struct ir_stmt *stmt);
/* does it write memory that is not the loop's own? */
bool jam_stores(const struct jam *, struct ir_stmt *stmt);
/* The condition around all that a body does behind plain declarations, its last statement; NULL:
 * there is none. */
struct ir_stmt *jam_guard(const struct jam *, const struct ir_stmt *body);
/* NULL: no element of an array */
const struct access *jam_access(const struct jam *, const struct ir_expr *expr,
                                const struct array **ret_array);

#endif
