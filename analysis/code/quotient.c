/* SPDX-License-Identifier: MIT */
/* quotient.c - numbers that every thread of a block can compute, also one that the kernel lets
 * rest.
 *
 *     if (row < n) { int m = c / parts; for (k = 0; k < m; k++) ... }
 *         m is a number of all threads: they go through tiles of the loop together, and wait in it
 *
 * A division by 0 has no value in the kernel, and is never reached; a thread beside it computes 0.
 */
#include "analysis/code/code.h"

enum { MOST_DEPTH = 12 };

/* ---- quotients ---- */

static bool is_block_number(const struct ir_expr *expr, unsigned depth)
{
  if (depth == MOST_DEPTH || expr->type->kind != IR_TYPE_INT) return false;
  switch (expr->kind) {
  case IR_EXPR_INT: return true;
  case IR_EXPR_VAR:
    return expr->var->kind == IR_VAR_PARAM && !expr->var->write_count && !expr->var->address_taken;
  case IR_EXPR_BUILTIN: return expr->value >= IR_BLOCK_IDX;
  case IR_EXPR_PAREN:
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: return is_block_number(expr->operands[0], depth + 1);
  case IR_EXPR_BINARY:
    return (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB || expr->op == IR_OP_MUL ||
            code_is_block_quotient(expr)) &&
           is_block_number(expr->operands[0], depth + 1) &&
           is_block_number(expr->operands[1], depth + 1);
  default: return false;
  }
}

bool code_is_block_quotient(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM) &&
         is_block_number(expr->operands[0], 0) && is_block_number(expr->operands[1], 0);
}

static struct ir_expr *replace_quotient(struct ir_rewriter *r, struct ir_expr *expr)
{
  return ir_may_trap(expr) && code_is_block_quotient(expr) ? code_safe_quotient(r->arena, expr)
                                                           : NULL;
}

struct ir_expr *code_safe_quotient(struct arena *arena, const struct ir_expr *quotient)
{
  struct ir_rewriter rewriter = {arena, replace_quotient, NULL};
  struct ir_expr *a = ir_rewrite_expr(&rewriter, quotient->operands[0]),
                 *b = ir_rewrite_expr(&rewriter, quotient->operands[1]);
  struct ir_expr *zero = ir_build_cast(arena, ir_plain_type(arena, quotient->type),
                                       ir_build_int(arena, 0)),
                 *plain = ir_build_binary(arena, quotient->op, a, b);

  plain->type = quotient->type;
  plain->place = quotient->place;
  struct ir_expr *negated = ir_build_binary(arena, IR_OP_SUB, zero, a);
  negated->type = quotient->type;
  struct ir_expr *none = ir_build_binary(arena, IR_OP_EQ, b, ir_build_int(arena, 0)),
                 *one = ir_build_binary(arena, IR_OP_EQ, b, ir_build_int(arena, -1));
  if (b->type->is_signed)
    plain = ir_build_cond(arena, one, quotient->op == IR_OP_DIV ? negated : zero, plain);
  return ir_build_cond(arena, none, zero, plain);
}

/* ---- numbers for all ---- */

struct all_search {
  const struct code *code;
  unsigned depth;
  bool others;
};

static void note_others(struct ir_expr *expr, void *context);

static bool of_some(const struct all_search *s, struct ir_expr *value)
{
  struct all_search inner = {s->code, s->depth + 1, s->depth == MOST_DEPTH};

  if (!inner.others) ir_visit_expr(value, note_others, &inner);
  return inner.others;
}

struct value_search {
  const struct all_search *all;
  const struct ir_var *var;
  bool others;
};

static void note_assigned(struct ir_expr *expr, void *context)
{
  struct value_search *s = context;

  if (expr->kind != IR_EXPR_ASSIGN || ir_assigned_var(expr) != s->var || s->others) return;
  s->others = of_some(s->all, expr->operands[1]);
}

static bool note_declared(struct ir_stmt *stmt, void *context)
{
  struct value_search *s = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var == s->var && stmt->expr && !s->others)
    s->others = of_some(s->all, stmt->expr);
  return true;
}

/* Has the local a value, of all that it gets, which some threads must not compute? */
static bool is_of_some(const struct all_search *s, const struct ir_var *var)
{
  struct value_search values = {s, var, false};

  if (var->kind != IR_VAR_LOCAL) return false;
  ir_visit_stmts(s->code->facts.kernel->body, note_declared, &values);
  ir_visit_stmt_exprs(s->code->facts.kernel->body, note_assigned, &values);
  return values.others;
}

/* Is it a member of an object of the thread's own? */
static bool is_own_member(const struct ir_expr *expr)
{
  const struct ir_var *root = expr->kind == IR_EXPR_MEMBER ? ir_holder(expr) : NULL;
  return root && (root->kind == IR_VAR_PARAM || root->kind == IR_VAR_LOCAL);
}

static void note_others(struct ir_expr *expr, void *context)
{
  struct all_search *s = context;

  s->others |= (ir_may_trap(expr) && !code_is_block_quotient(expr)) ||
               expr->kind == IR_EXPR_INDEX ||
               (expr->kind == IR_EXPR_MEMBER && !is_own_member(expr)) ||
               (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF) ||
               (expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE) ||
               (!s->others && expr->kind == IR_EXPR_VAR && is_of_some(s, expr->var));
}

bool code_is_for_all(const struct code *code, struct ir_expr *expr)
{
  struct all_search s = {code, 0, false};

  ir_visit_expr(expr, note_others, &s);
  return !s.others;
}
