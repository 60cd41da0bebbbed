/* expand_safe.c - what instances outside of a predicate may compute without harm.
 *
 *     if (row < n && col < n) { for (k ...) sum += _s_a[..] * _s_b[..]; c[..] = sum; }
 *
 * The sum may be computed for all: it reads copies, which lie within shared memory for every thread, and writes a variable
 * that nothing looks at behind the if. The store may not. Reading memory that is not staged, dividing integers, and calls
 * other than mathematics need the predicate as well.
 */
#include "analysis/expand.h"

struct safety { const struct expansion *e; bool unsafe; };

static bool is_private(const struct expansion *e, const struct ir_var *var)
{
  return var && (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM) && expand_owns(e, var);
}

static bool safe_element(const struct expansion *e, const struct ir_expr *expr)
{
  const struct ir_var *root = ir_holder(expr);

  if (root && root->kind == IR_VAR_SHARED)
    return true;
  if (!is_private(e, root))
    return false;
  return expr->kind == IR_EXPR_MEMBER || !expand_axes(e, expr->operands[1]);
}

static void note_unsafe(struct ir_expr *expr, void *context)
{
  struct safety *s = context;
  int64_t divisor;

  switch (expr->kind) {
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER: s->unsafe |= expr->type->kind != IR_TYPE_ARRAY && !safe_element(s->e, expr); break;
  case IR_EXPR_UNARY: s->unsafe |= expr->op == IR_OP_DEREF || expr->op == IR_OP_ADDRESS; break;
  case IR_EXPR_CALL: s->unsafe |= expr->effect != IR_EFFECT_NONE; break;
  case IR_EXPR_VAR: s->unsafe |= expr->var->kind == IR_VAR_VS || expr->var->kind == IR_VAR_DEVICE; break;
  case IR_EXPR_BINARY:
    if ((expr->op == IR_OP_DIV || expr->op == IR_OP_REM) && expr->type->kind == IR_TYPE_INT)
      s->unsafe |= !ir_constant(expr->operands[1], &divisor) || divisor <= 0;
    break;
  case IR_EXPR_ASSIGN:
    if ((expr->op == IR_OP_DIV_ASSIGN || expr->op == IR_OP_REM_ASSIGN) && expr->type->kind == IR_TYPE_INT)
      s->unsafe |= !ir_constant(expr->operands[1], &divisor) || divisor <= 0;
    break;
  case IR_EXPR_CONSTRUCT:
  case IR_EXPR_INIT_LIST:
  case IR_EXPR_OPAQUE: s->unsafe = true; break;
  default: break;
  }
}

bool expand_safe_expr(const struct expansion *e, struct ir_expr *expr)
{
  struct safety s = { e, false };
  ir_visit_expr(expr, note_unsafe, &s);
  return !s.unsafe;
}

/* Nothing looks at the variable outside of the ifs around this place that it is declared in front of, nor does it come back to
 * one of them by a loop. */
static bool dies_inside(const struct expansion *e, const struct ir_var *var)
{
  unsigned all = ir_count_var(e->code->facts.kernel->body, var);

  for (unsigned i = e->declared[var->id]; i < e->predicate_count; i++)
    if (e->loops_around[var->id] < e->predicates[i].loops || ir_count_var((struct ir_stmt *)e->predicates[i].from, var) != all)
      return false;
  return true;
}

static void note_target(struct ir_expr *expr, void *context)
{
  struct safety *s = context;

  if (expr->kind != IR_EXPR_ASSIGN && !ir_is_step(expr))
    return;
  const struct ir_var *root = ir_holder(expr->operands[0]);
  if (!is_private(s->e, root) || !dies_inside(s->e, root))
    s->unsafe = true;
}

static bool note_unsafe_stmt(struct ir_stmt *stmt, void *context)
{
  struct safety *s = context;

  s->unsafe |= stmt->kind != IR_STMT_EXPR && stmt->kind != IR_STMT_IF && stmt->kind != IR_STMT_BLOCK && stmt->kind != IR_STMT_NULL;
  if (stmt->expr)
    s->unsafe |= !expand_safe_expr(s->e, stmt->expr);
  return true;
}

bool expand_safe_stmt(const struct expansion *e, struct ir_stmt *stmt)
{
  struct safety s = { e, false };

  ir_visit_stmt_exprs(stmt, note_target, &s);
  if (stmt->kind == IR_STMT_DECL)
    return !s.unsafe && (!stmt->expr || expand_safe_expr(e, stmt->expr));
  ir_visit_stmts(stmt, note_unsafe_stmt, &s);
  return !s.unsafe;
}
