/* SPDX-License-Identifier: MIT */
/* team_update.h - statements that combine a value with a variable by an operation whose operands
 * may come in any order. Internal to the room. */
#ifndef MESI_ANALYSIS_TEAM_UPDATE_H
#define MESI_ANALYSIS_TEAM_UPDATE_H

#include "analysis/code/reduce.h"

struct update {
  struct ir_var *var;
  enum reduce_op op;
  unsigned uses;     /* of the variable in the statement */
  bool called;       /* a device function for the lesser or greater float */
  struct ir_var *at; /* gets the iteration of the value; NULL: none does */
};

/* The local that the expression names, if it is only used by its name. NULL: it is none. */
struct ir_var *update_own_var(struct ir_expr *);
/* Is it a local variable, or a part of one? */
bool update_is_local(struct ir_expr *);
/* s += e, s = s + e, s++, s = max(s, e); var NULL: it is no update. */
struct update update_of_expr(const struct ir_expr *);
/* if (e > s) s = e; */
struct update update_of_if(struct ir_stmt *);
/* if (e > best) { best = e; at = iterator; } */
struct update update_of_place(struct ir_stmt *, const struct ir_var *iterator);

#endif
