/* SPDX-License-Identifier: MIT */
/* ir_rewrite.h - changed copies of expressions and statements, and new ones, for transformations of
 * code.
 *
 * The IR of the frontend stays as it is. A rewriter makes new nodes on the paths to the changes and
 * shares the rest.
 */
#ifndef MESI_IR_REWRITE_H
#define MESI_IR_REWRITE_H

#include "translator/ir/ir.h"

struct ir_rewriter {
  struct arena *arena;
  /* Returns the replacement of `expr`, which is not visited, or NULL to visit the operands. */
  struct ir_expr *(*replace)(struct ir_rewriter *, struct ir_expr *expr);
  void *context; /* for replace */
};

struct ir_expr *ir_rewrite_expr(struct ir_rewriter *, struct ir_expr *expr); /* NULL stays NULL */
struct ir_stmt *ir_rewrite_stmt(struct ir_rewriter *, struct ir_stmt *stmt); /* and all below it */

/* The copies with a value in the place of a variable's name; another variable: by ir_build_var. */
struct ir_expr *ir_replace_var(struct arena *, struct ir_expr *expr, const struct ir_var *var,
                               struct ir_expr *value);
struct ir_stmt *ir_rename_var(struct arena *, struct ir_stmt *stmt, const struct ir_var *var,
                              struct ir_var *to);

/* A copy with a list of children of its own, for a walk that changes more than expressions:
 *
 *     struct ir_stmt *copy = ir_copy_stmt(arena, stmt), **below;
 *     for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = changed(arena, *below); */
struct ir_stmt *ir_copy_stmt(struct arena *, const struct ir_stmt *stmt);
/* The place of the statement's body, else body or child with this number, which may be NULL; NULL:
 * there are no more. */
struct ir_stmt **ir_below(struct ir_stmt *stmt, unsigned number);

/* ---- equality (ir_same.c) ---- */
/* except for const and volatile at the top */
bool ir_same_type(const struct ir_type *a, const struct ir_type *b);
/* Have the expressions the same value and type wherever both are evaluated? They are then the same
 * tree, with constants and conversions of the same types. */
bool ir_same_expr(const struct ir_expr *a, const struct ir_expr *b);

/* does it assign, step, or call an impure function? (Loads are pure.) */
bool ir_has_effects(struct ir_expr *expr);
bool ir_expr_has_var(struct ir_expr *expr, const struct ir_var *var);
/* A declaration float *p = own; of a local or a parameter, where an array becomes a pointer. NULL:
 * there is none. */
const struct ir_expr *ir_pointer_to_own(const struct ir_function *);
unsigned ir_count_var(struct ir_stmt *stmt, const struct ir_var *var); /* uses by name */
bool ir_stmt_has_var(struct ir_stmt *stmt, const struct ir_var *var);
/* the variable assigned as a whole, by an ASSIGN or a step; NULL: none */
struct ir_var *ir_assigned_var(const struct ir_expr *expr);
/* the variable with the element `&v[i][j]`, `v + i`, `v` or `&v`; NULL: it is no plain index */
struct ir_var *ir_updated_var(const struct ir_expr *target);
bool ir_is_step(const struct ir_expr *expr); /* ++ or -- */
/* Is it min(a, b), or max(a, b) where not `least`: a header's, or one that a plan has made? */
bool ir_is_extreme(const struct ir_expr *expr, bool least);
/* May the ASSIGN or step write the variable, or a part of it? An index is only read. */
bool ir_writes_var(const struct ir_expr *expr, const struct ir_var *var);
enum ir_op ir_compound_op(enum ir_op op); /* ADD of ADD_ASSIGN ...; IR_OP_COUNT of others */

/* ---- new expressions: ids are UINT32_MAX, places empty ---- */
struct ir_expr *ir_build_index(struct arena *, struct ir_expr *array, struct ir_expr *index);
struct ir_expr *ir_build_assign(struct arena *, struct ir_expr *target, struct ir_expr *value);
struct ir_expr *ir_build_call(struct arena *, const char *name, enum ir_effect effect);
void ir_add_argument(struct arena *, struct ir_expr *call, struct ir_expr *argument);
struct ir_expr *ir_build_cast(struct arena *, const struct ir_type *type, struct ir_expr *operand);
struct ir_expr *ir_build_member(struct arena *, struct ir_expr *object, const char *name,
                                const struct ir_type *type);
/* the opposite comparison, where there is one */
struct ir_expr *ir_build_not(struct arena *, struct ir_expr *condition);

/* ---- new statements ---- */
struct ir_list {
  LIST_OF(struct ir_stmt *) items;
};
void ir_list_add(struct arena *, struct ir_list *, struct ir_stmt *stmt); /* NULL adds nothing */
struct ir_stmt *ir_build_block(struct arena *, const struct ir_list *);
/* a block, or the only statement in it */
struct ir_stmt *ir_build_body(struct arena *, const struct ir_list *);
struct ir_stmt *ir_build_decl(struct arena *, struct ir_var *var, struct ir_expr *init);
/* `T x = {};`: registers that a loop carries need a value in front of it, even where the results of
 * the first iterations are not used. ptxas of CUDA 13.0 computes later ones wrongly without (64-bit
 * integers, sm_90). */
struct ir_stmt *ir_build_zeroed(struct arena *, struct ir_var *var);
struct ir_stmt *ir_build_expr_stmt(struct arena *, struct ir_expr *expr);
struct ir_stmt *ir_build_if(struct arena *, struct ir_expr *condition, struct ir_stmt *body);
/* for (int iterator = lower; iterator < bound; iterator += step) body */
struct ir_stmt *ir_build_for(struct arena *, struct ir_var *iterator, struct ir_expr *lower,
                             struct ir_expr *bound, int64_t step, struct ir_stmt *body);

/* ---- new types and variables ---- */
const struct ir_type *ir_build_array_type(struct arena *, const struct ir_type *element,
                                          int64_t extent);
const struct ir_type *ir_build_pointer_type(struct arena *, const struct ir_type *element);
/* without const and volatile at the top */
const struct ir_type *ir_plain_type(struct arena *, const struct ir_type *);
const struct ir_type *ir_int_type(void);
const struct ir_type *ir_bool_type(void);

/* A function with the same parameters, variables and body, which may then be changed. */
struct ir_function *ir_copy_function(struct arena *, const struct ir_function *);
/* Gives the function nodes that it shares with no other, with dense ids. Tables keyed by the old
 * nodes are invalid for it. */
void ir_own_body(struct arena *, struct ir_function *);
struct ir_var *ir_add_local(struct arena *, struct ir_function *, const char *name,
                            const struct ir_type *type);
struct ir_var *ir_add_param(struct arena *, struct ir_function *, const char *name,
                            const struct ir_type *type);

#endif
