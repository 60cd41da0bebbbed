/* SPDX-License-Identifier: MIT */
/* methods.c - bodies of member functions take the places of their calls, before anything is
 * planned.
 *
 *     struct rows { const float *a; int m;
 *                   __device__ float dot(int i, const float *x) const {
 *                     float s = 0;
 *                     for (int k = 0; k < m; k++) s += a[i * m + k] * x[k];
 *                     return s; } };
 *     y[i] = r.dot(i, x);
 *   =>
 *     float s = 0;
 *     for (int k = 0; k < r.m; k++) s += r.a[i * r.m + k] * x[k];
 *     y[i] = s;
 *
 * The members of a kernel's structures then become parameters (unit_part_parameters), as those
 * that the kernel names itself: so this comes in front of everything, and changes the unit. A call
 * becomes one of the method as a function (ir_function.as_function), the functions that inline
 * bodies do the rest (inline.c), and calls that are left become those of methods again. Requires: a
 * kernel or device function with a body. Gives up: as inline.c does; and all of a function where a
 * call is left of a method that only its class may call.
 */
#include <string.h>

#include "analysis/transform/inline/inline.h"
#include "runtime/seeded.h"

struct methods {
  struct unit *unit;
  LIST_OF(struct ir_function *) open; /* whose bodies are being looked through */
  bool any;                           /* a call has become one of a function */
};

static void look_through(struct methods *m, struct ir_function *function);

/* ---- calls of methods as calls of functions ---- */

static struct ir_function *function_of(const struct ir_expr *call)
{
  bool method =
      call->kind == IR_EXPR_CALL && call->is_method && call->callee && call->callee->as_function;
  bool unknown = method && (call->effect == IR_EFFECT_UNKNOWN || call->is_private);
  return unknown && call->operand_count == call->callee->as_function->param_count
             ? call->callee->as_function
             : NULL;
}

static struct ir_expr *object_of(struct arena *arena, struct ir_expr *object, bool is_arrow)
{
  struct ir_expr *bare = ir_strip(object);
  if (!is_arrow) return object;
  if (bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_ADDRESS) return bare->operands[0];
  struct ir_expr *expr = ir_build_unary(arena, IR_OP_DEREF, object);
  expr->type = bare->type->element;
  expr->place = object->place;
  return expr;
}

/* ---- objects of derived classes ---- */

struct offsets {
  const struct ir_var *object;
  bool fine;
};

static struct ir_expr *by_offset(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct offsets *o = r->context;
  if (expr->kind == IR_EXPR_VAR && expr->var == o->object) o->fine = false;
  if (expr->kind != IR_EXPR_MEMBER || !expr->operand_count || expr->is_arrow ||
      ir_strip(expr->operands[0])->kind != IR_EXPR_VAR ||
      ir_strip(expr->operands[0])->var != o->object)
    return NULL;
  struct ir_expr *copy = ARENA_NEW(r->arena, struct ir_expr);
  *copy = *expr;
  copy->is_private = true;
  o->fine &= expr->field_offset >= 0 && !strpbrk(expr->type->spelling, "([");
  return copy;
}

/* The function for an object of a class that may have other members of these names. NULL: it does
 * more than to name members. */
static struct ir_function *for_derived(struct arena *arena, const struct ir_function *function)
{
  struct offsets o = {function->params[function->param_count - 1], true};
  struct ir_rewriter rewriter = {arena, by_offset, &o};
  struct ir_function *copy = ir_copy_function(arena, function);
  copy->body = ir_rewrite_stmt(&rewriter, function->body);
  return o.fine ? copy : NULL;
}

/* The function that the call is one of. NULL: there is none. */
static struct ir_function *wanted_function(struct methods *m, const struct ir_expr *call)
{
  struct ir_function *function = function_of(call);
  if (!function) return NULL;
  const struct ir_type *type = ir_strip(call->operands[0])->type;
  if (type->kind == IR_TYPE_POINTER) type = type->element;
  const struct ir_type *object = function->params[function->param_count - 1]->type->element;
  if (ir_same_type(type, object)) return function;
  return type->is_copied ? for_derived(m->unit->arena, function) : NULL;
}

static struct ir_expr *to_function(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct methods *m = r->context;
  struct ir_function *function = wanted_function(m, expr);
  if (!function) return NULL;
  look_through(m, function);
  struct ir_expr *call = ARENA_NEW(r->arena, struct ir_expr);
  unsigned last = expr->operand_count - 1;
  *call = *expr;
  call->callee = function;
  call->effect = IR_EFFECT_CALLEE;
  call->is_method = call->is_arrow = false;
  call->by_value = expr->by_value >> 1;
  call->text = "";
  call->operands = arena_alloc(r->arena, expr->operand_count * sizeof *call->operands);
  for (unsigned i = 0; i < last; i++) call->operands[i] = ir_rewrite_expr(r, expr->operands[i + 1]);
  call->operands[last] = object_of(r->arena, ir_rewrite_expr(r, expr->operands[0]), expr->is_arrow);
  m->any = true;
  return call;
}

/* Turns the calls in the body; those of functions that are looked through call themselves. */
static void look_through(struct methods *m, struct ir_function *function)
{
  struct ir_rewriter rewriter = {m->unit->arena, to_function, m};
  for (unsigned i = 0; i < m->open.count; i++)
    if (m->open.items[i] == function) function->calls_itself = true;
  bool known =
      function->id < m->unit->functions.count && m->unit->functions.items[function->id] == function;
  if (function->calls_itself || known) return;
  function->id = m->unit->functions.count;
  *ARENA_PUSH(m->unit->arena, &m->unit->functions) = function;
  *ARENA_PUSH(m->unit->arena, &m->open) = function;
  function->body = ir_rewrite_stmt(&rewriter, function->body);
  ir_own_body(m->unit->arena, function);
  ir_note_usage_again(function);
  m->open.count--;
}

/* ---- and back ---- */

static struct ir_expr *to_method(struct ir_rewriter *r, struct ir_expr *expr)
{
  if (expr->kind != IR_EXPR_CALL || !expr->callee || !expr->callee->method_of) return NULL;
  struct ir_expr *call = ARENA_NEW(r->arena, struct ir_expr);
  struct ir_function *method = (struct ir_function *)expr->callee->method_of;
  unsigned last = expr->operand_count - 1;
  *call = *expr;
  call->callee = method;
  call->effect = IR_EFFECT_UNKNOWN;
  call->is_method = true;
  call->by_value = expr->by_value << 1;
  call->text = method->name;
  call->operands = arena_alloc(r->arena, expr->operand_count * sizeof *call->operands);
  for (unsigned i = 0; i < last; i++) call->operands[i + 1] = ir_rewrite_expr(r, expr->operands[i]);
  call->operands[0] = ir_rewrite_expr(r, expr->operands[last]);
  return call;
}

static void note_private(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_CALL && expr->is_private;
}

/* ---- the whole ---- */

struct before { /* a function, and its body as it was, with the numbers of its nodes */
  struct ir_function *function;
  struct ir_stmt *body;
  unsigned expr_count, stmt_count;
};

static void restore(const struct before *before)
{
  struct ir_function *function = before->function;
  function->body = before->body;
  if (!SEEDED(METHOD_COUNTS_LOST)) {
    function->expr_count = before->expr_count;
    function->stmt_count = before->stmt_count;
  }
  ir_note_usage_again(function);
}

static void inline_in(struct unit *unit, struct effects *effects, const struct before *before)
{
  struct ir_function *function = before->function;
  struct kernel_facts facts = {.kernel = function};
  struct remarks remarks = {0};
  struct draft draft = {0};
  struct ir_rewriter rewriter = {unit->arena, to_method, NULL};
  bool hidden = false;

  code_init(&draft.code, unit, effects, &facts, &remarks);
  draft.code.methods_only = true;
  bool any = inline_calls(&draft) > 0;
  struct ir_function *changed = draft.code.facts.kernel;
  code_finish(&draft.code);
  if (any) ir_visit_stmt_exprs(changed->body, note_private, &hidden);
  if (!any || hidden) {
    restore(before);
    return;
  }
  function->body = ir_rewrite_stmt(&rewriter, changed->body);
  function->vars = changed->vars;
  function->var_count = changed->var_count;
  for (unsigned i = 0; i < function->var_count; i++)
    if (function->vars[i]->function == changed) function->vars[i]->function = function;
  function->vs_uses = changed->vs_uses;
  function->vs_use_count = changed->vs_use_count;
  ir_own_body(unit->arena, function);
  ir_note_usage_again(function);
}

void inline_methods(struct unit *unit)
{
  struct methods m = {.unit = unit};
  struct ir_rewriter rewriter = {unit->arena, to_function, &m};
  struct effects effects;
  LIST_OF(struct before) all = {0};
  unsigned count = unit->functions.count;

  for (unsigned i = 0; i < count; i++) {
    struct ir_function *function = unit->functions.items[i];
    struct ir_stmt *body = function->body;
    if (!body || !(function->is_kernel || function->is_device)) continue;
    m.any = false;
    function->body = ir_rewrite_stmt(&rewriter, body);
    if (!m.any) function->body = body;
    if (!m.any) continue;
    *ARENA_PUSH(unit->arena, &all) =
        (struct before){function, body, function->expr_count, function->stmt_count};
    ir_own_body(unit->arena, function);
    ir_note_usage_again(function);
  }
  if (!all.count) return;
  effects_init(&effects, unit);
  for (unsigned i = 0; i < all.count; i++) inline_in(unit, &effects, &all.items[i]);
  unit->functions.count = count;
  unit_part_parameters(unit);
}
