/* SPDX-License-Identifier: MIT */
/* resolve.c - removes locals that only name a value, or that are unused.
 *
 *     int row = blockIdx.y * 16 + ty, ty = threadIdx.y;
 *     row * n     =>     (int)(blockIdx.y * 16 + (int)threadIdx.y) * n
 */
#include "analysis/code/code.h"

enum { MOST_DEPTH = 12, MOST_NODES = 400 };

struct resolving {
  struct code *code;
  unsigned depth, nodes;
};

static struct ir_expr *resolve_var(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct resolving *s = r->context;
  struct ir_expr *value = expr->kind == IR_EXPR_VAR ? code_value_of(s->code, expr->var) : NULL;

  s->nodes++;
  if (!value || s->depth == MOST_DEPTH || s->nodes > MOST_NODES) return NULL;
  s->depth++;
  value = code_cast_value(r->arena, expr->var, ir_rewrite_expr(r, value));
  s->depth--;
  return value;
}

struct ir_expr *code_resolve(struct code *code, struct ir_expr *expr)
{
  struct resolving s = {.code = code};
  struct ir_rewriter rewriter = {code->arena, resolve_var, &s};

  expr = ir_rewrite_expr(&rewriter, expr);
  return s.nodes <= MOST_NODES ? expr : NULL;
}

/* ---- unused locals ---- */

static struct ir_stmt *without_unused(struct arena *arena, struct ir_stmt *stmt,
                                      struct ir_stmt *all, bool *changed)
{
  bool is_list = stmt && (stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS);
  struct ir_list out = {0};

  if (!is_list) return stmt;
  for (unsigned i = 0; i < stmt->child_count; i++) {
    struct ir_stmt *child = stmt->children[i];
    bool unused = child->kind == IR_STMT_DECL && !ir_count_var(all, child->var) &&
                  !(child->expr && ir_has_effects(child->expr));
    *changed |= unused;
    if (!unused) ir_list_add(arena, &out, without_unused(arena, child, all, changed));
  }
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt);
  *copy = *stmt;
  copy->children = out.items.items;
  copy->child_count = out.items.count;
  return stmt->kind == IR_STMT_DECLS && !copy->child_count ? NULL : copy;
}

struct ir_stmt *code_without_unused(struct arena *arena, struct ir_stmt *body)
{
  for (bool changed = true; changed;) {
    changed = false;
    body = without_unused(arena, body, body, &changed);
  }
  return body;
}
