/* SPDX-License-Identifier: MIT */
/* ir_rewrite.c - copies of IR with changes, and queries of transformations.
 *
 *     replace(i) = j + 1:     a[i] = b[i] + c     =>     a[j + 1] = b[j + 1] + c
 *
 * A node without changed parts is shared with the original, so that tables keyed by node stay valid
 * for it.
 */
#include "translator/ir/ir_rewrite.h"

#include <string.h>

static struct ir_expr *copy_expr(struct arena *arena, const struct ir_expr *expr)
{
  struct ir_expr *copy = ARENA_NEW(arena, struct ir_expr);
  *copy = *expr;
  copy->operands = arena_alloc(arena, (expr->operand_count + 1) * sizeof *copy->operands);
  for (unsigned i = 0; i < expr->operand_count; i++) copy->operands[i] = expr->operands[i];
  return copy;
}

struct ir_expr *ir_rewrite_expr(struct ir_rewriter *r, struct ir_expr *expr)
{
  if (!expr) return NULL;
  struct ir_expr *other = r->replace(r, expr);
  if (other) return other;
  struct ir_expr *copy = NULL;
  for (unsigned i = 0; i < expr->operand_count; i++) {
    struct ir_expr *operand = ir_rewrite_expr(r, expr->operands[i]);
    if (operand == expr->operands[i]) continue;
    if (!copy) copy = copy_expr(r->arena, expr);
    copy->operands[i] = operand;
  }
  return copy ? copy : expr;
}

static struct ir_loop *rewrite_loop(struct ir_rewriter *r, struct ir_loop *loop)
{
  if (!loop) return NULL;
  struct ir_loop *copy = ARENA_NEW(r->arena, struct ir_loop);
  *copy = *loop;
  copy->lower = ir_rewrite_expr(r, loop->lower);
  copy->bound = ir_rewrite_expr(r, loop->bound);
  copy->step_expr = ir_rewrite_expr(r, loop->step_expr);
  bool same = copy->lower == loop->lower && copy->bound == loop->bound &&
              copy->step_expr == loop->step_expr;
  return same ? loop : copy;
}

struct ir_stmt *ir_rewrite_stmt(struct ir_rewriter *r, struct ir_stmt *stmt)
{
  if (!stmt) return NULL;
  struct ir_stmt new = *stmt;
  new.expr = ir_rewrite_expr(r, stmt->expr);
  new.increment = ir_rewrite_expr(r, stmt->increment);
  new.loop = rewrite_loop(r, stmt->loop);
  new.init = ir_rewrite_stmt(r, stmt->init);
  new.body = ir_rewrite_stmt(r, stmt->body);
  new.else_body = ir_rewrite_stmt(r, stmt->else_body);
  new.children = arena_alloc(r->arena, (stmt->child_count + 1) * sizeof *new.children);
  bool same = new.expr == stmt->expr &&new.increment == stmt->increment &&new.loop ==
              stmt->loop &&new.init == stmt->init &&new.body == stmt->body &&new.else_body ==
              stmt->else_body;
  for (unsigned i = 0; i < stmt->child_count; i++) {
    new.children[i] = ir_rewrite_stmt(r, stmt->children[i]);
    same &= new.children[i] == stmt->children[i];
  }
  if (same) return stmt;
  struct ir_stmt *copy = ARENA_NEW(r->arena, struct ir_stmt);
  *copy = new;
  return copy;
}

struct ir_stmt *ir_copy_stmt(struct arena *arena, const struct ir_stmt *stmt)
{
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  *copy = *stmt;
  copy->children = arena_alloc(arena, (stmt->child_count + 1) * sizeof *copy->children);
  for (unsigned i = 0; i < stmt->child_count; i++) copy->children[i] = stmt->children[i];
  return copy;
}

struct ir_stmt **ir_below(struct ir_stmt *stmt, unsigned number)
{
  if (number == 0) return &stmt->body;
  if (number == 1) return &stmt->else_body;
  return number - 2 < stmt->child_count ? &stmt->children[number - 2] : NULL;
}

/* ---- queries ---- */

struct replacing {
  const struct ir_var *var;
  struct ir_expr *value; /* NULL: `to` */
  struct ir_var *to;
};

static struct ir_expr *replaced_var(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct replacing *c = r->context;

  if (expr->kind != IR_EXPR_VAR || expr->var != c->var) return NULL;
  if (c->value) return c->value;
  struct ir_expr *now = ir_build_var(r->arena, c->to);
  now->place = expr->place;
  return now;
}

struct ir_expr *ir_replace_var(struct arena *arena, struct ir_expr *expr, const struct ir_var *var,
                               struct ir_expr *value)
{
  struct replacing replacing = {var, value, NULL};
  struct ir_rewriter rewriter = {arena, replaced_var, &replacing};

  return ir_rewrite_expr(&rewriter, expr);
}

struct ir_stmt *ir_rename_var(struct arena *arena, struct ir_stmt *stmt, const struct ir_var *var,
                              struct ir_var *to)
{
  struct replacing replacing = {var, NULL, to};
  struct ir_rewriter rewriter = {arena, replaced_var, &replacing};

  return ir_rewrite_stmt(&rewriter, stmt);
}

bool ir_is_step(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC ||
                                         expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC);
}

bool ir_is_extreme(const struct ir_expr *expr, bool least)
{
  if (expr->kind != IR_EXPR_CALL || expr->operand_count != 2 || expr->callee || !expr->text ||
      expr->effect != IR_EFFECT_NONE)
    return false;
  const char *name = expr->text;
  if (!strncmp(name, "mesi_", 5) || !strncmp(name, "std::", 5)) name += 5;
  return !strcmp(name, least ? "min" : "max");
}

bool ir_writes_var(const struct ir_expr *expr, const struct ir_var *var)
{
  if (expr->kind != IR_EXPR_ASSIGN && !ir_is_step(expr)) return false;
  struct ir_expr *target = ir_strip(expr->operands[0]);
  const struct ir_var *holder = ir_holder(target);

  if (holder) return holder == var;
  while (target->kind == IR_EXPR_MEMBER && !target->is_arrow)
    target = ir_strip(target->operands[0]);
  bool is_element = target->kind == IR_EXPR_INDEX || target->kind == IR_EXPR_MEMBER ||
                    (target->kind == IR_EXPR_UNARY && target->op == IR_OP_DEREF);
  return !is_element && ir_expr_has_var(target, var);
}

enum ir_op ir_compound_op(enum ir_op op)
{
  switch (op) {
  case IR_OP_MUL_ASSIGN: return IR_OP_MUL;
  case IR_OP_DIV_ASSIGN: return IR_OP_DIV;
  case IR_OP_REM_ASSIGN: return IR_OP_REM;
  case IR_OP_ADD_ASSIGN: return IR_OP_ADD;
  case IR_OP_SUB_ASSIGN: return IR_OP_SUB;
  case IR_OP_SHL_ASSIGN: return IR_OP_SHL;
  case IR_OP_SHR_ASSIGN: return IR_OP_SHR;
  case IR_OP_AND_ASSIGN: return IR_OP_AND;
  case IR_OP_XOR_ASSIGN: return IR_OP_XOR;
  case IR_OP_OR_ASSIGN: return IR_OP_OR;
  default: return IR_OP_COUNT;
  }
}

static void note_effects(struct ir_expr *expr, void *context)
{
  bool call = expr->kind == IR_EXPR_CALL && expr->effect != IR_EFFECT_NONE &&
              expr->effect != IR_EFFECT_LOAD;
  if (expr->kind == IR_EXPR_ASSIGN || expr->kind == IR_EXPR_OPAQUE || call || ir_is_step(expr))
    *(bool *)context = true;
}

bool ir_has_effects(struct ir_expr *expr)
{
  bool found = false;
  ir_visit_expr(expr, note_effects, &found);
  return found;
}

struct wanted_var {
  const struct ir_var *var;
  unsigned found;
};

static void note_var(struct ir_expr *expr, void *context)
{
  struct wanted_var *wanted = context;
  wanted->found += expr->kind == IR_EXPR_VAR && expr->var == wanted->var;
}

bool ir_expr_has_var(struct ir_expr *expr, const struct ir_var *var)
{
  struct wanted_var wanted = {var, 0};
  ir_visit_expr(expr, note_var, &wanted);
  return wanted.found;
}

struct pointer_search {
  const struct ir_function *function;
  const struct ir_expr *found;
};

static void note_array(struct pointer_search *s, struct ir_expr *expr)
{
  const struct ir_expr *array = ir_strip(expr);
  const struct ir_var *holder = ir_holder(array);

  if (array->type && array->type->kind == IR_TYPE_ARRAY && holder && ir_owns(s->function, holder))
    s->found = array;
}

static void note_pointer(struct ir_expr *expr, void *context)
{
  bool inside = expr->kind == IR_EXPR_SIZEOF || expr->kind == IR_EXPR_CONVERT ||
                expr->kind == IR_EXPR_PAREN || expr->kind == IR_EXPR_MEMBER ||
                expr->kind == IR_EXPR_INDEX;
  for (unsigned i = 0; i < expr->operand_count && !inside; i++)
    note_array(context, expr->operands[i]);
}

static bool note_initial_pointer(struct ir_stmt *stmt, void *context)
{
  if (stmt->kind == IR_STMT_DECL && stmt->expr) note_array(context, stmt->expr);
  return true;
}

const struct ir_expr *ir_pointer_to_own(const struct ir_function *function)
{
  struct pointer_search search = {function, NULL};

  ir_visit_stmt_exprs(function->body, note_pointer, &search);
  ir_visit_stmts(function->body, note_initial_pointer, &search);
  return search.found;
}

unsigned ir_count_var(struct ir_stmt *stmt, const struct ir_var *var)
{
  struct wanted_var wanted = {var, 0};
  ir_visit_stmt_exprs(stmt, note_var, &wanted);
  return wanted.found;
}

bool ir_stmt_has_var(struct ir_stmt *stmt, const struct ir_var *var)
{
  return ir_count_var(stmt, var) > 0;
}

struct ir_var *ir_assigned_var(const struct ir_expr *expr)
{
  if (expr->kind != IR_EXPR_ASSIGN && !ir_is_step(expr)) return NULL;
  struct ir_expr *target = ir_strip(expr->operands[0]);
  return target->kind == IR_EXPR_VAR ? target->var : NULL;
}

struct ir_var *ir_updated_var(const struct ir_expr *target)
{
  struct ir_expr *expr = ir_strip((struct ir_expr *)target);

  if (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_ADDRESS) {
    expr = ir_strip(expr->operands[0]);
    while (expr->kind == IR_EXPR_INDEX) expr = ir_strip(expr->operands[0]);
  } else if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_ADD) {
    expr = ir_strip(expr->operands[0]);
  }
  return expr->kind == IR_EXPR_VAR ? expr->var : NULL;
}
