/* SPDX-License-Identifier: MIT */
/* updates.c - updates of elements as a load and a store, each of which may be one of
 * 16 bytes.
 *
 *     y[i] += a * x[i];         =>         y[i] = y[i] + a * x[i];
 *     count[i]++;                          count[i] = count[i] + 1;
 *
 * Requires: nothing. Gives up (the update stays): an update inside another expression, elements
 * that are volatile or no numbers, places whose index loads something or has an effect.
 */
#include "analysis/code/updates.h"

#include "runtime/seeded.h"

static enum ir_op operation(const struct ir_expr *expr)
{
  if (ir_is_step(expr))
    return expr->op == IR_OP_PRE_INC || expr->op == IR_OP_POST_INC ? IR_OP_ADD : IR_OP_SUB;
  return expr->kind == IR_EXPR_ASSIGN ? ir_compound_op(expr->op) : IR_OP_COUNT;
}

static void note_load(struct ir_expr *expr, void *context)
{
  bool *plain = context;

  switch (expr->kind) {
  case IR_EXPR_INDEX: *plain &= expr->type->kind == IR_TYPE_ARRAY; break;
  case IR_EXPR_INT:
  case IR_EXPR_VAR:
  case IR_EXPR_BUILTIN:
  case IR_EXPR_PAREN:
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
  case IR_EXPR_BINARY: break;
  default: *plain = false; break;
  }
}

/* Is it an element at a place that may be named twice? */
static bool is_place(const struct ir_expr *expr)
{
  bool plain = true;
  bool number = expr->kind == IR_EXPR_INDEX && !expr->type->is_volatile &&
                (expr->type->kind == IR_TYPE_INT || expr->type->kind == IR_TYPE_FLOAT);

  for (unsigned i = 0; number && i < expr->operand_count; i++)
    ir_visit_expr(expr->operands[i], note_load, &plain);
  return number && plain;
}

static struct ir_expr *copied(struct arena *arena, const struct ir_expr *expr)
{
  struct ir_expr *copy = ARENA_NEW(arena, struct ir_expr);

  *copy = *expr;
  copy->id = UINT32_MAX;
  copy->operands = arena_alloc(arena, (expr->operand_count + 1) * sizeof *copy->operands);
  for (unsigned i = 0; i < expr->operand_count; i++)
    copy->operands[i] = copied(arena, expr->operands[i]);
  return copy;
}

static struct ir_expr *taken_apart(struct arena *arena, struct ir_expr *expr)
{
  enum ir_op op = operation(expr);
  struct ir_expr *place = op == IR_OP_COUNT ? NULL : ir_strip(expr->operands[0]);

  if (!place || !is_place(place) || (expr->operand_count > 1 && ir_has_effects(expr->operands[1])))
    return NULL;
  struct ir_expr *by = expr->operand_count > 1 ? expr->operands[1] : ir_build_int(arena, 1);
  struct ir_expr *value =
      SEEDED(UPDATE_READS_NOTHING) ? by : ir_build_binary(arena, op, copied(arena, place), by);
  return ir_build_assign(arena, place, value);
}

struct ir_stmt *updates_apart(struct arena *arena, struct ir_stmt *stmt)
{
  if (!stmt) return NULL;
  struct ir_expr *expr =
      stmt->kind == IR_STMT_EXPR ? taken_apart(arena, ir_strip(stmt->expr)) : NULL;
  struct ir_stmt *copy = ir_copy_stmt(arena, stmt), **below;

  if (expr) copy->expr = expr;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = updates_apart(arena, *below);
  return copy;
}
