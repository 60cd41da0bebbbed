/* SPDX-License-Identifier: MIT */
/* inline.h - calls of device functions that use arrays, or compute indices, become the functions'
 * bodies. */
#ifndef MESI_ANALYSIS_INLINE_H
#define MESI_ANALYSIS_INLINE_H

#include "analysis/code/draft.h"

/* ---- inline_find.c ---- */

/* Would analyses know more of the kernel with the body in the place of this call? */
bool inline_is_wanted(struct code *, const struct ir_expr *call);
/* The calls of a statement's expression, in the order in which they are evaluated; those that need
 * not be evaluated are left out. */
struct inline_calls {
  LIST_OF(struct ir_expr *) list;
};
void inline_find_calls(struct code *, struct ir_expr *expr, struct inline_calls *ret);
/* Is it wanted and in the expression at all, evaluated always or not? NULL: there is none. */
struct ir_expr *inline_any_call(struct code *, struct ir_expr *expr);

/* ---- inline_legal.c ---- */

/* NULL: the body can stand in a statement's place; else why not. */
const char *inline_obstacle(struct code *, const struct ir_expr *call);
/* NULL: it can stand in front of the statement that has `expr`; else why not. */
const char *inline_order_obstacle(struct code *, struct ir_expr *expr, const struct ir_expr *call);
/* May the parameter's uses become uses of the argument, wherever the body has them? */
bool inline_is_stable(const struct ir_function *kernel, const struct ir_var *param,
                      struct ir_expr *argument);

/* The kernel names the VS variables that the function names. */
void inline_take_names(struct code *, const struct ir_function *callee);

/* ---- inline_value.c ---- */

/* The call as an expression that has its value; NULL: its function has no such form. */
struct ir_expr *inline_value(struct code *, struct ir_expr *call);
/* `value` as one of `type`, whatever stands around it. */
struct ir_expr *inline_converted(struct arena *, struct ir_expr *value, const struct ir_type *type);

/* ---- inline_body.c ---- */

/* The call's body, added to `out`, and in *ret_value the expression that has its result behind it
 * (NULL: none). NULL, or why there is no such form; `out` is as it was then. */
const char *inline_body(struct code *, const struct ir_expr *call, struct ir_list *out,
                        struct ir_expr **ret_value);

/* ---- inline.c ---- */

/* Puts bodies in the places of calls of draft->code, and notes each in draft->formed; returns how
 * many there were. */
unsigned inline_calls(struct draft *);

/* The row of transforms.c. */
bool plan_inline(struct draft *);

#endif
