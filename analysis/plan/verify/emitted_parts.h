/* SPDX-License-Identifier: MIT */
/* emitted_parts.h - the state that the checks of emitted code share; private to emitted*.c. */
#ifndef MESI_ANALYSIS_EMITTED_PARTS_H
#define MESI_ANALYSIS_EMITTED_PARTS_H

#include "analysis/code/code.h"
#include "analysis/plan/verify/emitted.h"
#include "analysis/access/walk.h"

enum { MOST_VALUES = 16 }; /* of a variable that takes turns */

struct value_set { /* the values of a local that only takes few; unknown where count is 0 */
  int64_t items[MOST_VALUES];
  unsigned count;
};

struct meeting_seen { /* a call that all threads of a block, or of a warp, must reach */
  const struct ir_expr *call;
  bool parted; /* some thread of the block certainly reaches it and another does not */
  bool whole;  /* all certainly reach it together, or none */
};

struct narrowed { /* var = var && by */
  const struct ir_var *var;
  struct ir_expr *by;
};

struct look { /* the check of one code */
  struct emitted_report *report;
  const struct emitted_code *emitted;
  struct arena *arena;
  struct unit *unit;
  unsigned arch;
  struct code code;         /* scanned with a watch */
  struct value_set *values; /* by variable id */
  bool jumps;               /* there is a goto, which the walk does not follow */
  unsigned exhausted;       /* how often isl gave up */
  LIST_OF(struct meeting_seen) meetings;
  LIST_OF(struct ir_expr *) tests;   /* operands of mesi_vector_at around the access */
  LIST_OF(struct narrowed) narrowed; /* by the statements in front of it */
};

void look_find(struct look *, const struct ir_expr *expr, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void look_untold(struct look *, const struct ir_expr *expr, const char *what);
bool look_is_made(const struct look *, const struct ir_var *var); /* by a transformation */
/* The initial value of the local, if nothing else is assigned to it. NULL: something is. */
struct ir_expr *look_value_of(const struct look *, const struct ir_var *var);
/* Is `bad` (taken), a set of symbols, certainly not empty where the walk stands, whatever the
 * launch's arguments are? */
bool look_happens(struct look *, struct walk *, isl_set *bad);

/* ---- emitted_index.c: arrays ---- */
/* Checks that `elements` neighbours from `address` along the last dimension are inside. Findings
 * name `expr`. */
void look_index(struct look *, struct walk *, const struct address *, int64_t elements,
                const struct ir_expr *expr);
/* Checks an access that codegen redirects to a stage's copy; ignores any other. */
void look_stage(struct look *, struct walk *, const struct ir_expr *expr);
void look_values(struct look *); /* sets `values` */

/* ---- emitted_vector.c: accesses of several elements ---- */
void look_vector_call(struct look *, struct walk *, struct ir_expr *call);
/* Checks *(float4 *)&element; ignores anything else. */
void look_vector_cast(struct look *, struct walk *, const struct ir_expr *access);

/* ---- emitted_meet.c: barriers and operations of warps ---- */
void look_meeting(struct look *, struct walk *, const struct ir_expr *call); /* notes one */
void look_meetings(struct look *); /* judges the noted calls; the code must be scanned */

#endif
