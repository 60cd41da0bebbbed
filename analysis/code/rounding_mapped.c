/* SPDX-License-Identifier: MIT */
/* rounding_mapped.c - the walk of rounding.c for a kernel whose threads get several elements each.
 *
 *     float t = a[i] * x;                          the code of interior threads has no condition:
 *     if (i > 0) t += b[i - 1];                    nvcc fuses the product with the sum
 *     out[i] = t;
 *
 *     out[i] = x * y + a[i];                       one product for all elements of a thread: nvcc
 *                                                  computes it once, and fuses none of the sums
 *
 *     w * in[i - n] + w * in[i] + w * in[i + n]    the last product is that of the first sum two
 *                                                  rows below
 *
 * A condition on indices and parameters may be gone for some threads, one on memory stays. A
 * product that a sum uses depends on each axis along which a thread has elements. Where it may be
 * the product of another element, too, there are no conditions between the elements, and few of
 * these: nvcc fuses a product with up to four sums of its own basic block. Else it is made each
 * element's own (rounding_own.c).
 */
#include "analysis/code/rounding.h"
#include "runtime/seeded.h"

#include <string.h>

bool rounding_decided(const struct rounding *r, const struct traced *condition)
{
  bool dropped = r->remapped && !condition->data && !SEEDED(DROPPED_UNASKED);

  return condition->constness == MADE || dropped;
}

struct ir_expr *rounding_written(struct ir_expr *expr)
{
  for (unsigned depth = 0; depth < 16; depth++) {
    expr = ir_strip(expr);
    bool local = expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL && expr->var->init &&
                 expr->var->write_count <= 1 && !expr->var->address_taken;
    if (!local) break;
    expr = expr->var->init;
  }
  return expr;
}

static const struct ir_var *array_of(struct ir_expr *expr)
{
  while (expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_MEMBER)
    expr = ir_strip(expr->operands[0]);
  return expr->kind == IR_EXPR_VAR ? expr->var : NULL;
}

/* Is it an element that is another one for each element of a thread? */
static bool is_own(struct rounding *r, struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_INDEX && rounding_value(r, expr).axes & r->remapped->axes;
}

static bool may_meet(struct rounding *r, struct ir_expr *a, struct ir_expr *b);

/* x - y and x' - y', of which each part may be the same */
static bool parts_may_meet(struct rounding *r, struct ir_expr *a, struct ir_expr *b)
{
  if (a->kind != b->kind || a->op != b->op || a->operand_count != b->operand_count) return false;
  bool same_call = a->text && b->text && !strcmp(a->text, b->text);
  bool parts = a->kind == IR_EXPR_BINARY || a->kind == IR_EXPR_UNARY || a->kind == IR_EXPR_CAST ||
               (a->kind == IR_EXPR_CALL && same_call);
  for (unsigned i = 0; parts && i < a->operand_count; i++)
    parts = may_meet(r, a->operands[i], b->operands[i]);
  return parts;
}

/* May two factors be one value, for two elements? */
static bool may_meet(struct rounding *r, struct ir_expr *a, struct ir_expr *b)
{
  a = rounding_written(a);
  b = rounding_written(b);
  if (ir_same_expr(a, b)) return true;
  struct ir_expr *chosen = a->kind == IR_EXPR_COND ? a : b, *other = chosen == a ? b : a;
  if (chosen->kind == IR_EXPR_COND && !SEEDED(CHOSEN_FACTOR_UNASKED))
    return may_meet(r, chosen->operands[1], other) || may_meet(r, chosen->operands[2], other);
  if (is_own(r, a) && is_own(r, b)) return array_of(a) && array_of(a) == array_of(b);
  return parts_may_meet(r, a, b);
}

struct factors {
  struct ir_expr *items[2];
};

static struct factors factors_of(const struct ir_expr *product)
{
  return (struct factors){
      {rounding_written(product->operands[0]), rounding_written(product->operands[1])}};
}

/* w * in[i - 1] and w * in[i] */
static bool is_shared(struct rounding *r, const struct ir_expr *product,
                      const struct ir_expr *other)
{
  if (product->kind == IR_EXPR_CALL || other->kind == IR_EXPR_CALL) return false;
  struct factors a = factors_of(product), b = factors_of(other);
  for (unsigned turned = 0; turned < 2; turned++) {
    struct ir_expr *first = b.items[turned], *second = b.items[1 - turned];
    bool same = ir_same_expr(a.items[0], first) && ir_same_expr(a.items[1], second);
    if (!same && may_meet(r, a.items[0], first) && may_meet(r, a.items[1], second)) return true;
  }
  return false;
}

bool rounding_may_be_same(struct rounding *r, const struct ir_expr *product,
                          const struct ir_expr *other)
{
  struct factors a = factors_of(product), b = factors_of(other);

  return (may_meet(r, a.items[0], b.items[0]) && may_meet(r, a.items[1], b.items[1])) ||
         (may_meet(r, a.items[0], b.items[1]) && may_meet(r, a.items[1], b.items[0]));
}

bool rounding_may_have_factor(struct rounding *r, struct ir_expr *value,
                              const struct ir_expr *product)
{
  struct factors factors = factors_of(product);

  return may_meet(r, value, factors.items[0]) || may_meet(r, value, factors.items[1]);
}

/* w * in[i + k], in a loop over k: no factor has, in each iteration, a value that no element has in
 * another one. */
static bool is_shared_by_iterations(struct rounding *r, const struct ir_expr *product)
{
  if (!r->inner || product->kind == IR_EXPR_CALL) return false;
  struct factors factors = factors_of(product);
  bool moves = false;

  for (unsigned i = 0; i < 2; i++) {
    bool varies = rounding_varies(r, r->inner, factors.items[i]);
    if (varies && !is_own(r, factors.items[i])) return false;
    moves |= varies;
  }
  return moves;
}

const char rounding_shares[] = "its elements would share products, which nvcc would not fuse";

/* Elements of a thread share the product. */
static void note_shared(struct rounding *r, const struct ir_expr *place,
                        const struct ir_expr *product, bool ownable)
{
  if (!r->remapped->owns || !product || !ownable) {
    rounding_found(r, place, rounding_shares);
    return;
  }
  for (unsigned i = 0; i < r->owned.count; i++)
    if (r->owned.items[i] == product) return;
  *ARENA_PUSH(r->code->arena, &r->owned) = product;
}

/* A sum uses a product that has been seen. */
static void note_again(struct rounding *r, const struct ir_expr *place, unsigned known,
                       bool ownable)
{
  r->ownable[known] &= ownable;
  for (unsigned i = 0; i < r->owned.count && !r->ownable[known]; i++)
    if (r->owned.items[i] == r->added[known]) rounding_found(r, place, rounding_shares);
}

void rounding_added(struct rounding *r, const struct ir_expr *place, const struct traced *product)
{
  const struct ir_expr *from = product->from;
  bool all_axes = (product->axes & r->remapped->axes) == r->remapped->axes,
       ownable = from && rounding_ownable(r, place, from), apart = r->remapped->apart,
       direct = ir_strip((struct ir_expr *)place) == from;

  if (!all_axes && !SEEDED(SHARED_PRODUCT_UNASKED)) note_shared(r, place, from, ownable);
  if (!r->remapped->axes || !from || r->reason) return;
  if (apart && is_shared_by_iterations(r, from)) note_shared(r, place, from, ownable);
  for (unsigned i = 0; i < r->added_count; i++) {
    if (r->added[i] == from) {
      r->direct[i] &= direct;
      note_again(r, place, i, ownable);
      return;
    }
    if (apart && is_shared(r, r->added[i], from) && !SEEDED(NEIGHBOUR_PRODUCT_UNASKED)) {
      note_shared(r, place, r->added[i], r->ownable[i]);
      note_shared(r, place, from, ownable);
    }
  }
  if (r->added_count == MOST_ADDED) {
    if (apart)
      rounding_found(r, place,
                     "it has too many products to tell whether its results stay the same");
    return;
  }
  r->ownable[r->added_count] = ownable;
  r->direct[r->added_count] = direct;
  r->added[r->added_count++] = from;
}

/* ---- products that something else uses ---- */

static bool is_of_sums(const struct rounding *r, const struct ir_expr *product)
{
  for (unsigned i = 0; i < r->added_count; i++)
    if (r->added[i] == product) return r->direct[i];
  return false;
}

/* fmaxf(in[i - 1] * w, 0) + (1 + in[i + 1] * w) */
static void note_used(struct ir_expr *expr, void *context)
{
  struct rounding *r = context;
  bool multiplies = (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL) ||
                    (expr->kind == IR_EXPR_ASSIGN && ir_compound_op(expr->op) == IR_OP_MUL);

  if (!multiplies || !rounding_is_real(expr->type) || is_of_sums(r, expr)) return;
  for (unsigned i = 0; i < r->added_count && !SEEDED(OTHER_USE_UNASKED); i++)
    if (r->added[i] != expr && is_shared(r, r->added[i], expr))
      rounding_found(r, expr, rounding_shares);
}

void rounding_check_used(struct rounding *r, struct ir_stmt *body)
{
  if (r->added_count && !r->reason) ir_visit_stmt_exprs(body, note_used, r);
}
