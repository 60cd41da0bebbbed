/* SPDX-License-Identifier: MIT */
/* team_update.c - finds the statements by which a loop sums up.
 *
 *     s += e;   s = max(s, e);   if (e > s) s = e;   if (e > best) { best = e; at = j; }
 *
 * Requires: nothing. Gives up: a value with another use than the update, types that differ.
 */
#include "analysis/transform/team_reduce/team_update.h"

#include <string.h>

struct ir_var *update_own_var(struct ir_expr *expr)
{
  expr = ir_strip(expr);
  bool own = expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL &&
             expr->var->type->kind != IR_TYPE_REFERENCE;
  return own && !expr->var->address_taken ? expr->var : NULL;
}

bool update_is_local(struct ir_expr *expr)
{
  for (expr = ir_strip(expr);; expr = ir_strip(expr->operands[0])) {
    bool part =
        (expr->kind == IR_EXPR_INDEX && ir_strip(expr->operands[0])->type->kind == IR_TYPE_ARRAY) ||
        (expr->kind == IR_EXPR_MEMBER && !expr->is_arrow && expr->operand_count);
    if (!part) return update_own_var(expr) != NULL;
  }
}

static enum reduce_op op_of(enum ir_op op)
{
  switch (op) {
  case IR_OP_ADD_ASSIGN:
  case IR_OP_SUB_ASSIGN:
  case IR_OP_POST_INC:
  case IR_OP_POST_DEC:
  case IR_OP_PRE_INC:
  case IR_OP_PRE_DEC:
  case IR_OP_ADD: return REDUCE_SUM;
  case IR_OP_MUL_ASSIGN:
  case IR_OP_MUL: return REDUCE_PRODUCT;
  case IR_OP_AND_ASSIGN:
  case IR_OP_AND: return REDUCE_AND;
  case IR_OP_OR_ASSIGN:
  case IR_OP_OR: return REDUCE_OR;
  case IR_OP_XOR_ASSIGN:
  case IR_OP_XOR: return REDUCE_XOR;
  default: return REDUCE_NONE;
  }
}

static bool is_call(const struct ir_expr *expr, const char *const *names)
{
  if (expr->kind != IR_EXPR_CALL || expr->operand_count != 2 || expr->callee ||
      expr->effect != IR_EFFECT_NONE)
    return false;
  for (; *names; names++)
    if (!strcmp(expr->text, *names)) return true;
  return false;
}

static enum reduce_op op_of_call(const struct ir_expr *expr)
{
  static const char *const least[] = {"min", "fminf", "fmin", "std::min", NULL},
                           *const greatest[] = {"max", "fmaxf", "fmax", "std::max", NULL};
  return is_call(expr, least) ? REDUCE_MIN : is_call(expr, greatest) ? REDUCE_MAX : REDUCE_NONE;
}

static bool same_number(const struct ir_type *a, const struct ir_type *b)
{
  return a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed;
}

/* acc = acc + e, e + acc, acc - e, min(acc, e) */
static struct update update_of_value(struct ir_var *var, struct ir_expr *value)
{
  struct update none = {.op = REDUCE_NONE};
  bool takes = value->kind == IR_EXPR_BINARY && value->op == IR_OP_SUB &&
               update_own_var(value->operands[0]) == var;
  enum reduce_op op = takes                           ? REDUCE_SUM
                      : value->kind == IR_EXPR_BINARY ? op_of(value->op)
                                                      : op_of_call(value);

  if (op == REDUCE_NONE || value->operand_count != 2) return none;
  unsigned at = update_own_var(value->operands[0]) == var ? 0 : 1;
  struct ir_expr *other = ir_strip(value->operands[1 - at]);
  bool alike = op != REDUCE_MIN && op != REDUCE_MAX
                   ? other->type->kind == var->type->kind
                   : same_number(value->type, var->type) && same_number(other->type, var->type);
  if (update_own_var(value->operands[at]) != var || ir_expr_has_var(other, var) || !alike)
    return none;
  return (struct update){var, op, 2, value->kind == IR_EXPR_CALL && value->text[0] == 'f', NULL};
}

struct update update_of_expr(const struct ir_expr *expr)
{
  struct update none = {.op = REDUCE_NONE};
  struct ir_var *var = expr->operand_count ? update_own_var(expr->operands[0]) : NULL;

  if (!var || (expr->kind != IR_EXPR_ASSIGN && !ir_is_step(expr))) return none;
  if (ir_is_step(expr)) return (struct update){.var = var, .op = op_of(expr->op), .uses = 1};
  struct ir_expr *value = ir_strip(expr->operands[1]);
  if (expr->op == IR_OP_ASSIGN) return update_of_value(var, value);
  if (op_of(expr->op) == REDUCE_NONE || ir_expr_has_var(value, var) ||
      value->type->kind != var->type->kind)
    return none;
  return (struct update){.var = var, .op = op_of(expr->op), .uses = 1};
}

/* if (e > acc) acc = e; */
struct update update_of_if(struct ir_stmt *stmt)
{
  struct update none = {.op = REDUCE_NONE};
  struct ir_stmt *body = stmt->body;
  struct ir_expr *condition = ir_strip(stmt->expr);

  if (body->kind == IR_STMT_BLOCK && body->child_count == 1) body = body->children[0];
  struct ir_expr *assign = body->kind == IR_STMT_EXPR ? ir_strip(body->expr) : NULL;
  if (stmt->else_body || condition->kind != IR_EXPR_BINARY || !assign ||
      assign->kind != IR_EXPR_ASSIGN || assign->op != IR_OP_ASSIGN)
    return none;
  struct ir_var *var = update_own_var(assign->operands[0]);
  struct ir_expr *value = ir_strip(assign->operands[1]);
  unsigned at = update_own_var(condition->operands[0]) == var ? 0 : 1;
  bool less = condition->op == IR_OP_LT || condition->op == IR_OP_LE,
       more = condition->op == IR_OP_GT || condition->op == IR_OP_GE;
  if (!var || update_own_var(condition->operands[at]) != var ||
      !ir_same_expr(ir_strip(condition->operands[1 - at]), value) || ir_has_effects(value) ||
      ir_expr_has_var(value, var) || !same_number(value->type, var->type) || (!less && !more))
    return none;
  return (struct update){.var = var, .op = (at == 1) == less ? REDUCE_MIN : REDUCE_MAX, .uses = 2};
}

static struct ir_expr *assignment_of(struct ir_stmt *stmt)
{
  struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;
  return expr && expr->kind == IR_EXPR_ASSIGN && expr->op == IR_OP_ASSIGN ? expr : NULL;
}

/* if (e > best) { best = e; at = j; } finds the first place of the greatest value. The order of the
 * iterations does not matter. */
struct update update_of_place(struct ir_stmt *stmt, const struct ir_var *iterator)
{
  struct update none = {.op = REDUCE_NONE};
  const struct ir_stmt *body = stmt->body;
  const struct ir_expr *condition = ir_strip(stmt->expr);
  bool strict =
      condition->kind == IR_EXPR_BINARY && (condition->op == IR_OP_LT || condition->op == IR_OP_GT);

  if (!strict || body->kind != IR_STMT_BLOCK || body->child_count != 2) return none;
  for (unsigned i = 0; i < 2; i++) {
    struct ir_expr *place = assignment_of(body->children[i]);
    struct ir_var *at = place ? update_own_var(place->operands[0]) : NULL;
    struct ir_expr *value = place ? ir_strip(place->operands[1]) : NULL;
    struct ir_stmt only = *stmt;
    only.body = body->children[1 - i];
    struct update update = update_of_if(&only);
    bool fits = at && value->kind == IR_EXPR_VAR && value->var == iterator && update.var &&
                update.var != at && at->type->kind == IR_TYPE_INT && at->type->size >= 4 &&
                !ir_expr_has_var(stmt->expr, at);
    if (!fits) continue;
    update.at = at;
    return update;
  }
  return none;
}
