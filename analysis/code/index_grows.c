/* SPDX-License-Identifier: MIT */
/* index_grows.c - numbers that grow with a thread's index, by their form: id / 4 + n.
 *
 * Requires: code in its virtual shape. Gives up: products of two indices, differences, other types
 * than int.
 */
#include "analysis/code/index_grows.h"

bool index_named(const struct ir_expr *expr)
{
  bool names = expr->kind == IR_EXPR_BUILTIN && expr->value < IR_BLOCK_DIM;

  for (unsigned i = 0; i < expr->operand_count; i++) names |= index_named(expr->operands[i]);
  return names;
}

bool index_is_id(const struct ir_expr *expr)
{
  int64_t value;

  if (ir_constant((struct ir_expr *)expr, &value)) return value >= 0;
  if (expr->type->kind != IR_TYPE_INT || expr->type->size < 4) return false;
  if (expr->kind == IR_EXPR_BUILTIN) return expr->value < IR_BLOCK_IDX;
  bool sum = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_ADD,
       part = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_DIV &&
              ir_constant(expr->operands[1], &value) && value > 0;
  if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL) {
    const struct ir_expr *block = ir_strip(expr->operands[0]);
    return block->kind == IR_EXPR_BUILTIN && block->value >= IR_BLOCK_IDX &&
           block->value < IR_BLOCK_DIM && ir_constant(expr->operands[1], &value) && value > 0;
  }
  if (!sum && !part && expr->kind != IR_EXPR_CONVERT && expr->kind != IR_EXPR_CAST &&
      expr->kind != IR_EXPR_PAREN)
    return false;
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (!index_is_id(expr->operands[i])) return false;
  return true;
}

bool index_grows(const struct ir_expr *expr)
{
  int64_t by;

  if (!index_named(expr) || index_is_id(expr)) return true;
  if (expr->type->kind != IR_TYPE_INT || expr->type->size != 4 || !expr->type->is_signed)
    return false;
  if (expr->kind == IR_EXPR_PAREN || expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_CAST)
    return index_grows(expr->operands[0]);
  if (expr->kind != IR_EXPR_BINARY) return false;
  if (expr->op == IR_OP_ADD)
    return index_grows(expr->operands[0]) && index_grows(expr->operands[1]);
  bool scales = expr->op == IR_OP_MUL || expr->op == IR_OP_DIV;
  return scales && ir_constant(expr->operands[1], &by) && by > 0 && index_grows(expr->operands[0]);
}
