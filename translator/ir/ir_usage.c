/* SPDX-License-Identifier: MIT */
/* ir_usage.c - notes how often the variables of a body are written, and which have an address.
 *
 *     s += a[i]; f(&t);      =>      s: one write more; t: address_taken
 *
 * An lvalue that a call gets as it is may be bound to a reference, and has an address then. The
 * object of a method that is a function has none, since the body takes the call's place, or the
 * call becomes that of a method again. */
#include "runtime/seeded.h"
#include "translator/ir/ir.h"

/* The variable whose storage `expr` names: a, a[i], a.x; not through pointers. */
static struct ir_var *storage_var(struct ir_expr *expr)
{
  for (;;) {
    expr = ir_strip(expr);
    if (expr->kind == IR_EXPR_VAR) return expr->var;
    bool array =
        expr->kind == IR_EXPR_INDEX && ir_strip(expr->operands[0])->type->kind == IR_TYPE_ARRAY;
    bool member = expr->kind == IR_EXPR_MEMBER && !expr->is_arrow && expr->operand_count;
    if (!array && !member) return NULL;
    expr = expr->operands[0];
  }
}

/* Notes that the variables which an lvalue may be (part of) have an address: x, c ? x : y, (i, x),
 * x = 1, ++x. */
static void note_storage(struct ir_expr *expr)
{
  struct ir_var *var = storage_var(expr);
  expr = ir_strip(expr);
  if (var) {
    var->address_taken = true;
  } else if (SEEDED(CHOSEN_LVALUE_MISSED)) {
    return;
  } else if (expr->kind == IR_EXPR_COND) {
    note_storage(expr->operands[1]);
    note_storage(expr->operands[2]);
  } else if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_COMMA) {
    note_storage(expr->operands[1]);
  } else if (expr->kind == IR_EXPR_ASSIGN ||
             (expr->kind == IR_EXPR_UNARY &&
              (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC))) {
    note_storage(expr->operands[0]);
  } else if ((expr->kind == IR_EXPR_MEMBER && !expr->is_arrow && expr->operand_count) ||
             (expr->kind == IR_EXPR_INDEX &&
              ir_strip(expr->operands[0])->type->kind == IR_TYPE_ARRAY)) {
    note_storage(expr->operands[0]);
  }
}

/* The result of a call, max(a, b), may be a reference to an argument. */
static void take_address(struct ir_expr *expr)
{
  const struct ir_expr *bare = ir_strip(expr);
  note_storage(expr);
  for (unsigned i = 0; bare->kind == IR_EXPR_CALL && i < bare->operand_count; i++)
    take_address(bare->operands[i]);
}

static bool is_scalar(const struct ir_type *type)
{
  return type->kind == IR_TYPE_BOOL || type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT ||
         type->kind == IR_TYPE_POINTER;
}

static void note_expr(struct ir_expr *expr, void *context)
{
  (void)context;
  bool steps =
      expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC ||
                                      expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC);
  if (expr->kind == IR_EXPR_ASSIGN || steps) {
    struct ir_var *var = storage_var(expr->operands[0]);
    if (var)
      var->write_count++;
    else
      note_storage(expr->operands[0]); /* (c ? x : y) = 1 */
  }
  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS) take_address(expr->operands[0]);
  if (expr->kind == IR_EXPR_OPAQUE)
    for (unsigned i = 0; i < expr->operand_count; i++) {
      struct ir_var *var = storage_var(expr->operands[i]);
      if (var) var->address_taken = true; /* perhaps captured or bound to a reference */
    }
  if (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE &&
      expr->effect != IR_EFFECT_ATOMIC)
    /* an lvalue that is not converted is bound to a reference */
    for (unsigned i = 0; i < expr->operand_count; i++) {
      struct ir_expr *operand = expr->operands[i];
      bool object = expr->callee && expr->callee->method_of && i + 1 == expr->operand_count;
      bool copied = i < 32 && (expr->by_value >> i & 1) && is_scalar(operand->type);
      if (operand->kind == IR_EXPR_CONVERT || copied || object) continue;
      struct ir_var *var = storage_var(operand);
      if (!var ||
          (!var->type->is_const && !(expr->is_method && i == 0 && var->kind == IR_VAR_SHARED)))
        note_storage(operand);
    }
}

static bool note_stmt(struct ir_stmt *stmt, void *context)
{
  (void)context;
  if (stmt->kind == IR_STMT_DECL && stmt->expr) {
    stmt->var->write_count++;
    if (stmt->var->type->kind == IR_TYPE_REFERENCE) take_address(stmt->expr);
  }
  return true;
}

void ir_note_usage(struct ir_stmt *body)
{
  ir_visit_stmts(body, note_stmt, NULL);
  ir_visit_stmt_exprs(body, note_expr, NULL);
}

void ir_note_usage_again(struct ir_function *function)
{
  for (unsigned i = 0; i < function->var_count; i++) {
    function->vars[i]->write_count = 0;
    function->vars[i]->address_taken = false;
  }
  ir_note_usage(function->body);
}
