/* SPDX-License-Identifier: MIT */
/* loop_forms.h - loops that count in other ways become loops in canonical form, and what they step
 * besides becomes an expression of the iterator. */
#ifndef MESI_ANALYSIS_LOOP_FORMS_H
#define MESI_ANALYSIS_LOOP_FORMS_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_loop_forms(struct draft *);

/* ---- private to the folder ---- */

struct loop_forming {
  struct draft *draft;
  struct code *code;
};

/* Does the statement, or one inside it, assign to the variable, step it, or declare it? */
bool loop_forms_writes(struct ir_stmt *stmt, const struct ir_var *var);
/* Has the expression one value wherever `stmt` is by now: it names nothing that the statement
 * writes, loads nothing, and has no effect? */
bool loop_forms_stays(struct ir_expr *expr, struct ir_stmt *stmt);
/* Is there a `continue` of this loop in its body? */
bool loop_forms_continues(const struct ir_stmt *body);
/* The same loop as a FOR with a canonical head, or as it is. `before`: the statements in front of
 * it in its list. */
struct ir_stmt *loop_forms_head(struct loop_forming *, struct ir_stmt *stmt,
                                struct ir_stmt *const *before, unsigned count);
/* The statements of a list with what its loops step as expressions. */
void loop_forms_steps(struct loop_forming *, struct ir_list *list);
void loop_forms_note(struct loop_forming *, const struct ir_stmt *loop, const char *what);

#endif
