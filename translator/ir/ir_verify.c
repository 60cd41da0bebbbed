/* SPDX-License-Identifier: MIT */
/* ir_verify.c - checks the invariants of ir.h, after each stage in debug builds and in the
 * tests. */
#include "translator/ir/ir.h"

struct verify {
  struct arena *arena;
  const struct ir_function *function;
  bool *expr_seen, *stmt_seen;
  const char *wrong; /* first violation */
};

static void check(struct verify *v, bool holds, const char *what, unsigned line)
{
  if (!holds && !v->wrong)
    v->wrong = arena_format(v->arena, "%s: %s (near line %u)", v->function->qualified, what, line);
}

static unsigned operands_wanted(const struct ir_expr *expr)
{
  switch (expr->kind) {
  case IR_EXPR_UNARY:
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: return 1;
  case IR_EXPR_BINARY:
  case IR_EXPR_ASSIGN:
  case IR_EXPR_INDEX: return 2;
  case IR_EXPR_COND: return 3;
  default: return expr->operand_count;
  }
}

static bool is_whole_type(const struct ir_type *type)
{
  if (!type || !type->spelling) return false;
  bool derived = type->kind == IR_TYPE_POINTER || type->kind == IR_TYPE_REFERENCE ||
                 type->kind == IR_TYPE_ARRAY;
  return !derived || is_whole_type(type->element);
}

static void verify_expr(struct ir_expr *expr, void *context)
{
  struct verify *v = context;
  unsigned line = expr->place.line;
  check(v, expr->kind < IR_EXPR_KIND_COUNT, "unknown expression kind", line);
  check(v, is_whole_type(expr->type), "expression without a type", line);
  check(v, expr->id < v->function->expr_count, "expression id out of range", line);
  if (expr->id < v->function->expr_count) {
    check(v, !v->expr_seen[expr->id], "expression shared between two parents", line);
    v->expr_seen[expr->id] = true;
  }
  check(v, expr->operand_count == operands_wanted(expr), "wrong number of operands", line);
  for (unsigned i = 0; i < expr->operand_count; i++)
    check(v, expr->operands[i] != NULL, "missing operand", line);
  if (expr->kind == IR_EXPR_VAR) check(v, expr->var != NULL, "variable reference to nothing", line);
  if (expr->kind == IR_EXPR_BUILTIN)
    check(v, expr->value < IR_BUILTIN_COUNT, "unknown builtin", line);
  if (expr->kind == IR_EXPR_CALL) {
    check(v, expr->text != NULL, "call without a callee text", line);
    check(v, expr->effect != IR_EFFECT_CALLEE || expr->callee, "effects of no function", line);
  }
  check(v, expr->kind != IR_EXPR_OPAQUE || !v->function->is_kernel, "opaque expression in a kernel",
        line);
  if (expr->kind == IR_EXPR_VAR && expr->var &&
      (expr->var->kind == IR_VAR_LOCAL || expr->var->kind == IR_VAR_PARAM))
    check(v, expr->var->id < v->function->var_count || expr->var->function != v->function,
          "local variable id out of range", line);
}

/* The step of the increment for the loop's iterator; false: it is not plainly a constant. */
static bool increment_of(const struct ir_stmt *stmt, int64_t *ret)
{
  const struct ir_expr *increment = stmt->increment ? ir_strip(stmt->increment) : NULL;
  const struct ir_expr *target =
      increment && increment->operand_count ? ir_strip(increment->operands[0]) : NULL;
  if (!target || target->kind != IR_EXPR_VAR || target->var != stmt->loop->iterator) return false;
  bool down = increment->op == IR_OP_PRE_DEC || increment->op == IR_OP_POST_DEC;
  if (increment->kind == IR_EXPR_UNARY) return *ret = down ? -1 : 1, true;
  bool adds = increment->op == IR_OP_ADD_ASSIGN, subtracts = increment->op == IR_OP_SUB_ASSIGN;
  if (increment->kind != IR_EXPR_ASSIGN || !(adds || subtracts) ||
      !ir_constant(increment->operands[1], ret))
    return false;
  if (subtracts) *ret = -*ret;
  return true;
}

static bool verify_stmt(struct ir_stmt *stmt, void *context)
{
  struct verify *v = context;
  unsigned line = stmt->place.line;
  check(v, stmt->kind < IR_STMT_KIND_COUNT, "unknown statement kind", line);
  check(v, stmt->id < v->function->stmt_count, "statement id out of range", line);
  if (stmt->id < v->function->stmt_count) {
    check(v, !v->stmt_seen[stmt->id], "statement shared between two parents", line);
    v->stmt_seen[stmt->id] = true;
  }
  if (stmt->kind == IR_STMT_DECL) check(v, stmt->var != NULL, "declaration of nothing", line);
  if (stmt->kind == IR_STMT_IF || stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE ||
      stmt->kind == IR_STMT_DO || stmt->kind == IR_STMT_SWITCH)
    check(v, stmt->body != NULL, "statement without a body", line);
  if (stmt->loop) {
    check(v, stmt->kind == IR_STMT_FOR, "loop on a statement that is no for", line);
    check(v, stmt->loop->iterator && stmt->loop->bound, "loop without iterator or bound", line);
    check(v, stmt->loop->step_expr || stmt->loop->step, "loop of step 0", line);
    int64_t step = 0;
    bool stepped = !stmt->loop->step_expr && increment_of(stmt, &step);
    check(v, !stepped || step == stmt->loop->step, "loop whose increment is not its step", line);
  }
  if (stmt->kind == IR_STMT_OPAQUE)
    check(v, !v->function->is_kernel, "opaque statement in a kernel", line);
  if (stmt->kind == IR_STMT_DECL && stmt->var)
    check(v, !v->function->is_kernel || !stmt->var->is_static, "static variable in a kernel", line);
  return !v->wrong;
}

const char *ir_verify_function(struct arena *arena, const struct ir_function *function)
{
  struct verify v = {.arena = arena, .function = function};
  check(&v, function->name && function->qualified, "function without a name", 0);
  check(&v, function->param_count <= function->var_count, "more parameters than variables", 0);
  for (unsigned i = 0; i < function->var_count; i++) {
    check(&v, function->vars[i]->id == i, "variable ids not dense", 0);
    check(&v, is_whole_type(function->vars[i]->type), "variable without a type", 0);
  }
  if (!function->body || v.wrong) return v.wrong;
  v.expr_seen = arena_alloc(arena, function->expr_count + 1);
  v.stmt_seen = arena_alloc(arena, function->stmt_count + 1);
  check(&v, function->body->kind == IR_STMT_BLOCK, "body is no block", function->body->place.line);
  ir_visit_stmts(function->body, verify_stmt, &v);
  if (!v.wrong) ir_visit_stmt_exprs(function->body, verify_expr, &v);
  return v.wrong;
}
