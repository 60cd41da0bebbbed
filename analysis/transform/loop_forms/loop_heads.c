/* SPDX-License-Identifier: MIT */
/* loop_heads.c - canonical heads for loops.
 *
 *     for (;; k++) { if (k >= n) break; f(k); }   =>   for (;; k++, k < n) f(k);
 *     int k = 0; while (k < n) { f(k); k++; }     =>   int k = 0; for (k = 0; k < n; k++) f(k);
 *     for (k = 0; k != n; k++) f(k);              =>   for (k = 0; k < n; k++) f(k);
 *
 * `k != n` is `k < n` where k reaches n from below. An unsigned n is reached from 0. With a signed
 * n, any other k would overflow, which C++ does not allow, unless the loop is left before.
 */
#include "analysis/transform/loop_forms/loop_forms.h"

#include <string.h>

#include "runtime/seeded.h"

/* ---- if (c) break; at the head ---- */

static bool is_break(const struct ir_stmt *stmt)
{
  while (stmt && stmt->kind == IR_STMT_BLOCK && stmt->child_count == 1) stmt = stmt->children[0];
  return stmt && stmt->kind == IR_STMT_BREAK;
}

static bool is_endless(const struct ir_stmt *stmt)
{
  int64_t value;

  if (stmt->kind == IR_STMT_FOR && !stmt->expr) return true;
  if (stmt->kind != IR_STMT_WHILE && stmt->kind != IR_STMT_FOR) return false;
  const struct ir_expr *bare = ir_strip(stmt->expr);
  if (bare->kind == IR_EXPR_LITERAL) return bare->text && !strcmp(bare->text, "true");
  return ir_constant(stmt->expr, &value) && value;
}

static struct ir_stmt *with_condition(struct loop_forming *f, struct ir_stmt *stmt)
{
  struct arena *arena = f->code->arena;
  struct ir_stmt *body = stmt->body, *first = NULL;

  if (!is_endless(stmt) || body->kind != IR_STMT_BLOCK || !body->child_count) return stmt;
  first = body->children[0];
  if (first->kind != IR_STMT_IF || first->else_body || !is_break(first->body)) return stmt;
  struct ir_stmt *copy = ir_copy_stmt(arena, stmt), *rest = ir_copy_stmt(arena, body);
  rest->children = body->children + 1;
  rest->child_count = body->child_count - 1;
  copy->body = rest;
  copy->expr = ir_build_not(arena, first->expr);
  copy->loop = NULL;
  return copy;
}

/* ---- while ---- */

static struct ir_expr *own_of(struct ir_expr *expr, const struct ir_var *var)
{
  struct ir_expr *bare = ir_strip(expr);
  return bare->kind == IR_EXPR_VAR && bare->var == var ? bare : NULL;
}

int64_t loop_forms_step_of(const struct ir_expr *step, const struct ir_var *var)
{
  const struct ir_expr *expr = ir_strip((struct ir_expr *)step);
  int64_t by = 0;

  if (ir_assigned_var(expr) != var) return 0;
  if (ir_is_step(expr)) return expr->op == IR_OP_PRE_INC || expr->op == IR_OP_POST_INC;
  const struct ir_expr *value = ir_strip(expr->operands[1]);
  bool adds = expr->op == IR_OP_ASSIGN && value->kind == IR_EXPR_BINARY && value->op == IR_OP_ADD &&
              own_of(value->operands[0], var);
  if (expr->op != IR_OP_ADD_ASSIGN && !adds) return 0;
  return ir_constant(adds ? value->operands[1] : value, &by) && by > 0 && by <= INT32_MAX ? by : 0;
}

static int64_t step_of(const struct ir_stmt *stmt, const struct ir_var *var)
{
  return stmt->kind == IR_STMT_EXPR && stmt->expr ? loop_forms_step_of(stmt->expr, var) : 0;
}

bool loop_forms_is_counter(const struct ir_var *var)
{
  return var->kind == IR_VAR_LOCAL && var->type->kind == IR_TYPE_INT && var->type->size >= 4 &&
         !var->address_taken && !var->is_static && !var->type->is_volatile;
}

/* The variable that the loop counts up: the left operand of the comparison. */
static struct ir_var *counter_of(struct ir_expr *condition)
{
  const struct ir_expr *bare = ir_strip(condition), *left;

  if (bare->kind != IR_EXPR_BINARY ||
      (bare->op != IR_OP_LT && bare->op != IR_OP_LE && bare->op != IR_OP_NE))
    return NULL;
  left = bare->operands[0];
  while (left->kind == IR_EXPR_PAREN) left = left->operands[0];
  /* a conversion of the iterator would convert its first value, too */
  if (left->kind == IR_EXPR_CONVERT && ir_same_type(left->type, left->operands[0]->type))
    left = left->operands[0];
  return left->kind == IR_EXPR_VAR && loop_forms_is_counter(left->var) ? left->var : NULL;
}

/* What the statement declares the variable with; NULL: it does not, or steps it in another one's
 * declaration: `int k = 0, first = k++`. */
static struct ir_expr *declared_with(const struct ir_stmt *stmt, const struct ir_var *var)
{
  struct ir_expr *value = NULL;

  if (stmt->kind == IR_STMT_DECL) return stmt->var == var ? stmt->expr : NULL;
  for (unsigned i = 0; stmt->kind == IR_STMT_DECLS && i < stmt->child_count; i++) {
    struct ir_stmt *child = stmt->children[i];
    if (child->var == var) value = child->expr;
    if (child->var != var && loop_forms_writes(child, var) && !SEEDED(DECLARED_STEPPED))
      return NULL;
  }
  return value;
}

struct ir_expr *loop_forms_value_before(const struct ir_var *var, struct ir_stmt *const *before,
                                        unsigned count, bool kept)
{
  unsigned end = count;

  while (count--) {
    struct ir_stmt *stmt = before[count];
    struct ir_expr *value = declared_with(stmt, var);
    const struct ir_expr *expr = stmt->kind == IR_STMT_EXPR ? ir_strip(stmt->expr) : NULL;
    if (expr && expr->kind == IR_EXPR_ASSIGN && expr->op == IR_OP_ASSIGN &&
        ir_assigned_var(expr) == var)
      value = expr->operands[1];
    if (value && value->kind == IR_EXPR_INIT_LIST) return NULL;
    for (unsigned i = count; value && kept && i < end; i++)
      if (!loop_forms_stays(value, before[i]) && !SEEDED(DOWN_CHANGED)) return NULL;
    if (value) return value;
    if (loop_forms_writes(stmt, var)) return NULL;
  }
  return NULL;
}

/* The first value, only where it is a constant: no statement between can change it. */
static struct ir_expr *constant_before(const struct ir_var *var, struct ir_stmt *const *before,
                                       unsigned count)
{
  struct ir_expr *value = loop_forms_value_before(var, before, count, false);
  int64_t number;

  return value && ir_constant(value, &number) && number >= 0 && number <= INT32_MAX ? value : NULL;
}

static struct ir_stmt *counted(struct loop_forming *f, struct ir_stmt *stmt, struct ir_var *var,
                               struct ir_expr *first, int64_t step)
{
  struct arena *arena = f->code->arena;
  struct ir_stmt *loop = ir_copy_stmt(arena, stmt), *rest = ir_copy_stmt(arena, stmt->body);
  struct ir_expr *condition = ir_strip(stmt->expr), *self = ir_build_var(arena, var);

  loop->kind = IR_STMT_FOR;
  loop->init = ir_build_expr_stmt(arena, ir_build_assign(arena, self, first));
  loop->increment = ir_strip(rest->children[rest->child_count - 1]->expr);
  rest->child_count--;
  loop->body = rest;
  loop->loop = ARENA_NEW(arena, struct ir_loop);
  *loop->loop = (struct ir_loop){.iterator = var,
                                 .lower = first,
                                 .relation = condition->op,
                                 .bound = condition->operands[1],
                                 .step = step};
  loop_forms_note(f, stmt, "a loop that counts in the place of a while");
  return loop;
}

static struct ir_stmt *without_while(struct loop_forming *f, struct ir_stmt *stmt,
                                     struct ir_stmt *const *before, unsigned count)
{
  struct ir_stmt *body = stmt->body;

  if (stmt->kind != IR_STMT_WHILE || body->kind != IR_STMT_BLOCK || !body->child_count) return stmt;
  struct ir_var *var = counter_of(stmt->expr);
  struct ir_expr *first = var ? constant_before(var, before, count) : NULL;
  int64_t step = first ? step_of(body->children[body->child_count - 1], var) : 0;
  if (!step || ir_expr_has_var(ir_strip(stmt->expr)->operands[1], var)) return stmt;
  for (unsigned i = 0; i + 1 < body->child_count; i++)
    if (loop_forms_writes(body->children[i], var)) return stmt;
  if (loop_forms_continues(body) && !SEEDED(WHILE_CONTINUES)) return stmt;
  return counted(f, stmt, var, first, step);
}

/* ---- != ---- */

/* Does the head itself declare the bound? Transformations name the bound in front of the loop. */
static bool is_bound_inside(const struct ir_stmt *init, struct ir_expr *condition)
{
  bool inside = false;

  for (unsigned i = 0; init && init->kind == IR_STMT_DECLS && i < init->child_count; i++)
    inside |= ir_expr_has_var(ir_strip(condition)->operands[1], init->children[i]->var);
  return inside;
}

/* An endless `for` that has got a condition has no canonical head yet. */
static struct ir_stmt *with_loop(struct loop_forming *f, struct ir_stmt *stmt,
                                 struct ir_stmt *const *before, unsigned count)
{
  struct ir_stmt step = {.kind = IR_STMT_EXPR, .expr = stmt->increment};
  struct ir_stmt *init = stmt->init;

  bool known = stmt->loop && (stmt->loop->lower || init);
  if (stmt->kind != IR_STMT_FOR || known || !stmt->expr || !stmt->increment) return stmt;
  struct ir_var *var = counter_of(stmt->expr);
  int64_t by = var ? step_of(&step, var) : 0;
  struct ir_expr *first = !by    ? NULL
                          : init ? constant_before(var, &init, 1)
                                 : constant_before(var, before, count);
  /* what is declared beside the iterator, and could not go in front of the loop (loop_init.h) */
  bool others = init && init->kind == IR_STMT_DECLS && !SEEDED(HEAD_REBUILT);
  if (!first || others || is_bound_inside(init, stmt->expr) ||
      ir_expr_has_var(ir_strip(stmt->expr)->operands[1], var) || loop_forms_writes(stmt->body, var))
    return stmt;
  struct ir_stmt *copy = ir_copy_stmt(f->code->arena, stmt);
  copy->loop = ARENA_NEW(f->code->arena, struct ir_loop);
  *copy->loop = (struct ir_loop){.iterator = var,
                                 .lower = first,
                                 .relation = ir_strip(stmt->expr)->op,
                                 .bound = ir_strip(stmt->expr)->operands[1],
                                 .step = by,
                                 .declared = init && init->kind != IR_STMT_EXPR};
  if (!init) {
    struct ir_expr *self = ir_build_var(f->code->arena, var);
    copy->init = ir_build_expr_stmt(f->code->arena, ir_build_assign(f->code->arena, self, first));
  }
  loop_forms_note(f, stmt, "a loop from its first number to its end");
  return copy;
}

static bool note_leaving(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_RETURN;
  return true;
}

bool loop_forms_is_left(const struct ir_stmt *loop)
{
  bool left = false;

  ir_visit_stmts(loop->body, note_leaving, &left);
  return left && !SEEDED(UNEQUAL_LEFT);
}

static struct ir_stmt *without_unequal(struct loop_forming *f, struct ir_stmt *stmt)
{
  struct arena *arena = f->code->arena;
  const struct ir_loop *loop = stmt->kind == IR_STMT_FOR ? stmt->loop : NULL;
  int64_t first;

  if (!loop || loop->relation != IR_OP_NE || loop->step != 1 || loop->step_expr || !loop->lower ||
      !loop_forms_is_counter(loop->iterator) ||
      !ir_same_type(loop->bound->type, loop->iterator->type) ||
      !loop_forms_stays(loop->bound, stmt->body) || is_bound_inside(stmt->init, stmt->expr))
    return stmt;
  bool is_signed = loop->iterator->type->is_signed;
  if (!ir_constant(loop->lower, &first) || first < 0 ||
      (is_signed ? loop_forms_is_left(stmt) : first != 0))
    return stmt;
  struct ir_stmt *copy = ir_copy_stmt(arena, stmt);
  copy->loop = ARENA_NEW(arena, struct ir_loop);
  *copy->loop = *loop;
  copy->loop->relation = IR_OP_LT;
  copy->expr = ir_build_binary(arena, IR_OP_LT, ir_build_var(arena, loop->iterator), loop->bound);
  loop_forms_note(f, stmt, "a loop to the end in the place of one that compares by !=");
  return copy;
}

struct ir_stmt *loop_forms_head(struct loop_forming *f, struct ir_stmt *stmt,
                                struct ir_stmt *const *before, unsigned count)
{
  if (stmt->kind == IR_STMT_DO) return loop_forms_do(f, stmt, before, count);
  if (stmt->kind != IR_STMT_FOR && stmt->kind != IR_STMT_WHILE) return stmt;
  struct ir_stmt *walk = loop_forms_walk(f, stmt, before, count);
  if (walk != stmt) return walk;
  struct ir_stmt *ends = with_condition(f, stmt);
  struct ir_stmt *loop = without_while(f, ends, before, count);
  if (loop == ends) loop = loop_forms_down(f, ends, before, count);
  loop = with_loop(f, loop, before, count);
  if (loop == ends) loop = stmt;
  return loop_forms_window(f, without_unequal(f, loop));
}
