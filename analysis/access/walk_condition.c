/* SPDX-License-Identifier: MIT */
/* walk_condition.c - the sets where a condition holds and where it fails.
 *
 *     i > 0 && i < n - 1   =>   yes { : 0 < i < n - 1 }, no { : i <= 0 or i >= n - 1 }, exact
 *
 * The right side of && and || is evaluated in the domain that the left side leaves. Gives up (both
 * sets are everything, not exact): comparisons of other values than integers, or without affine
 * forms.
 */
#include "analysis/access/walk.h"
#include "runtime/seeded.h"

static void anywhere(struct walk *w, isl_set **ret_yes, isl_set **ret_no, bool *ret_exact)
{
  *ret_yes = symbols_universe(w->symbols);
  *ret_no = symbols_universe(w->symbols);
  *ret_exact = false;
}

static void compare(struct walk *w, enum ir_op op, struct value difference, isl_set **ret_yes,
                    isl_set **ret_no, bool *ret_exact)
{
  if (difference.term_count) difference = value_flatten(w->symbols, difference);
  if (!difference.aff) {
    anywhere(w, ret_yes, ret_no, ret_exact);
    return;
  }
  isl_pw_aff *left = isl_pw_aff_copy(difference.aff), *zero = symbols_constant(w->symbols, 0);
  isl_pw_aff *left2 = isl_pw_aff_copy(left), *zero2 = isl_pw_aff_copy(zero);
  value_free(&difference);
  switch (op) {
  case IR_OP_LT:
    *ret_yes = isl_pw_aff_lt_set(left, zero), *ret_no = isl_pw_aff_ge_set(left2, zero2);
    break;
  case IR_OP_LE:
    *ret_yes = SEEDED(LE_AS_LT) ? isl_pw_aff_lt_set(left, zero) : isl_pw_aff_le_set(left, zero);
    *ret_no = isl_pw_aff_gt_set(left2, zero2);
    break;
  case IR_OP_GT:
    *ret_yes = isl_pw_aff_gt_set(left, zero), *ret_no = isl_pw_aff_le_set(left2, zero2);
    break;
  case IR_OP_GE:
    *ret_yes = isl_pw_aff_ge_set(left, zero), *ret_no = isl_pw_aff_lt_set(left2, zero2);
    break;
  case IR_OP_EQ:
    *ret_yes = isl_pw_aff_eq_set(left, zero), *ret_no = isl_pw_aff_ne_set(left2, zero2);
    break;
  default:
    *ret_yes = isl_pw_aff_ne_set(left, zero), *ret_no = isl_pw_aff_eq_set(left2, zero2);
    break;
  }
  *ret_exact = true;
}

static void walk_comparison(struct walk *w, struct ir_expr *expr, isl_set **ret_yes,
                            isl_set **ret_no, bool *ret_exact)
{
  struct ir_expr *left = expr->operands[0], *right = expr->operands[1];

  if (!walk_is_integer(left->type) || !walk_is_integer(right->type)) {
    for (unsigned i = 0; i < 2; i++)
      if (address_is_pointer_type(expr->operands[i]->type)) {
        struct address address = address_of_pointer(w, expr->operands[i]);
        address_free(&address);
      } else {
        walk_effects(w, expr->operands[i]);
      }
    anywhere(w, ret_yes, ret_no, ret_exact);
    return;
  }
  struct value a = walk_value(w, left), b = walk_value(w, right);
  compare(w, expr->op, value_sub(a, b), ret_yes, ret_no, ret_exact);
}

/* a && b; a || b is its negation */
static void walk_logical(struct walk *w, struct ir_expr *expr, isl_set **ret_yes, isl_set **ret_no,
                         bool *ret_exact)
{
  bool is_or = expr->op == IR_OP_LOR, exact[2], must = w->must;
  isl_set *yes[2], *no[2], *domain = w->domain;

  walk_condition(w, expr->operands[0], &yes[0], &no[0], &exact[0]);
  w->domain = isl_set_intersect(isl_set_copy(domain), isl_set_copy(is_or ? no[0] : yes[0]));
  w->must = must && (exact[0] || SEEDED(SHORT_CIRCUIT_CERTAIN));
  w->chosen++;
  walk_condition(w, expr->operands[1], &yes[1], &no[1], &exact[1]);
  walk_forget_expr(w, expr->operands[1]);
  w->chosen--;
  isl_set_free(w->domain);
  w->domain = domain;
  w->must = must;
  *ret_exact = exact[0] && exact[1];
  *ret_yes = is_or ? isl_set_union(yes[0], yes[1]) : isl_set_intersect(yes[0], yes[1]);
  *ret_no = is_or ? isl_set_intersect(no[0], no[1]) : isl_set_union(no[0], no[1]);
}

void walk_condition(struct walk *w, struct ir_expr *expr, isl_set **ret_yes, isl_set **ret_no,
                    bool *ret_exact)
{
  struct ir_expr *plain = expr;

  while (plain->kind == IR_EXPR_PAREN ||
         (plain->kind == IR_EXPR_CONVERT && plain->type->kind == IR_TYPE_BOOL))
    plain = plain->operands[0];
  if (plain->kind == IR_EXPR_UNARY && plain->op == IR_OP_NOT) {
    walk_condition(w, plain->operands[0], ret_no, ret_yes, ret_exact);
  } else if (plain->kind == IR_EXPR_BINARY && (plain->op == IR_OP_LAND || plain->op == IR_OP_LOR)) {
    walk_logical(w, plain, ret_yes, ret_no, ret_exact);
  } else if (plain->kind == IR_EXPR_BINARY && plain->op >= IR_OP_LT && plain->op <= IR_OP_NE) {
    walk_comparison(w, plain, ret_yes, ret_no, ret_exact);
  } else if (walk_is_integer(plain->type)) {
    compare(w, IR_OP_NE, walk_value(w, plain), ret_yes, ret_no, ret_exact);
  } else {
    if (address_is_pointer_type(plain->type)) {
      struct address address = address_of_pointer(w, plain);
      address_free(&address);
    } else {
      walk_effects(w, plain);
    }
    anywhere(w, ret_yes, ret_no, ret_exact);
  }
  *ret_yes = isl_set_coalesce(*ret_yes);
  *ret_no = isl_set_coalesce(*ret_no);
  if (w->symbols->facts->note_conditions && *ret_exact && !w->depth)
    *ARENA_PUSH(w->symbols->arena, &w->out->conditions) =
        (struct condition_seen){plain, isl_set_copy(w->domain), isl_set_copy(*ret_no)};
}
