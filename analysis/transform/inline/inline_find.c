/* SPDX-License-Identifier: MIT */
/* inline_find.c - the calls of a kernel whose bodies its analysis needs.
 *
 *     y[i] = dot(a + i * n, b, n);     dot gets arrays
 *     x[clamp(i - 1, n)]               clamp has several returns or limits, and its value is an
 *                                      index
 *     int i = thread();                thread names threadIdx and its like
 *     s += square(x[i]);               square has a power that becomes products (-O3)
 *     s += expf(x[i]);                 unchanged: a function of numbers
 */
#include <string.h>

#include "analysis/transform/inline/inline.h"
#include "analysis/transform/powers/powers.h"

static bool is_pointer(const struct ir_type *type)
{
  return type->kind == IR_TYPE_POINTER || type->kind == IR_TYPE_ARRAY;
}

static bool gets_memory(const struct ir_expr *call)
{
  for (unsigned i = 0; i < call->operand_count; i++)
    if (is_pointer(call->operands[i]->type) ||
        call->callee->params[i]->type->kind == IR_TYPE_REFERENCE)
      return true;
  return false;
}

/* The walk puts a single returned expression in the call's place by itself. */
static bool is_expression(const struct ir_function *function)
{
  const struct ir_stmt *body = function->body;

  while (body->kind == IR_STMT_BLOCK && body->child_count == 1) body = body->children[0];
  return body->kind == IR_STMT_RETURN;
}

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |=
      stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  return true;
}

static void note_limit(struct ir_expr *expr, void *context)
{
  bool call = expr->kind == IR_EXPR_CALL && !expr->callee && expr->text;

  *(bool *)context |= expr->kind == IR_EXPR_COND ||
                      (call && (!strcmp(expr->text, "min") || !strcmp(expr->text, "max")));
}

/* Does it keep an index within limits? A mapping asks in the code whether they matter. */
static bool keeps_within(const struct ir_function *function)
{
  bool limits = false;

  ir_visit_stmt_exprs(function->body, note_limit, &limits);
  return limits;
}

/* May the walk follow the function's value? It does not follow the result of a loop. */
static bool gives_index(const struct ir_function *function)
{
  bool loops = false;

  ir_visit_stmts(function->body, note_loop, &loops);
  return function->result->kind == IR_TYPE_INT && !loops &&
         (!is_expression(function) || keeps_within(function));
}

static void note_builtin(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_BUILTIN;
}

/* The kernel owns the indices of threads and blocks: a mapping replaces them. */
static bool names_index(const struct ir_function *function)
{
  bool named = false;

  ir_visit_stmt_exprs(function->body, note_builtin, &named);
  return named;
}

bool inline_is_wanted(struct code *code, const struct ir_expr *call)
{
  const struct ir_function *callee = call->callee;

  if (call->kind != IR_EXPR_CALL || call->effect != IR_EFFECT_CALLEE || !callee || !callee->body ||
      callee->is_model || call->is_method || callee->param_count != call->operand_count)
    return false;
  if (code->methods_only) return callee->method_of != NULL;
  const struct function_effects *effects = effects_of(code->effects, call->callee);
  return gets_memory(call) || effects->uses.count || gives_index(callee) || names_index(callee) ||
         (code->reorders && power_is_in(code->arena, callee->body));
}

static bool chooses(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_COND ||
         (expr->kind == IR_EXPR_BINARY &&
          (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR || expr->op == IR_OP_COMMA));
}

void inline_find_calls(struct code *code, struct ir_expr *expr, struct inline_calls *ret)
{
  if (!expr) return;
  if (expr->kind == IR_EXPR_ASSIGN) { /* its value comes first */
    inline_find_calls(code, expr->operands[1], ret);
    inline_find_calls(code, expr->operands[0], ret);
    return;
  }
  for (unsigned i = 0; i < (chooses(expr) ? 1 : expr->operand_count); i++)
    inline_find_calls(code, expr->operands[i], ret);
  if (inline_is_wanted(code, expr)) *ARENA_PUSH(code->arena, &ret->list) = expr;
}

struct wanted_search {
  struct code *code;
  struct ir_expr *found;
};

static void note_wanted(struct ir_expr *expr, void *context)
{
  struct wanted_search *s = context;

  if (!s->found && inline_is_wanted(s->code, expr)) s->found = expr;
}

struct ir_expr *inline_any_call(struct code *code, struct ir_expr *expr)
{
  struct wanted_search s = {code, NULL};

  if (expr) ir_visit_expr(expr, note_wanted, &s);
  return s.found;
}
