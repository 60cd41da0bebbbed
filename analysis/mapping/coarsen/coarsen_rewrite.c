/* SPDX-License-Identifier: MIT */
/* coarsen_rewrite.c - the code of one instance, and the loops over instances.
 *
 *     sum += a * b, sum over x and y, a over y, b over x
 *   =>
 *     #pragma unroll
 *     for (int _y = 0; _y < 8; _y++)
 *       #pragma unroll
 *       for (int _x = 0; _x < 8; _x++)
 *         sum[_y][_x] += a[_y] * b[_x];
 *
 * Instance _x of a thread is the virtual thread _x / V * V * threads + threadIdx.x * V + _x % V: it
 * has V neighbours at a time. So a thread reads and writes 16 bytes, and neighbouring threads
 * access the bytes beside them.
 */
#include "analysis/mapping/coarsen/coarsen.h"
#include "runtime/seeded.h"

static struct ir_expr *number(struct coarsening *e, int64_t value)
{
  return ir_build_int(e->arena, value);
}

static struct ir_expr *binary(struct coarsening *e, enum ir_op op, struct ir_expr *left,
                              struct ir_expr *right)
{
  return ir_build_binary(e->arena, op, left, right);
}

/* The threadIdx of the virtual block along an axis. */
static struct ir_expr *virtual_thread(struct coarsening *e, int axis)
{
  int64_t vector = e->geometry->vector[axis], threads = e->geometry->threads[axis];
  struct ir_expr *own = ir_build_cast(
      e->arena, ir_int_type(), ir_build_builtin(e->arena, (enum ir_builtin)(IR_THREAD_IDX + axis)));
  struct ir_expr *counter = ir_build_var(e->arena, e->counter[axis]),
                 *first = e->from_thread && !axis ? own : ir_build_var(e->arena, e->origin[axis]);

  if (vector == e->factor[axis] || SEEDED(INSTANCES_ADJACENT))
    return binary(e, IR_OP_ADD, first, counter);
  if (vector == 1)
    return binary(e, IR_OP_ADD, first, binary(e, IR_OP_MUL, counter, number(e, threads)));
  struct ir_expr *group = binary(e, IR_OP_MUL, binary(e, IR_OP_DIV, counter, number(e, vector)),
                                 number(e, vector * threads));
  return binary(e, IR_OP_ADD, binary(e, IR_OP_ADD, first, group),
                binary(e, IR_OP_REM, counter, number(e, vector)));
}

struct ir_expr *coarsen_element(struct coarsening *e, struct ir_var *array, unsigned axes)
{
  struct ir_expr *element = ir_build_var(e->arena, array);

  for (int axis = 1; axis >= 0; axis--)
    if (axes & (1u << axis))
      element = ir_build_index(e->arena, element, ir_build_var(e->arena, e->counter[axis]));
  return element;
}

static struct ir_expr *replace(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct coarsening *e = r->context;

  if (ir_may_trap(expr) && code_is_block_quotient(expr)) return code_safe_quotient(e->arena, expr);
  if (expr->kind == IR_EXPR_BUILTIN && expr->value < IR_THREAD_IDX + 2 &&
      (e->active & (1u << expr->value)))
    return virtual_thread(e, (int)expr->value);
  if (expr->kind == IR_EXPR_VAR && expr->var == e->code->lane && e->code->lane)
    return ir_build_var(e->arena, e->counter[0]);
  for (int axis = 0; axis < 2; axis++)
    if (expr->kind == IR_EXPR_VAR && expr->var == e->code->instance[axis])
      return ir_build_var(e->arena, e->counter[axis]);
  if (expr->kind == IR_EXPR_VAR && coarsen_owns(e, expr->var) && e->array[expr->var->id])
    return coarsen_element(e, e->array[expr->var->id],
                           instances_of_var(&e->in, expr->var) & e->active);
  return NULL;
}

struct ir_expr *coarsen_expr(struct coarsening *e, struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {e->arena, replace, e};
  return ir_rewrite_expr(&rewriter, expr);
}

struct ir_stmt *coarsen_stmt(struct coarsening *e, struct ir_stmt *stmt)
{
  struct ir_rewriter rewriter = {e->arena, replace, e};
  return ir_rewrite_stmt(&rewriter, stmt);
}

struct ir_var *coarsen_array(struct coarsening *e, const char *name, const struct ir_type *type,
                             unsigned axes)
{
  type = ir_plain_type(e->arena, type);
  for (int axis = 0; axis < 2; axis++)
    if (axes & (1u << axis)) type = ir_build_array_type(e->arena, type, e->factor[axis]);
  return ir_add_local(e->arena, e->code->facts.kernel, name, type);
}

/* ---- declarations that are repeated ---- */

struct needed {
  struct coarsening *e;
  bool *vars;
  bool changed;
};

static void note_needed(struct ir_expr *expr, void *context)
{
  struct needed *n = context;

  if (expr->kind == IR_EXPR_VAR && coarsen_owns(n->e, expr->var) && n->e->remade[expr->var->id] &&
      !n->vars[expr->var->id])
    n->vars[expr->var->id] = n->changed = true;
}

struct repeating {
  struct coarsening *e;
  bool *vars; /* that are still to be declared */
  struct ir_list *out;
};

static void repeat_operand(struct ir_expr *expr, void *context);

/* Declares the local behind those that its value is made of. */
static void repeat(struct repeating *r, unsigned var)
{
  r->vars[var] = false;
  ir_visit_expr(r->e->remade[var]->expr, repeat_operand, r);
  ir_list_add(r->e->arena, r->out, coarsen_stmt(r->e, r->e->remade[var]));
}

static void repeat_operand(struct ir_expr *expr, void *context)
{
  struct repeating *r = context;

  if (expr->kind == IR_EXPR_VAR && coarsen_owns(r->e, expr->var) && r->vars[expr->var->id])
    repeat(r, expr->var->id);
}

static void add_remade(struct coarsening *e, const struct ir_list *uses, struct ir_list *out)
{
  struct needed n = {e, arena_alloc(e->arena, e->var_count + 1), false};

  for (unsigned i = 0; i < uses->items.count; i++)
    ir_visit_stmt_exprs(uses->items.items[i], note_needed, &n);
  do {
    n.changed = false;
    for (unsigned v = 0; v < e->var_count; v++)
      if (n.vars[v]) ir_visit_expr(e->remade[v]->expr, note_needed, &n);
  } while (n.changed);
  struct repeating r = {e, n.vars, out};
  for (unsigned v = 0; v < e->var_count; v++)
    if (n.vars[v]) repeat(&r, v);
}

void coarsen_loops(struct coarsening *e, unsigned axes, struct ir_list *body,
                   const struct ir_list *uses, struct ir_list *out)
{
  struct ir_list inner = {0};

  add_remade(e, uses, &inner);
  for (unsigned i = 0; i < body->items.count; i++)
    ir_list_add(e->arena, &inner, body->items.items[i]);
  if (axes && !(axes & ~e->around)) {
    ir_list_add(e->arena, out, ir_build_block(e->arena, &inner));
    return;
  }
  axes &= ~e->around;
  if (!axes) {
    for (unsigned i = 0; i < inner.items.count; i++)
      ir_list_add(e->arena, out, inner.items.items[i]);
    return;
  }
  struct ir_stmt *stmt = ir_build_body(e->arena, &inner);
  for (int axis = 0; axis < 2; axis++) {
    if (!(axes & (1u << axis))) continue;
    stmt = ir_build_for(e->arena, e->counter[axis], number(e, SEEDED(INSTANCE_MISSED)),
                        number(e, e->factor[axis]), 1, stmt);
    stmt->pragma = "#pragma unroll";
  }
  ir_list_add(e->arena, out, stmt);
}

/* ---- predicates ---- */

struct ir_expr *coarsen_predicate(struct coarsening *e)
{
  struct ir_expr *all = NULL;

  for (unsigned i = SEEDED(OUTER_PREDICATE_LOST); i < e->predicate_count; i++) {
    struct ir_expr *one = coarsen_element(e, e->predicates[i].var, e->predicates[i].axes);
    all = all ? binary(e, IR_OP_LAND, all, one) : one;
  }
  return all;
}

unsigned coarsen_predicate_axes(const struct coarsening *e)
{
  unsigned axes = 0;

  for (unsigned i = 0; i < e->predicate_count; i++) axes |= e->predicates[i].axes;
  return axes;
}
