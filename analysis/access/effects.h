/* SPDX-License-Identifier: MIT */
/* effects.h - what a device function does to memory, whatever the order: for arguments, uses and
 * calls. */
#ifndef MESI_ANALYSIS_EFFECTS_H
#define MESI_ANALYSIS_EFFECTS_H

#include "translator/ir/unit.h"

enum { EFFECT_READ = 1, EFFECT_WRITE = 2 }; /* as mesi.h */

struct effects_use {
  struct ir_var *var; /* VS or device variable */
  unsigned access;
  bool looked_at; /* a value that is read goes elsewhere than back: not by `a[i] += x;` alone */
};

struct function_effects { /* its callees included */
  bool barrier, warp, fence;
  bool unknown_call;                /* calls what may do anything */
  bool unknown_read, unknown_write; /* through pointers that came from memory */
  /* by parameter: how it uses what a pointer or reference parameter points to */
  unsigned *params;
  bool *params_looked_at;           /* as looked_at of a use */
  LIST_OF(struct effects_use) uses; /* in order of first appearance */
};

struct effects { /* a memo; in the unit's arena */
  struct unit *unit;
  struct arena *arena;
  struct function_effects **by_function;
  bool *active; /* being computed: recursion */
};

void effects_init(struct effects *, struct unit *);
const struct function_effects *effects_of(struct effects *, struct ir_function *);
bool effects_none(const struct function_effects *); /* a pure function of scalars */
/* Does the call compute a value, perhaps of what it loads, and nothing else? */
bool effects_pure(struct effects *, const struct ir_expr *call);
/* Do threads meet in it, or may they? Is there a fence in it? It need not be a call. */
bool effects_join(struct effects *, const struct ir_expr *);
bool effects_fence(struct effects *, const struct ir_expr *);

#endif
