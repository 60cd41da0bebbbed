/* SPDX-License-Identifier: MIT */
/* row_names.c - indices in the place of locals of a loop that only name them.
 *
 *     for (j ...) {                                   for (j ...)
 *       int at = row * n + j;                =>         y[row * n + j] = x[row * n + j] * s;
 *       y[at] = x[at] * s;
 *     }
 *
 * The passes of a row find an element again by its expression. Requires: shaped code, in front of
 * its scan. A local stays where its value has a load, a call, or a variable that changes beside
 * iterators.
 */
#include "analysis/code/loop.h"
#include "analysis/code/shape_linear.h"
#include "analysis/transform/row_team/row_team.h"

struct naming {
  struct code *code;
  bool *in_loop; /* by variable id: a loop's body declares it */
  bool *counts;  /* ... a loop in canonical form counts it */
};

static bool note_declared(struct ir_stmt *stmt, void *context)
{
  struct naming *n = context;

  if (stmt->kind == IR_STMT_DECL) n->in_loop[stmt->var->id] = true;
  return true;
}

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  struct naming *n = context;

  if (loop_is_one(stmt)) ir_visit_stmts(stmt->body, note_declared, n);
  if (stmt->kind == IR_STMT_FOR && stmt->loop && stmt->loop->lower)
    n->counts[stmt->loop->iterator->id] = true;
  return true;
}

struct value_search {
  const struct naming *n;
  bool changes;
};

static void note_change(struct ir_expr *expr, void *context)
{
  struct value_search *s = context;
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;
  bool param = var && var->kind == IR_VAR_PARAM && !var->write_count,
       local = var && var->kind == IR_VAR_LOCAL && (var->write_count <= 1 || s->n->counts[var->id]);

  s->changes |= expr->kind == IR_EXPR_CALL || expr->kind == IR_EXPR_INDEX ||
                expr->kind == IR_EXPR_MEMBER ||
                (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF) ||
                (var && (var->address_taken || (!param && !local)));
}

/* The index that the local stands for. NULL: it is no such local. */
static struct ir_expr *named_index(const struct naming *n, const struct ir_var *var)
{
  struct ir_expr *value =
      var->kind == IR_VAR_LOCAL && n->in_loop[var->id] && linear_is_index_type(var->type)
          ? code_value_of(n->code, var)
          : NULL;
  struct value_search s = {n, value && ir_has_effects(value)};

  if (!value) return NULL;
  ir_visit_expr(value, note_change, &s);
  return s.changes ? NULL : value;
}

static struct ir_expr *replace_name(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct naming *n = r->context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? named_index(n, expr->var) : NULL;

  return value ? code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value)) : NULL;
}

static struct ir_expr *replace_index(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct ir_rewriter names = {r->arena, replace_name, r->context};

  if (expr->kind != IR_EXPR_INDEX) return NULL;
  struct ir_expr *base = ir_rewrite_expr(r, expr->operands[0]),
                 *index = ir_rewrite_expr(&names, expr->operands[1]);
  if (base == expr->operands[0] && index == expr->operands[1]) return expr;
  struct ir_expr *ret = ir_build_index(r->arena, base, index);
  ret->type = expr->type;
  ret->place = expr->place;
  return ret;
}

void row_team_names(struct code *code)
{
  struct ir_function *kernel = code->facts.kernel;
  struct naming n = {code, arena_alloc(code->arena, kernel->var_count + 1),
                     arena_alloc(code->arena, kernel->var_count + 1)};
  struct ir_rewriter rewriter = {code->arena, replace_index, &n};

  ir_visit_stmts(kernel->body, note_loop, &n);
  kernel->body = ir_rewrite_stmt(&rewriter, kernel->body);
}
