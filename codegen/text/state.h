/* SPDX-License-Identifier: MIT */
/* state.h - the state of one codegen_unit call. Each room owns the types that only it sets. */
#ifndef MESI_CODEGEN_STATE_H
#define MESI_CODEGEN_STATE_H

#include "analysis/plan/plan.h"
#include "codegen/text/edits.h"
#include "codegen/text/options.h"
#include "translator/base/diag.h"
#include "translator/ir/unit.h"

struct vs_names;     /* variable/variable.h */
struct kernel_names; /* kernel/kernel.h */
struct steps_names;  /* kernel/kernel.h */
struct waits;        /* cpu/emit_waits.c */
struct check_state;  /* check/check.h */

struct addressed_site {  /* a launch by its kernel's address */
  const char *kernel;    /* as written */
  struct ir_place place; /* of the call */
};

struct codegen {
  struct unit *unit;
  const struct plan *plan;
  const struct codegen_options *options;
  struct diag *diag;
  struct arena *arena;        /* the unit's */
  struct edits *edits;        /* by file */
  struct vs_names *vs;        /* by VS variable id; use vs_names_of */
  struct kernel_names *names; /* by index in plan.variants */
  const char **parts; /* by index in plan.parts: the kernel's name, "" where it has none; NULL: not
                         emitted yet */
  struct steps_names *steps; /* by index in plan.steps */
  unsigned *sites;           /* by launch id: index in the table of launch sites */
  unsigned site_count, var_count;
  struct waits *waits; /* NULL: no loop waits */
  const char *table;   /* _mesi_1f00ab */
  /* launches by address, in the order of their sites, which follow the others */
  LIST_OF(struct addressed_site) addressed;
  /* element types of typed allocations, by number of their map */
  LIST_OF(const struct ir_type *) allocated;
  bool needs_select;         /* mesi_select is used */
  struct check_state *check; /* NULL: device code is not instrumented */
  /* by function id, with --check: see is_check_printed; NULL without it */
  bool *check_printed;
  bool failed; /* an error was reported */
};

#endif
