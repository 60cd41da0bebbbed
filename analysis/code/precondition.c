/* SPDX-License-Identifier: MIT */
/* precondition.c - arithmetic preconditions (multiples, alignment), and the condition that the
 * launch checks.
 *
 *     for (k = 0; k < n; k++), tiles of 16 iterations     =>     n % 16 == 0
 *     float4 copies of a[row * n + k]                     =>     n % 4 == 0 (follows),
 *         mesi_aligned(a)
 *
 * Requires: code that may assume (code->preconditions). An assumption is an expression of kernel
 * parameters that the kernel never assigns, so the host can evaluate it at any launch. Where the
 * device divides by a parameter, the host does so where that is no error:
 *
 *     C / NH     =>     NH == 0 || NH == 0 - 1 ? 0 - C : C / NH
 *
 * Gives up: values that depend on a block, a thread or memory, or one assumption too many.
 */
#include "analysis/code/precondition.h"

#include "analysis/data/version.h"

#include "runtime/seeded.h"

bool precondition_whole(const struct code *code)
{
  return code->preconditions && !code->preconditions->only_aligned;
}

/* ---- expressions of the host ---- */

struct host_search {
  struct code *code;
  bool failed;
};

static const struct scalar_fact *fact_of(const struct code *code, const struct ir_var *var)
{
  for (unsigned i = 0; i < code->facts.kernel->param_count; i++)
    if (code->facts.kernel->params[i] == var) return &code->facts.scalars[i];
  return NULL;
}

static bool is_host_operator(const struct ir_expr *expr)
{
  int64_t by;

  switch (expr->op) {
  case IR_OP_ADD:
  case IR_OP_SUB:
  case IR_OP_MUL: return true;
  case IR_OP_DIV:
  case IR_OP_REM: return ir_constant(expr->operands[1], &by) && by > 0;
  case IR_OP_SHL:
  case IR_OP_SHR: return ir_constant(expr->operands[1], &by) && by >= 0 && by < 31;
  default: return false;
  }
}

static struct ir_expr *host_var(struct host_search *s, struct ir_expr *expr)
{
  const struct ir_var *var = expr->var;
  const struct scalar_fact *fact = fact_of(s->code, var);

  if (var->type->kind != IR_TYPE_INT || var->address_taken) {
    s->failed = true;
  } else if (var->has_value) {
    return code_cast_value(s->code->arena, var, ir_build_int(s->code->arena, var->value));
  } else if (fact && !var->write_count) {
    if (!fact->known) return expr;
    struct ir_expr *number = ir_build_int(s->code->arena, fact->value);
    return code_cast_value(s->code->arena, var, number);
  } else if (var->kind == IR_VAR_LOCAL && var->write_count == 1 && var->init &&
             var->init->type->kind == IR_TYPE_INT && var->init->type->size == var->type->size &&
             var->init->type->is_signed == var->type->is_signed) {
    struct ir_expr *init = precondition_host_form(s->code, var->init);
    s->failed |= !init;
    return init ? init : expr;
  } else {
    s->failed = true;
  }
  return expr;
}

/* A quotient or remainder that the host may compute. For a division by zero the device has no value
 * to agree with. */
static struct ir_expr *host_quotient(struct host_search *s, struct ir_expr *expr)
{
  struct arena *arena = s->code->arena;
  struct ir_expr *left = precondition_host_form(s->code, expr->operands[0]),
                 *right = precondition_host_form(s->code, expr->operands[1]);

  s->failed |= !left || !right;
  if (s->failed) return expr;
  struct ir_expr *plain = ir_build_binary(arena, expr->op, left, right);
  plain->type = expr->type;
  return SEEDED(HOST_QUOTIENT_TRAPS) ? plain : ir_build_safe_quotient(arena, plain);
}

static bool divides(const struct ir_expr *expr)
{
  return expr->op == IR_OP_DIV || expr->op == IR_OP_REM;
}

static struct ir_expr *replace_host(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct host_search *s = r->context;

  switch (expr->kind) {
  case IR_EXPR_VAR: return host_var(s, expr);
  case IR_EXPR_INT:
  case IR_EXPR_PAREN: return NULL;
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST: s->failed |= expr->type->kind != IR_TYPE_INT; return NULL;
  case IR_EXPR_UNARY: s->failed |= expr->op != IR_OP_NEG; return NULL;
  case IR_EXPR_BINARY:
    if (divides(expr) && !is_host_operator(expr)) return host_quotient(s, expr);
    s->failed |= !is_host_operator(expr);
    return NULL;
  default: s->failed = true; return expr;
  }
}

struct ir_expr *precondition_host_form(struct code *code, struct ir_expr *expr)
{
  struct host_search s = {code, false};
  struct ir_rewriter rewriter = {code->arena, replace_host, &s};
  struct ir_expr *form = ir_rewrite_expr(&rewriter, expr);

  return s.failed ? NULL : form;
}

/* ---- multiples ---- */

static int64_t common_multiple(int64_t a, int64_t b)
{
  int64_t x = a, y = b;

  while (y) {
    int64_t rest = x % y;
    x = y;
    y = rest;
  }
  return a / x * b;
}

static bool has_factor(struct ir_expr *expr, int64_t of)
{
  int64_t factor;

  expr = ir_strip(expr);
  bool wraps = !expr->type->is_signed && (of & (of - 1)); /* modulo 2^32 only multiples of powers of
                                                           * two stay multiples */
  return expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL && !wraps &&
         ((ir_constant(expr->operands[0], &factor) && factor % of == 0) ||
          (ir_constant(expr->operands[1], &factor) && factor % of == 0));
}

static bool add_multiple(struct preconditions *all, struct ir_expr *expr, int64_t of)
{
  for (unsigned i = 0; i < all->multiple_count; i++)
    if (ir_same_expr(all->multiples[i].expr, expr)) {
      all->multiples[i].of = common_multiple(all->multiples[i].of, of);
      return true;
    }
  if (all->multiple_count == MOST_PRECONDITIONS) return false;
  all->multiples[all->multiple_count++] = (struct multiple){expr, of};
  return true;
}

bool precondition_same(const struct preconditions *all, const struct preconditions *more)
{
  bool same = all->multiple_count == more->multiple_count &&
              all->aligned_count == more->aligned_count && all->guard_count == more->guard_count;

  for (unsigned i = 0; same && i < all->multiple_count; i++)
    same = all->multiples[i].of == more->multiples[i].of;
  return same;
}

bool precondition_multiple(struct code *code, struct ir_expr *expr, int64_t of)
{
  struct ir_expr *form = code->preconditions ? precondition_host_form(code, expr) : NULL;
  int64_t value;

  if (!form || of < 1) return false;
  if (ir_constant(form, &value)) return value % of == 0;
  return of == 1 || has_factor(form, of) || add_multiple(code->preconditions, form, of);
}

/* ---- alignment ---- */

static bool add_aligned(struct preconditions *all, struct ir_var *pointer)
{
  for (unsigned i = 0; i < all->aligned_count; i++)
    if (all->aligned[i] == pointer) return true;
  if (all->aligned_count == MOST_PRECONDITIONS) return false;
  all->aligned[all->aligned_count++] = pointer;
  return true;
}

bool precondition_aligned(struct code *code, struct ir_var *pointer)
{
  bool fixed = pointer->kind == IR_VAR_PARAM && !pointer->write_count && !pointer->address_taken;
  return code->preconditions && fixed && add_aligned(code->preconditions, pointer);
}

/* ---- the condition ---- */

struct naming { /* the names of one version's quantities at the launch */
  struct arena *arena;
  const struct geometry *geometry;
  /* The version's parameters for totals, and those that the launch knows. */
  struct ir_var *const *own, *const *totals;
};

static struct ir_expr *uncast(struct ir_expr *expr)
{
  expr = ir_strip(expr);
  while (expr->kind == IR_EXPR_CAST) expr = ir_strip(expr->operands[0]);
  return expr;
}

/* The axis of a gridDim; -1: the expression is none. */
static int grid_axis(struct ir_expr *expr)
{
  expr = uncast(expr);
  bool is =
      expr->kind == IR_EXPR_BUILTIN && expr->value >= IR_GRID_DIM && expr->value < IR_GRID_DIM + 2;
  return is ? (int)expr->value - IR_GRID_DIM : -1;
}

/* Replaces gridDim times the block's elements by the total, and gridDim by the total over them. */
static struct ir_expr *replace_grid(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct naming *n = r->context;

  if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL)
    for (unsigned i = 0; i < 2; i++) {
      int axis = grid_axis(expr->operands[i]);
      int64_t by;
      if (axis >= 0 && n->totals[axis] && ir_constant(expr->operands[1 - i], &by) &&
          by == n->geometry->block[axis])
        return ir_build_var(n->arena, n->totals[axis]);
    }
  const struct ir_expr *bare = uncast(expr);
  if (bare->kind == IR_EXPR_BUILTIN && bare->value == IR_GRID_DIM + 2 && !SEEDED(LAYERS_OF_DEVICE))
    return ir_build_var(n->arena, &version_total_z);
  int axis = grid_axis(expr);
  if (axis >= 0 && n->totals[axis])
    return ir_build_binary(n->arena, IR_OP_DIV, ir_build_var(n->arena, n->totals[axis]),
                           ir_build_int(n->arena, n->geometry->block[axis]));
  for (axis = 0; axis < 2; axis++)
    if (expr->kind == IR_EXPR_VAR && expr->var == n->own[axis])
      return ir_build_var(n->arena, n->totals[axis]);
  return NULL;
}

static bool is_int_var(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_VAR && ir_type_is_int(expr->var->type);
}

/* Drops the casts from comparisons of two ints. */
static struct ir_expr *compared(struct arena *arena, struct ir_expr *guard)
{
  if (guard->kind != IR_EXPR_BINARY || guard->operand_count != 2) return guard;
  struct ir_expr *left = guard->operands[0], *right = guard->operands[1];
  if (guard->op == IR_OP_LAND)
    return ir_build_binary(arena, IR_OP_LAND, compared(arena, left), compared(arena, right));
  bool plain = guard->op == IR_OP_GE && is_int_var(uncast(left)) && is_int_var(uncast(right));
  return plain ? ir_build_binary(arena, IR_OP_GE, uncast(left), uncast(right)) : guard;
}

static bool add_guard(struct preconditions *all, struct ir_expr *guard)
{
  for (unsigned i = 0; i < all->guard_count; i++)
    if (ir_same_expr(all->guards[i], guard)) return true;
  if (all->guard_count == MOST_PRECONDITIONS) return false;
  all->guards[all->guard_count++] = guard;
  return true;
}

bool precondition_at_least(struct code *code, struct ir_expr *expr, int64_t least)
{
  struct ir_expr *form = code->preconditions ? precondition_host_form(code, expr) : NULL;
  int64_t value;

  if (!form) return false;
  if (ir_constant(form, &value)) return value >= least;
  return add_guard(code->preconditions,
                   ir_build_binary(code->arena, IR_OP_GE, form, ir_build_int(code->arena, least)));
}

static void note_layers(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_BUILTIN && expr->value == IR_GRID_DIM + 2;
}

static struct ir_expr *replace_own(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct naming *n = r->context;

  for (int axis = 0; axis < 2; axis++)
    if (expr->kind == IR_EXPR_VAR && n->own[axis] && expr->var == n->own[axis])
      return ir_build_var(n->arena, n->totals[axis]);
  return NULL;
}

struct ir_expr *precondition_in_totals(struct arena *arena, struct ir_expr *expr,
                                       struct ir_var *const own[2], struct ir_var *const totals[2])
{
  struct naming naming = {arena, NULL, own, totals};
  struct ir_rewriter rewriter = {arena, replace_own, &naming};

  return expr && !SEEDED(TOTALS_APART) ? ir_rewrite_expr(&rewriter, expr) : expr;
}

bool precondition_also(struct arena *arena, struct preconditions *all,
                       const struct preconditions *from, const struct geometry *geometry,
                       struct ir_var *const own[2], struct ir_var *const totals[2])
{
  struct naming naming = {arena, geometry, own, totals};
  struct ir_rewriter rewriter = {arena, replace_grid, &naming};
  bool fits = true, asks_layers = false;

  for (unsigned i = 0; i < from->guard_count; i++)
    ir_visit_expr(from->guards[i], note_layers, &asks_layers);
  if (asks_layers && geometry->layers > 1) return false; /* gridDim.z are groups of layers */
  for (unsigned i = 0; i < from->guard_count; i++)
    fits &= add_guard(all, compared(arena, ir_rewrite_expr(&rewriter, from->guards[i])));
  for (unsigned i = 0; i < from->multiple_count; i++)
    fits &= add_multiple(all, ir_rewrite_expr(&rewriter, from->multiples[i].expr),
                         from->multiples[i].of);
  for (unsigned i = 0; i < from->aligned_count; i++) fits &= add_aligned(all, from->aligned[i]);
  return fits;
}

struct ir_expr *precondition_condition(struct arena *arena, const struct preconditions *all)
{
  struct ir_expr *condition = NULL;

  for (unsigned i = 0; i < all->multiple_count; i++) {
    struct ir_expr *rest = ir_build_binary(arena, IR_OP_REM, all->multiples[i].expr,
                                           ir_build_int(arena, all->multiples[i].of));
    condition = ir_build_both(arena, condition,
                              ir_build_binary(arena, IR_OP_EQ, rest, ir_build_int(arena, 0)));
  }
  for (unsigned i = 0; i < all->guard_count; i++)
    condition = ir_build_both(arena, condition, all->guards[i]);
  for (unsigned i = 0; i < all->aligned_count; i++) {
    struct ir_expr *call = ir_build_call(arena, "mesi_aligned", IR_EFFECT_NONE);
    call->type = ir_bool_type();
    ir_add_argument(arena, call, ir_build_var(arena, all->aligned[i]));
    condition = ir_build_both(arena, condition, call);
  }
  return condition;
}
