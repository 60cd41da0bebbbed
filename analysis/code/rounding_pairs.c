/* SPDX-License-Identifier: MIT */
/* rounding_pairs.c - sums of two products, of which nvcc fuses one and rounds the other.
 *
 *     s += a[i] * w[k] + b[j] * w[k];      =>      s += a[i] * w[k] + __fmul_rn(b[j], w[k]);
 *
 * nvcc fuses the first one, by its order of operands (rounding_rank.h), if nothing but sums of its
 * basic block use it, and at most four: the other one is rounded. In a difference the left one is
 * the first. Where loads come in another order, another one is the first; with several elements a
 * thread the first one may be that of many elements, and nvcc would fuse the other one. So the
 * product that nvcc rounds as written is rounded in any case. The other one is then the only
 * product of its sums, which nvcc always fuses. A first product that a loop repeats, and the other
 * one does not, stands in front of the loop: the other one is fused. Gives up, and leaves the pair:
 * an order that is not known, a product that stands there twice, other loops that may be unrolled
 * and repeat the first one, differences of which the left one is repeated.
 */
#include "analysis/code/loop.h"
#include "analysis/code/rounding.h"
#include "analysis/code/rounding_pin.h"
#include "analysis/code/rounding_rank.h"
#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

enum { MOST_LOOPS = 16, MOST_TRIPS = 128 /* of a loop that nvcc may unroll as a whole */ };

struct pairs {
  struct rounding r; /* its steps */
  struct ir_stmt *body;
  struct ir_stmt *loops[MOST_LOOPS]; /* around this place */
  unsigned depth;
  bool deep; /* there are more */
  struct ranked_sums sums;
  LIST_OF(const struct ir_expr *) rounded;
};

static struct ir_expr *product_in(const struct ir_expr *sum, unsigned side)
{
  struct ir_expr *bare = ir_strip(sum->operands[side]);
  bool is = bare->kind == IR_EXPR_BINARY && bare->op == IR_OP_MUL && bare->type &&
            bare->type->kind == IR_TYPE_FLOAT && bare->type->size == sum->type->size;

  return is ? bare : NULL;
}

/* Is one of the factors the number, as a literal? */
static bool has_factor(const struct ir_expr *product, double factor)
{
  for (unsigned i = 0; i < 2; i++) {
    const struct ir_expr *bare = ir_strip(product->operands[i]);
    int64_t whole;
    bool literal = bare->kind == IR_EXPR_LITERAL && rounding_is_real(bare->type) && bare->text;
    if (literal ? strtod(bare->text, NULL) == factor
                : ir_constant(bare, &whole) && (double)whole == factor)
      return true;
  }
  return false;
}

/* Does nvcc see no product in it? x * 1 is x, x * -1 is -x. An operand x * 2 of a difference is
 * x + x. The other product of the sum is then its only one, which nvcc fuses. */
static bool is_no_product(const struct ir_expr *product, bool of_difference)
{
  return !SEEDED(PAIR_OF_TWICE) && (has_factor(product, 1) || has_factor(product, -1) ||
                                    (of_difference && has_factor(product, 2)));
}

struct same_search {
  const struct ir_expr *expr;
  unsigned count;
};

static void note_same(struct ir_expr *expr, void *context)
{
  struct same_search *s = context;
  bool turned = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL &&
                ir_same_expr(expr->operands[0], s->expr->operands[1]) &&
                ir_same_expr(expr->operands[1], s->expr->operands[0]);

  s->count += turned || ir_same_expr(expr, s->expr);
}

static bool stands_once(const struct pairs *p, const struct ir_expr *product)
{
  struct same_search search = {product, 0};

  ir_visit_stmt_exprs(p->body, note_same, &search);
  return search.count <= 1;
}

/* May nvcc put the loop's iterations one after the other, all of them? */
static bool is_unrolled(const struct ir_stmt *stmt)
{
  int64_t lower, bound;
  const struct ir_loop *loop = stmt->loop;

  if (!loop || loop->step_expr || !loop->lower || !ir_constant(loop->lower, &lower) ||
      !ir_constant(loop->bound, &bound))
    return false;
  return loop_trips_between(loop, (double)lower, (double)bound) <= MOST_TRIPS;
}

/* Is it another product in each iteration of the loops that nvcc unrolls, and of the innermost? */
static bool is_own(struct pairs *p, struct ir_expr *product)
{
  for (unsigned i = p->depth; i-- > 0;) {
    bool asked = i + 1 == p->depth || is_unrolled(p->loops[i]);
    if (asked && !rounding_varies(&p->r, p->loops[i], product)) return false;
  }
  return true;
}

static void note_memory(struct ir_expr *expr, void *context)
{
  bool local = expr->kind != IR_EXPR_VAR || expr->var->kind == IR_VAR_LOCAL ||
               expr->var->kind == IR_VAR_PARAM;

  *(bool *)context |= !local || expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_CALL ||
                      expr->kind == IR_EXPR_MEMBER ||
                      (expr->kind == IR_EXPR_UNARY && expr->op == IR_OP_DEREF);
}

static bool reads_memory(struct ir_expr *expr)
{
  bool reads = false;

  ir_visit_expr(expr, note_memory, &reads);
  return reads;
}

/* Does it stand in front of the innermost loop, once for all iterations? */
static bool is_in_front(struct pairs *p, struct ir_expr *product)
{
  struct ir_stmt *inner = p->depth ? p->loops[p->depth - 1] : NULL;

  return inner && !is_unrolled(inner) && !reads_memory(product) &&
         !rounding_varies(&p->r, inner, product);
}

/* `first`: the side of the product that nvcc takes first. */
static void round_other(struct pairs *p, const struct ranked_sum *sum, unsigned first)
{
  struct ir_expr *fused = (struct ir_expr *)sum->products[first],
                 *other = (struct ir_expr *)sum->products[1 - first];

  if (p->deep || !stands_once(p, fused) || !stands_once(p, other)) return;
  if (is_own(p, fused))
    *ARENA_PUSH(p->r.code->arena, &p->rounded) = other;
  else if (sum->sum->op != IR_OP_SUB && is_in_front(p, fused) && is_own(p, other))
    *ARENA_PUSH(p->r.code->arena, &p->rounded) = fused;
}

static const struct ranked_sum *ranked(const struct pairs *p, const struct ir_expr *sum)
{
  for (unsigned i = 0; i < p->sums.list.count; i++)
    if (p->sums.list.items[i].sum == sum) return &p->sums.list.items[i];
  return NULL;
}

static void note_pair(struct ir_expr *expr, void *context)
{
  struct pairs *p = context;
  const struct ranked_sum *sum = ranked(p, expr);
  bool differs =
      expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_SUB && expr->type->kind == IR_TYPE_FLOAT;
  struct ranked_sum difference = {.sum = expr};

  for (unsigned i = 0; i < 2 && differs; i++) difference.products[i] = product_in(expr, i);
  if (difference.products[0] && difference.products[1] &&
      !is_no_product(difference.products[0], true) && !is_no_product(difference.products[1], true))
    round_other(p, &difference, 0);
  if (!sum || is_no_product(sum->products[0], false) || is_no_product(sum->products[1], false))
    return;
  bool known = sum->first != RANK_UNKNOWN && sum->alone[0] && sum->alone[1];
  if (known) round_other(p, sum, sum->first == RANK_RIGHT);
}

static void walk(struct pairs *p, struct ir_stmt *stmt)
{
  struct ir_stmt **below;

  if (!stmt) return;
  bool loop = stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  if (loop && p->depth == MOST_LOOPS) p->deep = true;
  if (loop && !p->deep) p->loops[p->depth++] = stmt;
  if (stmt->expr) ir_visit_expr(stmt->expr, note_pair, p);
  for (unsigned i = 0; i < stmt->expr_count; i++) ir_visit_expr(stmt->exprs[i], note_pair, p);
  for (unsigned i = 0; (below = ir_below(stmt, i)); i++) walk(p, *below);
  if (loop && !p->deep) p->depth--;
}

static struct ir_expr *round_one(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct pairs *p = r->context;

  for (unsigned i = 0; i < p->rounded.count; i++)
    if (p->rounded.items[i] == expr)
      return rounding_pin_product(r->arena, expr, ir_rewrite_expr(r, expr->operands[0]),
                                  ir_rewrite_expr(r, expr->operands[1]));
  return NULL;
}

struct ir_stmt *rounding_pin_pairs(struct code *code, struct ir_stmt *body)
{
  struct pairs p = {.r = {.code = code}, .body = body};
  struct ir_rewriter rewriter = {code->arena, round_one, &p};

  if (code->reorders || SEEDED(PAIR_FUSED_ANYWHERE)) return body;
  rounding_rank(code, body, &p.sums);
  walk(&p, body);
  return p.rounded.count ? ir_rewrite_stmt(&rewriter, body) : body;
}
