/* SPDX-License-Identifier: MIT */
/* halves_spread.c - loops whose sums say what they add, and to which elements.
 *
 *     for (j ...) {                                        for (j ...)
 *       float v = j <= i ? a[i * n + j] : a[j * n + i];      if (j <= i) s += a[i * n + j] * x[j];
 *       s += v * x[j];                              =>       else s += a[j * n + i] * x[j];
 *     }
 *
 * A local of the loop that keeps one value has its value in its place. A choice between elements,
 * or between their indices, becomes an `if` around a copy of the statement for each side. Only the
 * side that is chosen was evaluated before. Produces: nodes of its own for each statement, so that
 * a scan tells the sides apart. Gives up on a statement: more than MOST_CHOICES choices.
 */
#include "analysis/transform/both_halves/both_halves.h"

#include "analysis/code/loop.h"

enum { MOST_CHOICES = 3 };

struct spreading {
  struct code *code;
  struct arena *arena;
};

/* ---- choices ---- */

struct choice_search {
  struct ir_expr *found;
  unsigned indices; /* around the visited place */
};

static void note_element(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_CALL ||
                      (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF);
}

static void find_choice(struct choice_search *s, struct ir_expr *expr)
{
  bool elements = s->indices;

  if (s->found) return;
  if (expr->kind == IR_EXPR_COND) {
    ir_visit_expr(expr->operands[1], note_element, &elements);
    ir_visit_expr(expr->operands[2], note_element, &elements);
    if (elements && !ir_has_effects(expr->operands[0])) {
      s->found = expr;
      return;
    }
  }
  s->indices += expr->kind == IR_EXPR_INDEX;
  for (unsigned i = 0; i < expr->operand_count; i++) find_choice(s, expr->operands[i]);
  s->indices -= expr->kind == IR_EXPR_INDEX;
}

struct side {
  const struct ir_expr *choice;
  unsigned operand;
};

static struct ir_expr *take_side(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct side *side = r->context;

  return expr == side->choice
             ? ir_build_converted(r->arena, expr->operands[side->operand], expr->type)
             : NULL;
}

static struct ir_stmt *spread_choices(struct spreading *s, struct ir_stmt *stmt, unsigned depth);

static struct ir_stmt *on_side(struct spreading *s, const struct ir_stmt *stmt,
                               const struct ir_expr *choice, unsigned operand, unsigned depth)
{
  struct side side = {choice, operand};
  struct ir_rewriter rewriter = {s->arena, take_side, &side};
  struct ir_stmt *copy = ir_copy_stmt(s->arena, stmt);

  copy->expr = ir_rewrite_expr(&rewriter, stmt->expr);
  return spread_choices(s, copy, depth);
}

static struct ir_stmt *spread_choices(struct spreading *s, struct ir_stmt *stmt, unsigned depth)
{
  struct choice_search search = {NULL, 0};

  if (depth < MOST_CHOICES) find_choice(&search, stmt->expr);
  if (!search.found) return stmt;
  struct ir_stmt *made = ir_build_if(s->arena, search.found->operands[0],
                                     on_side(s, stmt, search.found, 1, depth + 1));
  made->place = stmt->place;
  made->else_body = on_side(s, stmt, search.found, 2, depth + 1);
  return made;
}

/* ---- values ---- */

static struct ir_expr *resolved(struct spreading *s, struct ir_expr *expr)
{
  struct ir_expr *value = expr ? code_resolve(s->code, expr) : NULL;
  return value ? value : expr;
}

static bool only_names(struct spreading *s, const struct ir_stmt *decl)
{
  return decl->expr && code_value_of(s->code, decl->var) && !ir_has_effects(decl->expr);
}

static struct ir_stmt *spread(struct spreading *s, struct ir_stmt *stmt)
{
  if (!stmt || (stmt->kind == IR_STMT_DECL && only_names(s, stmt))) return NULL;
  if (stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS) {
    struct ir_list out = {0};
    for (unsigned i = 0; i < stmt->child_count; i++)
      ir_list_add(s->arena, &out, spread(s, stmt->children[i]));
    return ir_build_body(s->arena, &out);
  }
  if (stmt->kind != IR_STMT_EXPR && stmt->kind != IR_STMT_IF) return stmt;
  struct ir_stmt *copy = ir_copy_stmt(s->arena, stmt);
  copy->expr = resolved(s, stmt->expr);
  if (stmt->kind == IR_STMT_EXPR) return spread_choices(s, copy, 0);
  struct ir_list none = {0};
  copy->body = spread(s, stmt->body);
  if (!copy->body) copy->body = ir_build_block(s->arena, &none);
  copy->else_body = spread(s, stmt->else_body);
  return copy;
}

static struct ir_stmt *over_loops(struct spreading *s, struct ir_stmt *stmt)
{
  struct ir_stmt **below;

  if (!stmt) return NULL;
  struct ir_stmt *copy = ir_copy_stmt(s->arena, stmt);
  if (stmt->kind == IR_STMT_FOR && loop_number(stmt) == 1) {
    struct ir_list none = {0};
    copy->body = spread(s, stmt->body);
    if (!copy->body) copy->body = ir_build_block(s->arena, &none);
    return copy;
  }
  if (loop_is_one(stmt)) return stmt;
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = over_loops(s, *below);
  return copy;
}

void halves_spread(struct code *code)
{
  struct spreading s = {code, code->arena};
  struct ir_function *kernel = code->facts.kernel;

  kernel->body = over_loops(&s, kernel->body);
  ir_own_body(code->arena, kernel);
}
