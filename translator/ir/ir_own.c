/* SPDX-License-Identifier: MIT */
/* ir_own.c - gives a function that a transformation made a body of its own.
 *
 *     c[i] = r; ... c[i] = r;     two statements that share the nodes of c[i]
 *         =>     nodes of their own, numbered
 *
 * Transformations share nodes with the original and within one body, and give new nodes no ids.
 * Afterwards each node has one parent and an id that is dense in the function, as
 * ir_verify_function requires.
 */
#include <string.h>

#include "translator/ir/ir_rewrite.h"

struct owned_expr {
  const struct ir_expr *from;
  struct ir_expr *to;
};

struct owner {
  struct arena *arena;
  unsigned expr_count, stmt_count;
  LIST_OF(struct owned_expr) recent; /* of the present statement: its loop refers to them */
};

static struct ir_expr *own_expr(struct owner *o, const struct ir_expr *expr)
{
  if (!expr) return NULL;
  struct ir_expr *copy = ARENA_NEW(o->arena, struct ir_expr);
  *copy = *expr;
  copy->id = o->expr_count++;
  copy->operands = arena_alloc(o->arena, (expr->operand_count + 1) * sizeof *copy->operands);
  for (unsigned i = 0; i < expr->operand_count; i++)
    copy->operands[i] = own_expr(o, expr->operands[i]);
  *ARENA_PUSH(o->arena, &o->recent) = (struct owned_expr){expr, copy};
  return copy;
}

/* The owned node for an expression of the loop. One that is not in the loop's statement is a note
 * of the analysis and is kept. */
static struct ir_expr *own_note(const struct owner *o, struct ir_expr *expr)
{
  for (unsigned i = 0; i < o->recent.count; i++)
    if (o->recent.items[i].from == expr) return o->recent.items[i].to;
  return expr;
}

static struct ir_loop *own_loop(struct owner *o, const struct ir_loop *loop)
{
  if (!loop) return NULL;
  struct ir_loop *copy = ARENA_NEW(o->arena, struct ir_loop);
  *copy = *loop;
  copy->lower = own_note(o, loop->lower);
  copy->bound = own_note(o, loop->bound);
  copy->step_expr = own_note(o, loop->step_expr);
  return copy;
}

static struct ir_stmt *own_stmt(struct owner *o, const struct ir_stmt *stmt)
{
  if (!stmt) return NULL;
  struct ir_stmt *copy = ARENA_NEW(o->arena, struct ir_stmt);
  *copy = *stmt;
  copy->id = o->stmt_count++;
  o->recent.count = 0;
  copy->init = own_stmt(o, stmt->init);
  copy->expr = own_expr(o, stmt->expr);
  copy->increment = own_expr(o, stmt->increment);
  copy->loop = own_loop(o, stmt->loop);
  copy->body = own_stmt(o, stmt->body);
  copy->else_body = own_stmt(o, stmt->else_body);
  copy->children = arena_alloc(o->arena, (stmt->child_count + 1) * sizeof *copy->children);
  for (unsigned i = 0; i < stmt->child_count; i++)
    copy->children[i] = own_stmt(o, stmt->children[i]);
  return copy;
}

void ir_own_body(struct arena *arena, struct ir_function *function)
{
  struct owner owner = {.arena = arena};
  function->body = own_stmt(&owner, function->body);
  function->expr_count = owner.expr_count;
  function->stmt_count = owner.stmt_count;
}
