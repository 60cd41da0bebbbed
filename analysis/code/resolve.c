/* SPDX-License-Identifier: MIT */
/* resolve.c - expressions without the locals that only name a value.
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
