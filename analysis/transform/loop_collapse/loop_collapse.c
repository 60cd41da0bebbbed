/* SPDX-License-Identifier: MIT */
/* loop_collapse.c - two loops over neighbouring rows become one.
 *
 *     for (y = 0; y < h; y++)
 *       for (x = 0; x < w; x++) sum += in[(plane * h + y) * w + x];
 *   =>
 *     for (j = 0; j < h * w; j++) sum += in[(plane * h + 0) * w + j];
 *
 * The iterations come in the same order. That is legal where the body uses the two iterators in
 * w * y + x alone: each of its integer expressions has no y left, as a polynomial, with j - w * y
 * in the place of x. Then it has the same value with 0 for y and j for x. Sizes that are no
 * constants are asked of the launch: none is negative, and their product is an int. Requires: both
 * loops count up by one from 0, and nothing but the inner loop stands in the outer one. Gives up:
 * an iteration may leave a loop, another use of an iterator, sizes that the launch does not know.
 */
#include "analysis/transform/loop_collapse/loop_collapse.h"

#include "analysis/code/polynomial.h"
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
  struct polynomial row;          /* j - width * y */
  struct code *code;
  bool fits;
};

/* ---- the loops ---- */

static bool counts_from_zero(const struct ir_stmt *stmt)
{
  const struct ir_loop *loop = stmt->kind == IR_STMT_FOR ? stmt->loop : NULL;
  int64_t lower;

  return loop && loop->lower && loop->bound && !loop->step_expr && loop->step == 1 &&
         loop->relation == IR_OP_LT && loop->declared && ir_constant(loop->lower, &lower) &&
         lower == 0 && loop->iterator->type->kind == IR_TYPE_INT &&
         loop->iterator->type->size == 4 && loop->iterator->type->is_signed;
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

struct number_search {
  bool other;
};

static void note_other(struct ir_expr *expr, void *context)
{
  struct number_search *s = context;
  bool param = expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_PARAM &&
               !expr->var->write_count && !expr->var->address_taken,
       sum = expr->kind == IR_EXPR_BINARY &&
             (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB || expr->op == IR_OP_MUL);

  s->other |= expr->type->kind != IR_TYPE_INT || expr->type->size != 4 ||
              (!param && !sum && expr->kind != IR_EXPR_INT && expr->kind != IR_EXPR_PAREN &&
               expr->kind != IR_EXPR_CAST && expr->kind != IR_EXPR_CONVERT);
}

/* The bound in numbers that the launch knows, and its value where it is one in all launches, else
 * -1. NULL: it does not know it. */
static struct ir_expr *size_of_loop(struct code *code, const struct ir_loop *loop,
                                    int64_t *ret_value)
{
  struct ir_expr *size = code_resolve(code, loop->bound);
  struct number_search search = {false};

  if (!size) return NULL;
  if (code_constant(code, size, ret_value))
    return *ret_value >= 0 && *ret_value <= INT32_MAX ? size : NULL;
  *ret_value = -1;
  ir_visit_expr(size, note_other, &search);
  return size->type->is_signed && !search.other ? size : NULL;
}

/* ---- the body ---- */

static void check_expr(struct nest *n, struct ir_expr *expr);

/* Has the expression the same value with 0 for y and j for x? */
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

static void check_expr(struct nest *n, struct ir_expr *expr)
{
  if (!n->fits || (!ir_expr_has_var(expr, n->y) && !ir_expr_has_var(expr, n->x))) return;
  if (is_of_row(n, expr)) return;
  if (expr->kind == IR_EXPR_VAR) n->fits = false;
  for (unsigned i = 0; i < expr->operand_count; i++) check_expr(n, expr->operands[i]);
}

/* Expressions are visited from the top; a part of one that fits is not looked at again. */
static struct ir_expr *check_whole(struct ir_rewriter *r, struct ir_expr *expr)
{
  check_expr(r->context, expr);
  return expr;
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
  struct ir_expr *j = ir_build_var(code->arena, ret->x), *y = ir_build_var(code->arena, ret->y);
  struct polynomial width = polynomial_of(ret->width), of_y = polynomial_of(y),
                    of_j = polynomial_of(j), rows = polynomial_product(&width, &of_y);
  ret->row = polynomial_sum(&of_j, &rows, -1);
  ret->fits = ret->row.known;
  struct ir_rewriter rewriter = {code->arena, check_whole, ret};
  ir_rewrite_stmt(&rewriter, inner->body);
  return ret->fits;
}

/* ---- the conditions ---- */

/* 0 <= height && 0 <= width && (long long)height * width <= INT_MAX; NULL: it is certain, or (with
 * ret_never) never so. */
static struct ir_expr *condition_of(const struct nest *n, bool *ret_never)
{
  static const struct ir_type wide = {.kind = IR_TYPE_INT,
                                      .spelling = "long long",
                                      .size = 8,
                                      .align = 8,
                                      .is_signed = true,
                                      .extent = -1};
  struct arena *arena = n->code->arena;
  struct ir_expr *sizes[] = {n->height, n->width}, *all = NULL;
  bool known = n->values[0] >= 0 && n->values[1] >= 0;

  *ret_never = known && n->values[0] * n->values[1] > INT32_MAX;
  if (known) return NULL;
  for (unsigned i = 0; i < 2; i++)
    if (n->values[i] < 0)
      all = ir_build_both(arena, all,
                          ir_build_binary(arena, IR_OP_GE, sizes[i], ir_build_int(arena, 0)));
  struct ir_expr *product =
      ir_build_binary(arena, IR_OP_MUL, ir_build_cast(arena, &wide, n->height),
                      ir_build_cast(arena, &wide, n->width));
  return ir_build_both(
      arena, all,
      ir_build_binary(arena, IR_OP_LE, product,
                      ir_build_cast(arena, &wide, ir_build_int(arena, INT32_MAX))));
}

static void ask(struct collapsing *c, struct ir_expr *condition)
{
  for (unsigned i = 0; i < c->asked_count; i++)
    if (ir_same_expr(c->asked[i], condition)) return;
  if (c->asked_count < MOST_ASKED) c->asked[c->asked_count++] = condition;
}

/* ---- the code ---- */

struct replacing {
  const struct nest *nest;
  struct ir_var *both;
};

static bool is_zero(const struct ir_expr *expr)
{
  int64_t value;
  return ir_constant(expr, &value) && value == 0;
}

static struct ir_expr *replace(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct replacing *s = r->context;

  if (expr->kind != IR_EXPR_VAR) return NULL;
  if (expr->var == s->nest->y)
    return ir_build_cast(r->arena, ir_plain_type(r->arena, s->nest->y->type),
                         ir_build_int(r->arena, 0));
  return expr->var == s->nest->x ? ir_build_var(r->arena, s->both) : NULL;
}

/* 0 * w => 0, a + 0 => a; the types stay */
static struct ir_expr *without_zeros(struct ir_rewriter *r, struct ir_expr *expr)
{
  bool sum = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_ADD,
       product = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL;

  if ((!sum && !product) || expr->type->kind != IR_TYPE_INT) return NULL;
  struct ir_expr *a = ir_rewrite_expr(r, expr->operands[0]),
                 *b = ir_rewrite_expr(r, expr->operands[1]);
  bool first = is_zero(ir_strip(a)), zero = first || is_zero(ir_strip(b));
  struct ir_expr *other = first ? b : a;
  if (product && zero && !ir_has_effects(other))
    return ir_build_cast(r->arena, ir_plain_type(r->arena, expr->type), ir_build_int(r->arena, 0));
  if (sum && zero && ir_same_type(other->type, expr->type)) return other;
  if (a == expr->operands[0] && b == expr->operands[1]) return expr;
  struct ir_expr *ret = ir_build_binary(r->arena, expr->op, a, b);
  ret->type = expr->type;
  ret->place = expr->place;
  return ret;
}

static struct ir_stmt *collapsed(struct collapsing *c, const struct nest *n)
{
  struct arena *arena = c->code->arena;
  struct replacing s = {n, code_local(c->code, arena_format(arena, "_%s", n->x->name),
                                      ir_plain_type(arena, n->x->type))};
  struct ir_rewriter rewriter = {arena, replace, &s}, zeros = {arena, without_zeros, NULL};
  struct ir_stmt *body = ir_rewrite_stmt(&zeros, ir_rewrite_stmt(&rewriter, n->inner->body));
  bool known = n->values[0] >= 0 && n->values[1] >= 0;
  struct ir_expr *all =
      known ? ir_build_int(arena, n->values[0] * n->values[1])
            : ir_build_binary(arena, IR_OP_MUL, n->outer->loop->bound, n->inner->loop->bound);
  struct ir_stmt *loop = ir_build_for(arena, s.both, ir_build_int(arena, 0), all, 1, body);

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
