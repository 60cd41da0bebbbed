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
 * these: nvcc fuses a product with up to four sums of its own basic block.
 */
#include "analysis/code/rounding.h"
#include "runtime/seeded.h"

bool rounding_decided(const struct rounding *r, const struct traced *condition)
{
  bool dropped = r->remapped && !condition->data && !SEEDED(DROPPED_UNASKED);

  return condition->constness == MADE || dropped;
}

/* What the value is written as: without parentheses and conversions, and the value of a local that
 * is set once. */
static struct ir_expr *written(struct ir_expr *expr)
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

/* May two factors be one value, for two elements? */
static bool may_meet(struct rounding *r, struct ir_expr *a, struct ir_expr *b)
{
  if (ir_same_expr(a, b)) return true;
  return is_own(r, a) && is_own(r, b) && array_of(a) && array_of(a) == array_of(b);
}

struct factors {
  struct ir_expr *items[2];
};

static struct factors factors_of(const struct ir_expr *product)
{
  return (struct factors){{written(product->operands[0]), written(product->operands[1])}};
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

void rounding_added(struct rounding *r, const struct ir_expr *place, const struct traced *product)
{
  static const char shares[] = "its elements would share products, which nvcc would not fuse";

  if ((product->axes & r->remapped->axes) != r->remapped->axes && !SEEDED(SHARED_PRODUCT_UNASKED))
    rounding_found(r, place, shares);
  if (!r->remapped->apart || !product->from || r->reason) return;
  if (is_shared_by_iterations(r, product->from)) rounding_found(r, place, shares);
  for (unsigned i = 0; i < r->added_count; i++) {
    if (r->added[i] == product->from) return;
    if (is_shared(r, r->added[i], product->from) && !SEEDED(NEIGHBOUR_PRODUCT_UNASKED))
      rounding_found(r, place, shares);
  }
  if (r->added_count == MOST_ADDED)
    rounding_found(r, place, "it has too many products to tell whether its results stay the same");
  else
    r->added[r->added_count++] = product->from;
}
