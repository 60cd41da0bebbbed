/* SPDX-License-Identifier: MIT */
/* inline.h - the bodies of device functions that use arrays, or compute indices, take the places of
 * their calls. */
#ifndef MESI_ANALYSIS_INLINE_H
#define MESI_ANALYSIS_INLINE_H

#include "analysis/code/draft.h"

/* ---- inline_find.c ---- */

/* Would analyses know more of the kernel if the body stood in the place of this call? */
bool inline_is_wanted(struct code *, const struct ir_expr *call);
/* The calls that an expression always evaluates, in the order of evaluation. */
struct inline_calls {
  LIST_OF(struct ir_expr *) list;
};
void inline_find_calls(struct code *, struct ir_expr *expr, struct inline_calls *ret);
/* A call that is wanted anywhere in the expression, always evaluated or not. NULL: there is
 * none. */
struct ir_expr *inline_any_call(struct code *, struct ir_expr *expr);

/* ---- inline_legal.c ---- */

/* Why the body cannot stand in the kernel at all. NULL: it can. */
const char *inline_obstacle(struct code *, const struct ir_expr *call);
/* Why the body cannot stand in front of the statement that has `expr`. NULL: it can. */
const char *inline_order_obstacle(struct code *, struct ir_expr *expr, const struct ir_expr *call);
/* May the argument take the parameter's place at all uses in the body? */
bool inline_is_stable(const struct ir_function *kernel, const struct ir_var *param,
                      struct ir_expr *argument);

/* Is the argument of a reference parameter a place (a variable, a member or an element) that stays
 * the same one while the body runs? It then stands for the parameter. */
bool inline_is_place(struct code *, const struct ir_expr *call, unsigned argument);

/* The kernel names the VS variables that the function names. */
void inline_take_names(struct code *, const struct ir_function *callee);

/* ---- inline_value.c ---- */

/* An expression with the call's value. NULL: its function comes to no single expression. */
struct ir_expr *inline_value(struct code *, struct ir_expr *call);
/* `value` converted to `type`, safe in any context. */
struct ir_expr *inline_converted(struct arena *, struct ir_expr *value, const struct ir_type *type);

/* ---- inline_body.c ---- */

/* Adds the call's body to `out`. *ret_value: the expression with the call's result behind that
 * body, or NULL for none. Returns NULL, or why the body has no such form; `out` is unchanged
 * then. */
const char *inline_body(struct code *, const struct ir_expr *call, struct ir_list *out,
                        struct ir_expr **ret_value);

/* ---- methods.c ---- */

/* Bodies of member functions take the places of their calls in kernels and device functions. Called
 * once for a unit, before anything looks at it. */
void inline_methods(struct unit *);

/* ---- inline.c ---- */

/* Puts bodies in the places of calls of draft->code, and notes each in draft->formed. Returns the
 * number of replaced calls. */
unsigned inline_calls(struct draft *);

/* The row of transforms.c. */
bool plan_inline(struct draft *);

#endif
