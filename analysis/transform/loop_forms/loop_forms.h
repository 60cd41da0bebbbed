/* SPDX-License-Identifier: MIT */
/* loop_forms.h - loops that count in other ways get the canonical form, and the other variables
 * that they step become expressions of the iterator. */
#ifndef MESI_ANALYSIS_LOOP_FORMS_H
#define MESI_ANALYSIS_LOOP_FORMS_H

#include "analysis/code/draft.h"

/* The row of transforms.c. */
bool plan_loop_forms(struct draft *);
/* Writes to `ret` at most `most` conditions on parameters under which a `do` is a loop that counts.
 * Returns their number. */
unsigned loop_forms_ask(struct code *, struct ir_expr **ret, unsigned most);

/* ---- private to the folder ---- */

struct loop_forming {
  struct draft *draft;
  struct code *code;
  bool walked; /* a loop of the present list counts the way of a pointer now */
};

/* Does the statement, or one inside it, assign to the variable, step it, or declare it? */
bool loop_forms_writes(struct ir_stmt *stmt, const struct ir_var *var);
/* Has the expression one value throughout `stmt`? It names nothing that the statement writes, loads
 * nothing, and has no effect. */
bool loop_forms_stays(struct ir_expr *expr, struct ir_stmt *stmt);
/* Is there a `continue` of this loop in its body? */
bool loop_forms_continues(const struct ir_stmt *body);
/* The amount that `k++`, `k += c` or `k = k + c` adds to k, at least 1. 0: the expression is no
 * such step. */
int64_t loop_forms_step_of(const struct ir_expr *, const struct ir_var *);
/* May a loop count with the variable? */
bool loop_forms_is_counter(const struct ir_var *);
/* The value that the variable has in front of the loop: the one from the last of the `count`
 * statements `before` that writes it. Where `kept` is set, no later statement may change a variable
 * that this value names. NULL: the value is not known. */
struct ir_expr *loop_forms_value_before(const struct ir_var *, struct ir_stmt *const *before,
                                        unsigned count, bool kept);
/* May the loop end in another way than by its condition? */
bool loop_forms_is_left(const struct ir_stmt *loop);
/* loop_do.c: a `do` or a `while (k--)` as a loop that counts, or the statement unchanged. */
struct ir_stmt *loop_forms_do(struct loop_forming *, struct ir_stmt *stmt,
                              struct ir_stmt *const *before, unsigned count);
struct ir_stmt *loop_forms_down(struct loop_forming *, struct ir_stmt *stmt,
                                struct ir_stmt *const *before, unsigned count);
/* loop_walk.c: a loop with a block as its body, and one step in its head; or a block with a
 * pointer's declaration and its loop; or the statement unchanged. */
struct ir_stmt *loop_forms_regular(struct loop_forming *, struct ir_stmt *stmt);
/* ... a while that a pointer counts as a loop that counts elements, or the statement unchanged. */
struct ir_stmt *loop_forms_walk(struct loop_forming *, struct ir_stmt *stmt,
                                struct ir_stmt *const *before, unsigned count);
/* Does each run of the loop's body step the pointer once, by one element up? */
bool loop_forms_steps_once(struct ir_stmt *body, struct ir_var *);
/* The same loop as a FOR with a canonical head, or unchanged. `before`: the statements in front of
 * it in its list. */
struct ir_stmt *loop_forms_head(struct loop_forming *, struct ir_stmt *stmt,
                                struct ir_stmt *const *before, unsigned count);
/* loop_window.c: a loop over a window at a thread's own place as one that counts from 0, or the
 * statement unchanged. */
struct ir_stmt *loop_forms_window(struct loop_forming *, struct ir_stmt *stmt);
/* The condition that the launch checks for it. NULL: none, or it is no such loop. */
struct ir_expr *loop_forms_window_asks(struct code *, struct ir_stmt *stmt);
/* Replaces the variables that the list's loops step by expressions of their iterators. */
void loop_forms_steps(struct loop_forming *, struct ir_list *list);
void loop_forms_note(struct loop_forming *, const struct ir_stmt *loop, const char *what);

#endif
