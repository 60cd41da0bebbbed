/* SPDX-License-Identifier: MIT */
/* likely.c - finds indices that an operation keeps within an array.
 *
 *     min(max(x + u, 0), w - 1)   =>   x + u >= 0 && x + u <= w - 1 ? x + u : ...as written...
 *     (x + w - 1) % w             =>   x - 1 >= 0 && x - 1 < w ? x - 1 : ...as written...
 *
 * What comes out is the same number for every thread. Most threads of a stencil take the first
 * arm: interior.c asks them for the condition, and gives them code without it. Requires: numbers of
 * type int; one operand that is made of parameters and constants alone. Gives up (the expression
 * stays) on all else.
 */
#include "analysis/code/likely.h"

#include "analysis/code/polynomial.h"
#include "runtime/seeded.h"

#include <string.h>

enum { MOST_DEPTH = 8 };

struct finding {
  struct code *code;
  struct likely_list *list;
};

/* ---- numbers that are the same for all threads ---- */

struct fixed_search {
  const struct code *code;
  unsigned depth;
  bool fixed;
};

static void note_fixed(struct ir_expr *expr, void *context)
{
  struct fixed_search *s = context;

  switch (expr->kind) {
  case IR_EXPR_INT:
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST:
  case IR_EXPR_BINARY: break;
  case IR_EXPR_UNARY: s->fixed &= expr->op == IR_OP_NEG; break;
  case IR_EXPR_BUILTIN: s->fixed &= expr->value >= IR_BLOCK_DIM; break;
  case IR_EXPR_VAR: {
    const struct ir_var *var = expr->var;
    struct ir_expr *value = code_value_of(s->code, var);
    bool param = var->kind == IR_VAR_PARAM && !var->write_count && !var->address_taken;
    s->fixed &= (param || value || var->has_value) && s->depth < MOST_DEPTH;
    if (!value || !s->fixed) break;
    s->depth++;
    ir_visit_expr(value, note_fixed, s);
    s->depth--;
    break;
  }
  default: s->fixed = false; break;
  }
}

bool likely_is_fixed(const struct code *code, struct ir_expr *expr)
{
  struct fixed_search s = {code, 0, true};

  ir_visit_expr(expr, note_fixed, &s);
  return s.fixed;
}

/* ---- one expression ---- */

static struct ir_expr *plain_value(struct finding *f, struct ir_expr *expr, struct ir_expr **all);

static void ask(struct finding *f, struct ir_expr **all, enum ir_op op, struct ir_expr *a,
                struct ir_expr *b)
{
  *all = ir_build_both(f->code->arena, *all, ir_build_binary(f->code->arena, op, a, b));
}

/* min(e, u) is e where e <= u. NULL: it is no such call. */
static struct ir_expr *plain_limit(struct finding *f, struct ir_expr *expr, struct ir_expr **all)
{
  bool least = ir_is_extreme(expr, true), greatest = ir_is_extreme(expr, false);

  if ((!least && !greatest) || !ir_type_is_int(expr->type)) return NULL;
  struct ir_expr *a = expr->operands[0], *b = expr->operands[1];
  if (!ir_type_is_int(a->type) || !ir_type_is_int(b->type)) return NULL;
  bool first = likely_is_fixed(f->code, b);
  if (first == likely_is_fixed(f->code, a)) return NULL;
  struct ir_expr *limit = first ? b : a, *value = plain_value(f, first ? a : b, all);
  ask(f, all, least ? IR_OP_LE : IR_OP_GE, value, limit);
  return value;
}

/* How often the divisor is in the dividend, by its form: 1 of x + w - 1 and w. */
static bool times_in(const struct polynomial *dividend, const struct polynomial *divisor,
                     int64_t *ret)
{
  int64_t by = divisor->count == 1 ? divisor->terms[0].coefficient : 0;

  if (!dividend->known || !divisor->known || by < 1 || divisor->terms[0].factor_count > 1)
    return false;
  *ret = 0;
  for (unsigned i = 0; i < dividend->count; i++) {
    const struct polynomial_term *term = &dividend->terms[i], *one = &divisor->terms[0];
    bool same = term->factor_count == one->factor_count &&
                (!one->factor_count || ir_same_expr(term->factors[0], one->factors[0]));
    if (same && (term->coefficient < -by || term->coefficient > 4 * by)) return false;
    if (same) *ret = (term->coefficient + by + by / 2) / by - 1;
  }
  return true;
}

/* e % u is e - k * u where that is from 0 to u - 1. */
static struct ir_expr *plain_rest(struct finding *f, struct ir_expr *expr, struct ir_expr **all)
{
  struct arena *arena = f->code->arena;
  int64_t times;

  if (expr->kind != IR_EXPR_BINARY || expr->op != IR_OP_REM || !ir_type_is_int(expr->type) ||
      !ir_type_is_int(expr->operands[0]->type) || !ir_type_is_int(expr->operands[1]->type) ||
      !likely_is_fixed(f->code, expr->operands[1]) || likely_is_fixed(f->code, expr->operands[0]))
    return NULL;
  struct ir_expr *value = plain_value(f, expr->operands[0], all);
  struct polynomial dividend = polynomial_of(value), divisor = polynomial_of(expr->operands[1]);
  if (!times_in(&dividend, &divisor, &times) || times < 0) return NULL;
  if (times) {
    struct polynomial rest = polynomial_sum(&dividend, &divisor, -times);
    if (!rest.known) return NULL;
    value = polynomial_expr(arena, &rest);
  }
  if (!SEEDED(WRAP_LOW_UNASKED)) ask(f, all, IR_OP_GE, value, ir_build_int(arena, 0));
  if (!SEEDED(WRAP_HIGH_UNASKED)) ask(f, all, IR_OP_LT, value, expr->operands[1]);
  return value;
}

/* What the expression is where *all holds, to which conditions are added. */
static struct ir_expr *plain_value(struct finding *f, struct ir_expr *expr, struct ir_expr **all)
{
  struct ir_expr *bare = expr, *before = *all;

  while (bare->kind == IR_EXPR_PAREN) bare = bare->operands[0];
  struct ir_expr *value = plain_limit(f, bare, all);
  if (!value) {
    *all = before;
    value = plain_rest(f, bare, all);
  }
  if (value) return value;
  *all = before;
  return expr;
}

/* ---- all of them ---- */

/* What a condition is about stays as it is written. */
static struct ir_expr *choose_in_arms(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct ir_expr *copy = ARENA_NEW(r->arena, struct ir_expr);

  *copy = *expr;
  copy->operands = arena_alloc(r->arena, 3 * sizeof *copy->operands);
  copy->operands[0] = expr->operands[0];
  for (unsigned i = 1; i < 3; i++) copy->operands[i] = ir_rewrite_expr(r, expr->operands[i]);
  return copy;
}

static struct ir_expr *choose(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct finding *f = r->context;
  struct ir_expr *all = NULL;

  if (expr->kind == IR_EXPR_COND) return choose_in_arms(r, expr);
  if (expr->kind != IR_EXPR_CALL && expr->kind != IR_EXPR_BINARY) return NULL;
  struct ir_expr *value = plain_value(f, expr, &all);
  if (!all || ir_has_effects(expr)) return NULL;
  struct ir_expr *choice = ir_build_cond(r->arena, all, value, expr);
  choice->type = expr->type;
  choice->place = expr->place;
  *ARENA_PUSH(r->arena, &f->list->items) = (struct likely){choice, expr};
  return choice;
}

static struct ir_stmt *choose_below(struct ir_rewriter *r, struct ir_stmt *stmt)
{
  if (!stmt || stmt->kind == IR_STMT_SWITCH) return stmt;
  struct ir_stmt *copy = ir_copy_stmt(r->arena, stmt), **below;
  if (stmt->expr && (stmt->kind == IR_STMT_DECL || stmt->kind == IR_STMT_EXPR))
    copy->expr = ir_rewrite_expr(r, stmt->expr);
  for (unsigned i = 0; (below = ir_below(copy, i)); i++) *below = choose_below(r, *below);
  return copy;
}

struct ir_stmt *likely_choices(struct code *code, struct ir_stmt *body, struct likely_list *list)
{
  struct finding f = {code, list};
  struct ir_rewriter rewriter = {code->arena, choose, &f};

  return choose_below(&rewriter, body);
}

struct ir_expr *likely_written(const struct likely_list *list, const struct ir_expr *choice)
{
  for (unsigned i = 0; i < list->items.count; i++)
    if (list->items.items[i].choice == choice) return list->items.items[i].written;
  return NULL;
}
