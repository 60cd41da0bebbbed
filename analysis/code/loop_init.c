/* SPDX-License-Identifier: MIT */
/* loop_init.c - makes a loop's head declare only its iterator.
 *
 *     for (int k = 0, end = n; k < end; k++) S
 *         =>      { int end = n; for (int k = 0; k < end; k++) S }
 *
 * Transformations evaluate a loop's bounds in front of the loop, and put other loops in its place,
 * so `end` must be declared there. Requires: nothing. Gives up (the loop is no counted loop any
 * more) where the declarations cannot change places.
 */
#include "analysis/code/loop_init.h"

#include <string.h>

#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

/* Does the head declare something beside the iterator? */
static bool has_others(const struct ir_stmt *stmt)
{
  if (stmt->kind != IR_STMT_FOR || !stmt->loop || !stmt->loop->declared ||
      stmt->init->kind != IR_STMT_DECLS)
    return false;
  return !SEEDED(HEAD_DECLARES_MORE) ||
         ir_expr_has_var(stmt->loop->bound, stmt->init->children[1]->var);
}

struct hidden_search {
  const struct ir_var *by;
  bool found;
};

static void note_hidden(struct ir_expr *expr, void *context)
{
  struct hidden_search *s = context;
  s->found |= expr->kind == IR_EXPR_VAR && expr->var != s->by && expr->var->name &&
              !strcmp(expr->var->name, s->by->name);
}

/* Does the iterator's initialiser use this name for another variable? */
static bool hides(const struct ir_var *var, const struct ir_loop *loop)
{
  struct hidden_search s = {var, false};

  ir_visit_expr(loop->lower, note_hidden, &s);
  return var != loop->iterator && s.found;
}

/* May the other declarations, with their initialisers, come before the iterator? */
static bool can_precede(const struct ir_stmt *stmt)
{
  bool can = !ir_has_effects(stmt->loop->lower);

  for (unsigned i = 0; i < stmt->init->child_count; i++) {
    const struct ir_stmt *declaration = stmt->init->children[i];
    struct ir_expr *value = declaration->expr;
    can &= !hides(declaration->var, stmt->loop) &&
           (!value || (!ir_has_effects(value) && !ir_expr_has_var(value, stmt->loop->iterator)));
  }
  return can;
}

static struct ir_stmt *split_head(struct arena *arena, struct ir_stmt *loop)
{
  struct ir_stmt *head = loop->init;
  struct ir_list all = {0};

  for (unsigned i = 0; i < head->child_count; i++) {
    if (head->children[i]->var == loop->loop->iterator)
      loop->init = head->children[i];
    else
      ir_list_add(arena, &all, head->children[i]);
  }
  ir_list_add(arena, &all, loop);
  return ir_build_block(arena, &all);
}

struct ir_stmt *loop_init_split(struct arena *arena, struct ir_stmt *stmt)
{
  if (!stmt) return NULL;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  bool changed = has_others(stmt);
  *copy = *stmt;
  copy->body = loop_init_split(arena, stmt->body);
  copy->else_body = loop_init_split(arena, stmt->else_body);
  copy->children = arena_alloc(arena, (stmt->child_count + 1) * sizeof *copy->children);
  for (unsigned i = 0; i < stmt->child_count; i++) {
    copy->children[i] = loop_init_split(arena, stmt->children[i]);
    changed |= copy->children[i] != stmt->children[i];
  }
  if (!changed && copy->body == stmt->body && copy->else_body == stmt->else_body) return stmt;
  if (!has_others(stmt)) return copy;
  if (can_precede(stmt)) return split_head(arena, copy);
  copy->loop = NULL;
  return copy;
}
