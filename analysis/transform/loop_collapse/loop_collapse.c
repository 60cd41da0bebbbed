/* SPDX-License-Identifier: MIT */
/* loop_collapse.c - two loops over neighbouring rows become one.
 *
 *     for (y = 0; y < h; y++)
 *       for (x = 0; x < w; x++) sum += in[(plane * h + y) * w + x];
 *   =>
 *     for (x = 0; x < h * w; x++) sum += in[plane * h * w + x];
 *
 * The iterations come in the same order. That is legal where the body uses the two iterators in
 * w * y + x alone: each of its integer expressions has no y left, as a polynomial, with x - w * y
 * in the place of x. Then it has the same value with 0 for y and w * y + x for x. Sizes that are no
 * constants are asked of the launch: none is negative, and their product is an int. Requires: both
 * loops count up by one from 0, and nothing but the inner loop stands in the outer one. Gives up:
 * an iteration may leave a loop, another use of an iterator, sizes that the launch does not know.
 */
#include "analysis/transform/loop_collapse/loop_collapse.h"

#include "analysis/code/polynomial.h"
#include "analysis/sets/lower.h"
#include "runtime/seeded.h"

enum { MOST_ASKED = 8 };

struct collapsing {
  struct code *code;
  struct draft *draft;               /* NULL: only the conditions are wanted */
  struct ir_expr *asked[MOST_ASKED]; /* for the launch to check */
  unsigned asked_count;
};

struct nest {
  struct ir_stmt *outer, *inner;
  struct ir_var *y, *x;
  struct ir_expr *height, *width; /* in numbers of the launch */
  int64_t values[2];              /* of these, where they are constant; else -1 */
  struct polynomial row;          /* x - width * y */
  struct code *code;
  struct ir_stmt *body; /* of the loop in the place of both, whose iterator is x */
  bool fits;
};

/* ---- the loops ---- */

static bool counts_from_zero(const struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->kind == IR_STMT_FOR ? stmt->loop : NULL;
  int64_t lower;

  return loop && loop->lower && loop->bound && !loop->step_expr && loop->step == 1 &&
         loop->relation == IR_OP_LT && loop->declared && ir_constant(loop->lower, &lower) &&
         lower == 0 && ir_type_is_int(loop->iterator->type);
}

static bool note_leaving(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |= stmt->kind == IR_STMT_BREAK || stmt->kind == IR_STMT_RETURN ||
                      stmt->kind == IR_STMT_GOTO || stmt->kind == IR_STMT_SWITCH;
  return true;
}

/* The loop that is all of the body. NULL: there is something else. */
static struct ir_stmt *only_loop(struct ir_stmt *body)
{
  while (body && body->kind == IR_STMT_BLOCK && body->child_count == 1) body = body->children[0];
  return body && counts_from_zero(body) ? body : NULL;
}

/* The bound in numbers that the launch knows, and its value where it is one in all launches, else
 * -1. NULL: it does not know it. */
static struct ir_expr *size_of_loop(struct code *code, const struct ir_loop *loop,
                                    int64_t *ret_value)
{
  struct ir_expr *size = code_resolve(code, loop->bound);

  if (!size) return NULL;
  if (code_constant(code, size, ret_value))
    return *ret_value >= 0 && *ret_value <= INT32_MAX ? size : NULL;
  *ret_value = -1;
  bool is_int = size->type->size == 4 && size->type->is_signed;
  return is_int && code_is_launch_number(size) ? size : NULL;
}

/* ---- the body ---- */

static bool is_zero(struct ir_expr *expr)
{
  int64_t value;
  return ir_constant(ir_strip(expr), &value) && value == 0;
}

/* 0 for y; 0 * w => 0, a + 0 => a; the types stay */
static struct ir_expr *without_y(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct nest *n = r->context;
  bool sum = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_ADD,
       product = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL;
  struct ir_expr *none = ir_build_int(r->arena, 0);

  if (expr->kind == IR_EXPR_VAR && expr->var == n->y)
    return ir_build_cast(r->arena, ir_plain_type(r->arena, expr->type), none);
  if (!sum && !product) return NULL;
  struct ir_expr *a = ir_rewrite_expr(r, expr->operands[0]),
                 *b = ir_rewrite_expr(r, expr->operands[1]);
  struct ir_expr *zero = is_zero(a) ? a : is_zero(b) ? b : NULL, *other = zero == a ? b : a;
  if (zero && product && !ir_has_effects(other))
    return ir_build_cast(r->arena, ir_plain_type(r->arena, expr->type), none);
  if (zero && sum && ir_same_type(other->type, expr->type)) return other;
  struct ir_expr *ret = ir_build_binary(r->arena, expr->op, a, b);
  ret->type = expr->type;
  ret->place = expr->place;
  return ret;
}

/* Has the expression the same value with 0 for y and w * y + x for x? */
static bool is_of_row(struct nest *n, struct ir_expr *expr)
{
  struct ir_expr *resolved = code_resolve(n->code, expr);
  struct polynomial p = {0};

  if (!resolved || expr->type->kind != IR_TYPE_INT || expr->type->size < 4) return false;
  p = polynomial_of(resolved);
  if (!p.known || polynomial_hides(&p, n->y) || polynomial_hides(&p, n->x)) return false;
  p = polynomial_swap(&p, n->x, &n->row);
  if (!p.known || SEEDED(COLLAPSED_UNASKED)) return p.known;
  for (unsigned i = 0; i < p.count; i++)
    for (unsigned k = 0; k < p.terms[i].factor_count; k++)
      if (p.terms[i].factors[k]->kind == IR_EXPR_VAR && p.terms[i].factors[k]->var == n->y)
        return false;
  return true;
}

/* Expressions that fit as a whole lose y; of others the parts must fit. */
static struct ir_expr *in_row(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct nest *n = r->context;
  struct ir_rewriter rewriter = {r->arena, without_y, n};

  if (!n->fits || (!ir_expr_has_var(expr, n->y) && !ir_expr_has_var(expr, n->x))) return expr;
  if (is_of_row(n, expr)) return ir_rewrite_expr(&rewriter, expr);
  n->fits &= expr->kind != IR_EXPR_VAR;
  return NULL;
}

static bool find_nest(struct code *code, struct ir_stmt *stmt, struct nest *ret)
{
  struct ir_stmt *inner = counts_from_zero(stmt) ? only_loop(stmt->body) : NULL;
  bool leaves = false;

  if (!inner || stmt->pragma || inner->pragma) return false;
  *ret = (struct nest){stmt, inner, stmt->loop->iterator, inner->loop->iterator, .code = code};
  ret->height = size_of_loop(code, stmt->loop, &ret->values[0]);
  ret->width = size_of_loop(code, inner->loop, &ret->values[1]);
  ir_visit_stmts(inner->body, note_leaving, &leaves);
  if (!ret->height || !ret->width || leaves) return false;
  struct polynomial width = polynomial_of(ret->width),
                    y = polynomial_of(ir_build_var(code->arena, ret->y)),
                    x = polynomial_of(ir_build_var(code->arena, ret->x)),
                    rows = polynomial_product(&width, &y);
  ret->row = polynomial_sum(&x, &rows, -1);
  ret->fits = ret->row.known;
  struct ir_rewriter rewriter = {code->arena, in_row, ret};
  ret->body = ir_rewrite_stmt(&rewriter, inner->body);
  return ret->fits;
}

/* ---- the conditions ---- */

/* 0 <= height && 0 <= width && (long long)height * width <= INT_MAX; NULL: it is certain, or (with
 * ret_never) never so. */
static struct ir_expr *condition_of(const struct nest *n, bool *ret_never)
{
  struct arena *arena = n->code->arena;
  const struct ir_type *wide = lower_int_type(arena, true);
  struct ir_expr *sizes[] = {n->height, n->width}, *all = NULL;
  bool known = n->values[0] >= 0 && n->values[1] >= 0;

  *ret_never = known && n->values[0] * n->values[1] > INT32_MAX;
  if (known) return NULL;
  for (unsigned i = 0; i < 2; i++)
    if (n->values[i] < 0)
      all = ir_build_both(arena, all,
                          ir_build_binary(arena, IR_OP_GE, sizes[i], ir_build_int(arena, 0)));
  struct ir_expr *product = ir_build_binary(arena, IR_OP_MUL, ir_build_cast(arena, wide, n->height),
                                            ir_build_cast(arena, wide, n->width));
  return ir_build_both(arena, all,
                       ir_build_binary(arena, IR_OP_LE, product,
                                       ir_build_cast(arena, wide, ir_build_int(arena, INT32_MAX))));
}

static void ask(struct collapsing *c, struct ir_expr *condition)
{
  for (unsigned i = 0; i < c->asked_count; i++)
    if (ir_same_expr(c->asked[i], condition)) return;
  if (c->asked_count < MOST_ASKED) c->asked[c->asked_count++] = condition;
}

/* ---- the code ---- */

static struct ir_stmt *collapsed(struct collapsing *c, const struct nest *n)
{
  struct arena *arena = c->code->arena;
  bool known = n->values[0] >= 0 && n->values[1] >= 0;
  struct ir_expr *all =
      known ? ir_build_int(arena, n->values[0] * n->values[1])
            : ir_build_binary(arena, IR_OP_MUL, n->outer->loop->bound, n->inner->loop->bound);
  struct ir_stmt *loop = ir_build_for(arena, n->x, ir_build_int(arena, 0), all, 1, n->body);

  loop->place = n->outer->place;
  *ARENA_PUSH(arena, &c->draft->formed) =
      (struct formed){n->outer->place, DIAG_LOOPS_COLLAPSED, DIAG_LOOPS_COLLAPSED, NULL,
                      "one loop in the place of two over neighbouring rows"};
  return loop;
}

/* The statement with its nests collapsed, the inner ones first. */
static struct ir_stmt *collapse(struct collapsing *c, struct ir_stmt *stmt)
{
  struct ir_stmt *copy = ir_copy_stmt(c->code->arena, stmt), **below;
  struct nest nest;
  bool never;

  for (unsigned i = 0; (below = ir_below(copy, i)); i++)
    if (*below) *below = collapse(c, *below);
  if (!find_nest(c->code, copy, &nest)) return copy;
  struct ir_expr *condition = condition_of(&nest, &never);
  if (never) return copy;
  if (!c->draft && condition) ask(c, condition);
  bool granted = !condition || code_granted(c->code, condition);
  return c->draft && granted ? collapsed(c, &nest) : copy;
}

unsigned loop_collapse_ask(struct code *code, struct ir_expr **ret, unsigned most)
{
  struct collapsing c = {.code = code};

  collapse(&c, code->facts.kernel->body);
  for (unsigned i = 0; i < c.asked_count && i < most; i++) ret[i] = c.asked[i];
  return c.asked_count < most ? c.asked_count : most;
}

bool plan_loop_collapse(struct draft *draft)
{
  struct collapsing c = {.code = &draft->code, .draft = draft};
  unsigned before = draft->formed.count;
  struct ir_stmt *body = collapse(&c, draft->code.facts.kernel->body);

  if (draft->formed.count == before) return false;
  code_drop_scan(&draft->code);
  draft->code.facts.kernel->body = body;
  draft_own_body(draft);
  return true;
}
