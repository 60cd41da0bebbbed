/* SPDX-License-Identifier: MIT */
/* effects.h - the effects of a device function on memory, in any order: for arguments, uses and
 * calls. */
#ifndef MESI_ANALYSIS_EFFECTS_H
#define MESI_ANALYSIS_EFFECTS_H

#include "translator/ir/unit.h"

enum { EFFECT_READ = 1, EFFECT_WRITE = 2 }; /* as mesi.h */

struct effects_use {
  struct ir_var *var; /* VS or device variable */
  unsigned access;
  bool looked_at; /* some value that is read goes elsewhere than back, unlike in `a[i] += x;` */
};

struct function_effects { /* with those of its callees */
  bool barrier, warp, fence;
  bool unknown_call;                /* it calls a function with unknown effects */
  bool unknown_read, unknown_write; /* through pointers that came from memory */
  /* By parameter: the use of the memory that a pointer or reference parameter leads to. */
  unsigned *params;
  bool *params_looked_at;           /* as looked_at for uses */
  LIST_OF(struct effects_use) uses; /* in order of first appearance */
};

struct effects { /* a memo; in the unit's arena */
  struct unit *unit;
  struct arena *arena;
  struct function_effects **by_function;
  bool *active; /* in computation: finds recursion */
};

void effects_init(struct effects *, struct unit *);
const struct function_effects *effects_of(struct effects *, struct ir_function *);
bool effects_none(const struct function_effects *); /* a pure function of scalars */
/* Does the call only compute a value, perhaps from loads? */
bool effects_pure(struct effects *, const struct ir_expr *call);
/* Is the call a fence, or an atomic operation that orders other accesses? */
bool effects_order(const struct ir_expr *call);
/* Does the expression synchronise threads, or may it? Has it a fence? It need not be a call. */
bool effects_join(struct effects *, const struct ir_expr *);
bool effects_fence(struct effects *, const struct ir_expr *);

#endif
