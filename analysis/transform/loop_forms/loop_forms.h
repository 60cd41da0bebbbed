/* SPDX-License-Identifier: MIT */
/* loop_forms.h - loops that count in other ways become loops in canonical form, and what they step
 * besides becomes an expression of the iterator. */
#ifndef MESI_ANALYSIS_LOOP_FORMS_H
#define MESI_ANALYSIS_LOOP_FORMS_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_loop_forms(struct draft *);
/* Conditions on parameters under which a `do` is a loop that counts, at most `most`; how many. */
unsigned loop_forms_ask(struct code *, struct ir_expr **ret, unsigned most);

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
/* What `k++`, `k += c`, `k = k + c` add to k, at least 1; 0: it is no such thing. */
int64_t loop_forms_step_of(const struct ir_expr *, const struct ir_var *);
/* May a loop count with the variable? */
bool loop_forms_is_counter(const struct ir_var *);
/* The value that the variable has in front of the loop, as the last of the `count` statements
 * `before` that writes it says; where `kept`, only if nothing behind it changes what that value
 * names. NULL: it is not known. */
struct ir_expr *loop_forms_value_before(const struct ir_var *, struct ir_stmt *const *before,
                                        unsigned count, bool kept);
/* May the loop end in another way than by its condition? */
bool loop_forms_is_left(const struct ir_stmt *loop);
/* loop_do.c: a `do` and a `while (k--)` as loops that count, or as they are. */
struct ir_stmt *loop_forms_do(struct loop_forming *, struct ir_stmt *stmt,
                              struct ir_stmt *const *before, unsigned count);
struct ir_stmt *loop_forms_down(struct loop_forming *, struct ir_stmt *stmt,
                                struct ir_stmt *const *before, unsigned count);
/* The same loop as a FOR with a canonical head, or as it is. `before`: the statements in front of
 * it in its list. */
struct ir_stmt *loop_forms_head(struct loop_forming *, struct ir_stmt *stmt,
                                struct ir_stmt *const *before, unsigned count);
/* The statements of a list with what its loops step as expressions. */
void loop_forms_steps(struct loop_forming *, struct ir_list *list);
void loop_forms_note(struct loop_forming *, const struct ir_stmt *loop, const char *what);

#endif
