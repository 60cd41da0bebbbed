/* SPDX-License-Identifier: MIT */
/* coarsen_safe.c - the code that instances outside a predicate may run without harm.
 *
 *     if (row < n && col < n) { for (k ...) sum += _s_a[..] * _s_b[..]; c[..] = sum; }
 *
 * All instances may compute the sum: it reads copies, which lie within shared memory for every
 * thread, and it writes a variable that has no use behind the `if`. A copy whose index depends on a
 * variable that is set only under a predicate (`q = table[row] & 7`), or on one that gets its value
 * from such a variable, may only be read under it. The
 * store needs the predicate. So do reads of memory that is not staged, divisions of integers but of
 * numbers that all threads of the block have, and calls other than mathematics.
 */
#include "analysis/mapping/coarsen/coarsen.h"

#include "runtime/seeded.h"

/* The depth of variables that depend on one another; deeper ones count as unsafe. */
enum { MOST_DEPENDENT = 8 };

struct safety {
  const struct coarsening *e;
  bool unsafe;
  unsigned depth;
  const struct ir_var *self; /* whose value is looked at; NULL: none */
};

static bool safe_expr(const struct coarsening *e, struct ir_expr *expr, unsigned depth);
static bool dies_inside(const struct coarsening *e, const struct ir_var *var);

static bool is_private(const struct coarsening *e, const struct ir_var *var)
{
  return var && (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM) && coarsen_owns(e, var);
}

/* ---- indices of copies ---- */

struct value_search {
  const struct coarsening *e;
  const struct ir_var *var;
  unsigned depth;
  bool unset;
};

static void note_unset(struct ir_expr *expr, void *context);

/* Is the value not computed outside the predicates, or made of what may have no value there? */
static bool is_unset_value(const struct value_search *s, struct ir_expr *value)
{
  struct safety parts = {s->e, false, s->depth + 1, s->var};

  if (!safe_expr(s->e, value, s->depth + 1)) return true;
  if (!SEEDED(UNSET_HANDED_ON)) ir_visit_expr(value, note_unset, &parts);
  return parts.unsafe;
}

static bool note_declared_value(struct ir_stmt *stmt, void *context)
{
  struct value_search *s = context;
  bool guarded =
      stmt->kind == IR_STMT_DECL && stmt->var == s->var && stmt->expr && s->e->declared[s->var->id];

  s->unset |= guarded && is_unset_value(s, stmt->expr);
  return true;
}

static void note_assigned_value(struct ir_expr *expr, void *context)
{
  struct value_search *s = context;

  if ((expr->kind != IR_EXPR_ASSIGN && !ir_is_step(expr)) || ir_assigned_var(expr) != s->var)
    return;
  s->unset |= !dies_inside(s->e, s->var) ||
              (expr->kind == IR_EXPR_ASSIGN && is_unset_value(s, expr->operands[1]));
}

/* May the variable have no value, or an old one, in instances outside the predicates? */
static bool may_be_unset(const struct coarsening *e, const struct ir_var *var, unsigned depth)
{
  struct value_search s = {e, var, depth, false};

  if (!e->predicate_count || var->kind != IR_VAR_LOCAL || !coarsen_owns(e, var) ||
      e->remade[var->id])
    return false;
  if (depth == MOST_DEPENDENT) return true;
  ir_visit_stmts(e->code->facts.kernel->body, note_declared_value, &s);
  ir_visit_stmt_exprs(e->code->facts.kernel->body, note_assigned_value, &s);
  return s.unset;
}

static void note_unset(struct ir_expr *expr, void *context)
{
  struct safety *s = context;
  if (expr->kind == IR_EXPR_VAR && expr->var != s->self)
    s->unsafe |= may_be_unset(s->e, expr->var, s->depth);
}

static bool safe_element(const struct coarsening *e, const struct ir_expr *expr, unsigned depth)
{
  const struct ir_var *root = ir_holder(expr);
  struct safety index = {e, false, depth, NULL};

  if (root && root->kind == IR_VAR_SHARED) {
    ir_visit_expr((struct ir_expr *)expr, note_unset, &index);
    return !index.unsafe;
  }
  if (!is_private(e, root)) return false;
  return expr->kind == IR_EXPR_MEMBER || !coarsen_axes(e, expr->operands[1]);
}

static void note_unsafe(struct ir_expr *expr, void *context)
{
  struct safety *s = context;

  s->unsafe |= ir_may_trap(expr) && !code_is_block_quotient(expr);
  switch (expr->kind) {
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER:
    s->unsafe |= expr->type->kind != IR_TYPE_ARRAY && !safe_element(s->e, expr, s->depth);
    break;
  case IR_EXPR_UNARY: s->unsafe |= expr->op == IR_OP_DEREF || expr->op == IR_OP_ADDRESS; break;
  case IR_EXPR_CALL: s->unsafe |= expr->effect != IR_EFFECT_NONE; break;
  case IR_EXPR_VAR:
    s->unsafe |= expr->var->kind == IR_VAR_VS || expr->var->kind == IR_VAR_DEVICE;
    break;
  case IR_EXPR_CONSTRUCT:
  case IR_EXPR_INIT_LIST: s->unsafe = true; break;
  default: break;
  }
}

static bool safe_expr(const struct coarsening *e, struct ir_expr *expr, unsigned depth)
{
  struct safety s = {e, false, depth, NULL};
  ir_visit_expr(expr, note_unsafe, &s);
  return !s.unsafe;
}

bool coarsen_safe_expr(const struct coarsening *e, struct ir_expr *expr)
{
  return safe_expr(e, expr, 0);
}

/* Is the variable only used inside the ifs around this place, in front of which it is declared, and
 * does no loop carry it back to one of them? */
static bool dies_inside(const struct coarsening *e, const struct ir_var *var)
{
  unsigned all = ir_count_var(e->code->facts.kernel->body, var);

  for (unsigned i = e->declared[var->id]; i < e->predicate_count; i++)
    if (e->loops_around[var->id] < e->predicates[i].loops ||
        ir_count_var((struct ir_stmt *)e->predicates[i].from, var) != all)
      return false;
  return true;
}

static void note_target(struct ir_expr *expr, void *context)
{
  struct safety *s = context;

  if (expr->kind != IR_EXPR_ASSIGN && !ir_is_step(expr)) return;
  const struct ir_var *root = ir_holder(expr->operands[0]);
  if (!is_private(s->e, root) || !dies_inside(s->e, root)) s->unsafe = true;
}

static bool note_unsafe_stmt(struct ir_stmt *stmt, void *context)
{
  struct safety *s = context;

  s->unsafe |= stmt->kind != IR_STMT_EXPR && stmt->kind != IR_STMT_IF &&
               stmt->kind != IR_STMT_BLOCK && stmt->kind != IR_STMT_NULL;
  if (stmt->expr) s->unsafe |= !coarsen_safe_expr(s->e, stmt->expr);
  return true;
}

bool coarsen_safe_stmt(const struct coarsening *e, struct ir_stmt *stmt)
{
  struct safety s = {e, false, 0, NULL};

  ir_visit_stmt_exprs(stmt, note_target, &s);
  if (stmt->kind == IR_STMT_DECL)
    return !s.unsafe && (!stmt->expr || coarsen_safe_expr(e, stmt->expr));
  ir_visit_stmts(stmt, note_unsafe_stmt, &s);
  return !s.unsafe;
}
