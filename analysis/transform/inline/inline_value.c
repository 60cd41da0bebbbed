/* SPDX-License-Identifier: MIT */
/* inline_value.c - calls of functions that come to one expression.
 *
 *     __device__ float at(const float *p, int i, int n) { return p[i < n ? i : n - 1]; }
 *     at(a, i + 1, n)          =>     a[i + 1 < n ? i + 1 : n - 1]
 *
 *     if (i < 0) return 0; if (i >= n) return n - 1; return i;
 *                              =>     i < 0 ? 0 : i >= n ? n - 1 : i
 *
 * The expression evaluates no more than the function does, so it may also stand under a condition.
 * Gives up: the function has an effect of its own, an argument has one, or an expensive argument
 * would be evaluated several times.
 */
#include "analysis/transform/inline/inline.h"
#include "runtime/seeded.h"

enum { MOST_NODES = 6, MOST_RETURNS = 8 };

struct binding { /* of a function's parameters */
  struct arena *arena;
  const struct ir_function *callee;
  struct ir_expr **values; /* by parameter */
};

static bool is_number(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL;
}

struct ir_expr *inline_converted(struct arena *arena, struct ir_expr *value,
                                 const struct ir_type *type)
{
  struct ir_expr *bare = ir_strip(value);

  if (!is_number(type) || !is_number(bare->type)) return value;
  if (ir_same_type(bare->type, type) || SEEDED(INLINE_CONVERSION_LOST)) return bare;
  return ir_build_cast(arena, ir_plain_type(arena, type), bare);
}

/* ---- find ---- */

static bool is_empty(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_NULL || (stmt->kind == IR_STMT_BLOCK && !stmt->child_count);
}

/* The value of statements that only return one, from the first of `count` on. NULL: they do
 * more. */
static struct ir_expr *value_of(struct arena *arena, const struct ir_function *callee,
                                struct ir_stmt **stmts, unsigned count, unsigned *left)
{
  struct ir_stmt *stmt;

  while (count && is_empty(*stmts)) stmts++, count--;
  if (!count || !(*left)--) return NULL;
  stmt = *stmts;
  if (stmt->kind == IR_STMT_RETURN)
    return stmt->expr ? inline_converted(arena, stmt->expr, callee->result) : NULL;
  if (stmt->kind == IR_STMT_BLOCK)
    return value_of(arena, callee, stmt->children, stmt->child_count, left);
  if (stmt->kind != IR_STMT_IF || !is_number(callee->result)) return NULL;
  struct ir_expr *yes = value_of(arena, callee, &stmt->body, 1, left);
  struct ir_expr *no = stmt->else_body ? value_of(arena, callee, &stmt->else_body, 1, left)
                                       : value_of(arena, callee, stmts + 1, count - 1, left);
  if (!yes || !no) return NULL;
  struct ir_expr *value = ir_build_cond(arena, stmt->expr, yes, no);
  value->type = ir_plain_type(arena, callee->result);
  return value;
}

/* ---- legal ---- */

struct cost {
  unsigned nodes;
  bool loads;
};

static void note_cost(struct ir_expr *expr, void *context)
{
  struct cost *cost = context;

  cost->nodes++;
  cost->loads |= expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_CALL ||
                 expr->kind == IR_EXPR_MEMBER ||
                 (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF);
}

static bool is_cheap(struct ir_expr *expr)
{
  struct cost cost = {0};

  ir_visit_expr(expr, note_cost, &cost);
  return !cost.loads && cost.nodes <= MOST_NODES;
}

struct use_count {
  const struct ir_var *var;
  unsigned count;
};

static void count_use(struct ir_expr *expr, void *context)
{
  struct use_count *u = context;
  u->count += expr->kind == IR_EXPR_VAR && expr->var == u->var;
}

/* The argument, fit for the place of each use of the parameter. NULL: it does not fit. */
static struct ir_expr *bound(struct arena *arena, const struct ir_var *param,
                             struct ir_expr *argument, struct ir_expr *value, bool place)
{
  const struct ir_type *type = param->type;
  struct use_count uses = {param, 0};

  ir_visit_expr(value, count_use, &uses);
  if (place) return ir_strip(argument);
  if (param->address_taken || ir_has_effects(argument) || (uses.count > 1 && !is_cheap(argument)))
    return NULL;
  if (type->kind == IR_TYPE_REFERENCE) type = type->element;
  struct ir_expr *bare = ir_strip(argument);
  if (is_number(type))
    return is_number(bare->type) ? inline_converted(arena, argument, type) : NULL;
  if (type->kind == IR_TYPE_POINTER)
    return bare->type->element && ir_same_type(bare->type->element, type->element) ? argument
                                                                                   : NULL;
  return ir_same_type(bare->type, type) ? bare : NULL;
}

struct purity {
  struct code *code;
  bool lost;
};

static void note_purity(struct ir_expr *expr, void *context)
{
  struct purity *p = context;
  bool own = expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_CALLEE && expr->callee &&
             effects_none(effects_of(p->code->effects, expr->callee));
  bool call = expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE &&
              expr->effect != IR_EFFECT_LOAD && !own;

  p->lost |=
      expr->kind == IR_EXPR_ASSIGN || expr->kind == IR_EXPR_OPAQUE || call || ir_is_step(expr);
}

/* Do the expression, and the functions that it calls, only load and compute? */
static bool only_computes(struct code *code, struct ir_expr *expr)
{
  struct purity purity = {code, false};

  ir_visit_expr(expr, note_purity, &purity);
  return !purity.lost;
}

/* Is the value an element, to which a reference may be returned? */
static bool is_element(struct ir_expr *value, const struct ir_type *result)
{
  const struct ir_expr *bare = ir_strip(value);
  bool element = bare->kind == IR_EXPR_INDEX || bare->kind == IR_EXPR_MEMBER ||
                 (bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_DEREF);

  return element && ir_same_type(bare->type, result->element);
}

/* ---- build ---- */

/* Replaces calls in the value that come to one expression themselves. */
static struct ir_expr *replace_call(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct code *code = r->context;

  if (!inline_is_wanted(code, expr) || inline_obstacle(code, expr)) return NULL;
  return inline_value(code, expr);
}

static struct ir_expr *replace_param(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct binding *b = r->context;

  if (expr->kind != IR_EXPR_VAR) return NULL;
  for (unsigned i = 0; i < b->callee->param_count; i++)
    if (expr->var == b->callee->params[i]) return b->values[i];
  return NULL;
}

struct ir_expr *inline_value(struct code *code, struct ir_expr *call)
{
  const struct ir_function *callee = call->callee;
  struct arena *arena = code->arena;
  struct binding b = {arena, callee, NULL};
  unsigned left = MOST_RETURNS;

  if (callee->result->kind == IR_TYPE_VOID) return NULL;
  struct ir_expr *value = value_of(arena, callee, (struct ir_stmt **)&callee->body, 1, &left);
  struct ir_rewriter calls = {arena, replace_call, code};
  value = value ? ir_rewrite_expr(&calls, value) : NULL;
  if (!value || !only_computes(code, value)) return NULL;
  if (callee->result->kind == IR_TYPE_REFERENCE && !is_element(value, callee->result)) return NULL;
  b.values = arena_alloc(arena, (callee->param_count + 1) * sizeof *b.values);
  for (unsigned i = 0; i < callee->param_count; i++) {
    b.values[i] =
        bound(arena, callee->params[i], call->operands[i], value,
              callee->params[i]->type->kind == IR_TYPE_REFERENCE && inline_is_place(code, call, i));
    if (!b.values[i]) return NULL;
  }
  inline_take_names(code, callee);
  struct ir_rewriter rewriter = {arena, replace_param, &b};
  return ir_rewrite_expr(&rewriter, value);
}
