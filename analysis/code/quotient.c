/* SPDX-License-Identifier: MIT */
/* quotient.c - numbers that every thread of a block can compute, also one that the kernel lets
 * rest.
 *
 *     if (row < n) { int m = c / parts; for (k = 0; k < m; k++) ... }
 *         m is a number of all threads: they go through tiles of the loop together, and wait in it
 *
 * A division by 0 has no value in the kernel, and is never reached; a thread beside it computes
 * any.
 */
#include "analysis/code/code.h"

enum { MOST_DEPTH = 12 };

/* ---- quotients ---- */

/* `of_block`: numbers of the block, and quotients, count as well. */
static bool is_number(const struct ir_expr *expr, bool of_block, unsigned depth)
{
  bool quotient = of_block && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM);

  if (depth == MOST_DEPTH || expr->type->kind != IR_TYPE_INT) return false;
  switch (expr->kind) {
  case IR_EXPR_INT: return true;
  case IR_EXPR_VAR:
    return expr->var->kind == IR_VAR_PARAM && !expr->var->write_count && !expr->var->address_taken;
  case IR_EXPR_BUILTIN: return of_block && expr->value >= IR_BLOCK_IDX;
  case IR_EXPR_UNARY:
    return expr->op == IR_OP_NEG && is_number(expr->operands[0], of_block, depth + 1);
  case IR_EXPR_PAREN:
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: return is_number(expr->operands[0], of_block, depth + 1);
  case IR_EXPR_BINARY:
    return (quotient || expr->op == IR_OP_ADD || expr->op == IR_OP_SUB || expr->op == IR_OP_MUL) &&
           is_number(expr->operands[0], of_block, depth + 1) &&
           is_number(expr->operands[1], of_block, depth + 1);
  default: return false;
  }
}

bool code_is_launch_number(const struct ir_expr *expr) { return is_number(expr, false, 0); }

bool code_is_block_quotient(const struct ir_expr *expr)
{
  bool quotient = expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM);
  return quotient && is_number(expr, true, 0);
}

static struct ir_expr *replace_quotient(struct ir_rewriter *r, struct ir_expr *expr)
{
  return ir_may_trap(expr) && code_is_block_quotient(expr) ? code_safe_quotient(r->arena, expr)
                                                           : NULL;
}

struct ir_expr *code_safe_quotient(struct arena *arena, const struct ir_expr *quotient)
{
  struct ir_rewriter rewriter = {arena, replace_quotient, NULL};
  struct ir_expr *plain =
      ir_build_binary(arena, quotient->op, ir_rewrite_expr(&rewriter, quotient->operands[0]),
                      ir_rewrite_expr(&rewriter, quotient->operands[1]));

  plain->type = quotient->type;
  plain->place = quotient->place;
  return ir_build_safe_quotient(arena, plain);
}

/* ---- numbers for all ---- */

struct value_search {
  const struct code *code;
  const struct ir_var *var; /* whose values are looked at */
  unsigned depth;
  bool of_some;
};

static bool is_for_all(const struct code *code, struct ir_expr *expr, unsigned depth);

static void note_assigned(struct ir_expr *expr, void *context)
{
  struct value_search *s = context;

  if (expr->kind != IR_EXPR_ASSIGN || ir_assigned_var(expr) != s->var || s->of_some) return;
  s->of_some = ir_may_trap(expr) || !is_for_all(s->code, expr->operands[1], s->depth + 1);
}

static bool note_declared(struct ir_stmt *stmt, void *context)
{
  struct value_search *s = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var == s->var && stmt->expr && !s->of_some)
    s->of_some = !is_for_all(s->code, stmt->expr, s->depth + 1);
  return true;
}

/* Has a local of the expression a value which some threads must not compute? */
static void note_local(struct ir_expr *expr, void *context)
{
  struct value_search *all = context, s = {all->code, expr->var, all->depth, false};

  if (expr->kind != IR_EXPR_VAR || expr->var->kind != IR_VAR_LOCAL || all->of_some) return;
  ir_visit_stmts(s.code->facts.kernel->body, note_declared, &s);
  ir_visit_stmt_exprs(s.code->facts.kernel->body, note_assigned, &s);
  all->of_some = s.of_some;
}

static bool is_for_all(const struct code *code, struct ir_expr *expr, unsigned depth)
{
  struct value_search s = {.code = code, .depth = depth};

  if (depth == MOST_DEPTH || !code_is_harmless(expr, true)) return false;
  ir_visit_expr(expr, note_local, &s);
  return !s.of_some;
}

bool code_is_for_all(const struct code *code, struct ir_expr *expr)
{
  return is_for_all(code, expr, 0);
}
