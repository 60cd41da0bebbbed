/* SPDX-License-Identifier: MIT */
/* untile_guard.c - threads that store nothing compute nothing.
 *
 *     float s = 0;                                     if (row < m) {
 *     for (k ...) s += (row < m ? a[row * n + k] : 0)    float s = 0;
 *                      * x[k];                     =>    for (k ...) s += a[row * n + k] * x[k];
 *     if (row < m) y[row] = s;                           y[row] = s;
 *                                                      }
 *
 * With the tiles, all threads had to reach the barriers. The statements in front of the last one,
 * an `if`, only compute locals; a thread that does not run the `if` does not need them. Inside the
 * `if` its condition holds, so selections by that condition are decided.
 */
#include "analysis/transform/untile/untile_parts.h"
#include "runtime/seeded.h"

enum { MOST_PARTS = 8 };

struct guarding {
  struct code *code;
  struct ir_expr *parts[MOST_PARTS]; /* of the condition, resolved */
  unsigned count;
};

static void note_effect(struct ir_expr *expr, void *context)
{
  if (expr->kind != IR_EXPR_ASSIGN && !ir_is_step(expr)) return;
  const struct ir_var *holder = ir_holder(expr->operands[0]);
  *(bool *)context |= !holder || holder->kind != IR_VAR_LOCAL || holder->address_taken;
}

static bool computes_locals(struct ir_stmt *stmt)
{
  bool other = false;

  ir_visit_stmt_exprs(stmt, note_effect, &other);
  return !other;
}

static void note_memory(struct ir_expr *expr, void *context)
{
  bool *uses = context;

  switch (expr->kind) {
  case IR_EXPR_VAR:
    *uses |= !expr->var->has_value && (expr->var->kind != IR_VAR_PARAM || expr->var->write_count);
    break;
  case IR_EXPR_INT:
  case IR_EXPR_LITERAL:
  case IR_EXPR_BUILTIN:
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST:
  case IR_EXPR_UNARY:
  case IR_EXPR_BINARY: break;
  default: *uses = true; break;
  }
}

static void split(struct guarding *g, struct ir_expr *condition)
{
  struct ir_expr *bare = ir_strip(condition);

  if (bare->kind == IR_EXPR_BINARY && bare->op == IR_OP_LAND) {
    split(g, bare->operands[0]);
    split(g, bare->operands[1]);
  } else if (g->count < MOST_PARTS) {
    struct ir_expr *resolved = code_resolve(g->code, bare);
    if (resolved) g->parts[g->count++] = ir_strip(resolved);
  }
}

/* Is the condition made only of indices and parameters, if locals are replaced by their values? */
static bool is_known_early(struct guarding *g, struct ir_expr *condition)
{
  struct ir_expr *resolved = code_resolve(g->code, condition);
  bool memory = false;

  if (!resolved || ir_has_effects(resolved)) return false;
  ir_visit_expr(resolved, note_memory, &memory);
  return !memory;
}

static struct ir_expr *left_of(struct guarding *g, struct ir_expr *condition)
{
  struct ir_expr *bare = ir_strip(condition);

  if (bare->kind == IR_EXPR_BINARY && bare->op == IR_OP_LAND) {
    struct ir_expr *left = left_of(g, bare->operands[0]), *right = left_of(g, bare->operands[1]);
    return left == bare->operands[0] && right == bare->operands[1]
               ? condition
               : ir_build_both(g->code->arena, left, right);
  }
  struct ir_expr *resolved = code_resolve(g->code, bare);
  for (unsigned i = 0; resolved && i < g->count; i++)
    if (ir_same_expr(ir_strip(resolved), g->parts[i])) return NULL;
  return condition;
}

static struct ir_expr *simplify(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct guarding *g = r->context;

  if (expr->kind != IR_EXPR_COND) return NULL;
  struct ir_expr *left = left_of(g, expr->operands[0]);
  if (left == expr->operands[0]) return NULL;
  struct ir_expr *yes = ir_rewrite_expr(r, expr->operands[1]);
  if (!left) return ir_build_cast(r->arena, ir_plain_type(r->arena, expr->type), yes);
  struct ir_expr *copy = ir_build_cond(r->arena, left, yes, expr->operands[2]);
  copy->type = expr->type;
  return copy;
}

static bool is_index(struct code *code, const struct ir_stmt *stmt)
{
  if (stmt->kind == IR_STMT_NULL) return true;
  if (stmt->kind == IR_STMT_DECLS) {
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!is_index(code, stmt->children[i])) return false;
    return true;
  }
  return stmt->kind == IR_STMT_DECL && code_value_of(code, stmt->var);
}

struct declared {
  const struct ir_stmt *list;
  unsigned from, to;
  bool late; /* a variable that is declared there is used */
};

static void note_late(struct ir_expr *expr, void *context)
{
  struct declared *d = context;

  if (expr->kind != IR_EXPR_VAR) return;
  for (unsigned i = d->from; i < d->to; i++) {
    const struct ir_stmt *stmt = d->list->children[i];
    d->late |= stmt->kind == IR_STMT_DECL && stmt->var == expr->var;
    for (unsigned k = 0; stmt->kind == IR_STMT_DECLS && k < stmt->child_count; k++)
      d->late |= stmt->children[k]->var == expr->var;
  }
}

struct ir_stmt *untile_guard(struct code *code, struct ir_stmt *body)
{
  struct guarding g = {.code = code};
  struct ir_rewriter rewriter = {code->arena, simplify, &g};
  struct ir_list outside = {0}, inside = {0};
  unsigned last = body->child_count, first = 0;

  while (last && body->children[last - 1]->kind == IR_STMT_NULL) last--;
  if (body->kind != IR_STMT_BLOCK || !last) return body;
  struct ir_stmt *guard = body->children[--last];
  while (first < last && is_index(code, body->children[first])) first++;
  struct declared declared = {body, first, last, false};
  if (guard->kind != IR_STMT_IF || guard->else_body || first == last) return body;
  ir_visit_expr(guard->expr, note_late, &declared);
  for (unsigned i = 0; i < last; i++)
    if (!computes_locals(body->children[i]) && !SEEDED(UNTILE_STORE_GUARDED)) return body;
  if (declared.late || !is_known_early(&g, guard->expr)) return body;
  split(&g, guard->expr);
  for (unsigned i = 0; i < first; i++) ir_list_add(code->arena, &outside, body->children[i]);
  for (unsigned i = first; i < last; i++)
    ir_list_add(code->arena, &inside, ir_rewrite_stmt(&rewriter, body->children[i]));
  ir_list_add(code->arena, &inside, ir_rewrite_stmt(&rewriter, guard->body));
  ir_list_add(code->arena, &outside,
              ir_build_if(code->arena, guard->expr, ir_build_block(code->arena, &inside)));
  return ir_build_block(code->arena, &outside);
}
