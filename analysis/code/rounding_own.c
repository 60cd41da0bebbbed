/* SPDX-License-Identifier: MIT */
/* rounding_own.c - products that elements of a thread may share become each element's own.
 *
 *     s += in[y + k][x] * 0.04f      =>      s += mesi_own(in[y + k][x], key) * 0.04f
 *
 * A thread with several elements computes the product of one for another one, too. cicc merges the
 * two, and no rule says what becomes of a product with many uses. mesi_own is the identity, which
 * it cannot look through. The key is another one for each element. So each product has one use, as
 * in the kernel as written, and cicc fuses it with its sum. With -fmad=false it is a product as any
 * other.
 *
 * Requires of a product: a sum uses it at once, and nothing else; the sum has no other product, no
 * function and no choice beside it; a factor is an element of memory or an argument, of which
 * nothing is known anyway; whatever product may be the same value is one of these, too. Gives up:
 * differences, which cicc leaves to ptxas, and products with negative numbers, of which it makes
 * differences.
 */
#include "analysis/code/renew.h"
#include "analysis/code/rounding.h"
#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

#include <string.h>

static const char name_of_own[] = "mesi_own", name_of_own_double[] = "mesi_own_double";

/* Is its value one that the compiler knows nothing of? */
static bool is_opaque(struct ir_expr *factor, const struct ir_type *type)
{
  struct ir_expr *bare = rounding_written(factor);
  const struct ir_type *from = bare->type;

  if (bare->kind == IR_EXPR_VAR)
    return bare->var->kind == IR_VAR_PARAM && !bare->var->write_count &&
           from->kind == IR_TYPE_FLOAT && from->size == type->size;
  if (bare->kind != IR_EXPR_INDEX && bare->kind != IR_EXPR_MEMBER) return false;
  const struct ir_var *holder = ir_holder(bare);
  if (holder && holder->kind == IR_VAR_LOCAL) return false;
  return (from->kind == IR_TYPE_FLOAT && from->size == type->size) ||
         (from->kind == IR_TYPE_INT && from->size <= 2);
}

/* The factor that is made an element's own. -1: none. */
static int own_factor(const struct ir_expr *product)
{
  for (int i = 0; i < 2; i++)
    if (is_opaque(product->operands[i], product->type)) return i;
  return -1;
}

static void note_ways(struct ir_expr *expr, void *context)
{
  bool ways = expr->kind == IR_EXPR_COND ||
              (expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR)),
       pinned = expr->kind == IR_EXPR_CALL && expr->text &&
                (!strcmp(expr->text, "__fmul_rn") || !strcmp(expr->text, "__dmul_rn"));

  *(bool *)context |= ways || (expr->kind == IR_EXPR_CALL && !pinned);
}

/* LLVM makes a difference of a sum with such a product. */
static bool is_negative(struct rounding *r, const struct ir_expr *product)
{
  for (unsigned i = 0; i < 2; i++) {
    struct ir_expr *factor = rounding_written(product->operands[i]);
    struct traced value = rounding_value(r, factor);
    if (factor->kind == IR_EXPR_UNARY && factor->op == IR_OP_NEG) return true;
    if (value.constness && (!value.exact || value.number < 0)) return true;
  }
  return false;
}

bool rounding_ownable(struct rounding *r, const struct ir_expr *operand,
                      const struct ir_expr *product)
{
  bool ways = false;

  if (!r->alone || ir_strip((struct ir_expr *)operand) != product) return false;
  if (product->kind != IR_EXPR_BINARY || product->op != IR_OP_MUL ||
      !rounding_is_real(product->type) || operand->type->size != product->type->size)
    return false;
  ir_visit_expr(r->beside, note_ways, &ways);
  ir_visit_expr((struct ir_expr *)product, note_ways, &ways);
  return !ways && own_factor(product) >= 0 && !is_negative(r, product);
}

/* ---- whatever else may be the same value ---- */

struct others {
  struct rounding *r;
  const struct ir_expr *owned;
  const struct ir_expr *found;
};

static bool is_added(const struct rounding *r, const struct ir_expr *product)
{
  for (unsigned i = 0; i < r->added_count; i++)
    if (r->added[i] == product) return r->ownable[i];
  return false;
}

static void note_other(struct ir_expr *expr, void *context)
{
  struct others *o = context;
  enum ir_op op = expr->kind == IR_EXPR_ASSIGN   ? ir_compound_op(expr->op)
                  : expr->kind == IR_EXPR_BINARY ? expr->op
                                                 : IR_OP_COUNT;

  if ((op != IR_OP_MUL && op != IR_OP_DIV) || !expr->type || expr->type->kind != IR_TYPE_FLOAT ||
      is_added(o->r, expr))
    return;
  if (op == IR_OP_MUL ? rounding_may_be_same(o->r, expr, o->owned)
                      : rounding_may_have_factor(o->r, expr->operands[0], o->owned))
    o->found = expr;
}

void rounding_check_owned(struct rounding *r, struct ir_stmt *body)
{
  for (unsigned i = 0; i < r->owned.count && !r->reason; i++) {
    struct others others = {.r = r, .owned = r->owned.items[i]};
    ir_visit_stmt_exprs(body, note_other, &others);
    if (others.found && !SEEDED(OWN_PRODUCT_USED)) rounding_found(r, others.found, rounding_shares);
  }
}

/* ---- the new code ---- */

static struct ir_expr *made_own(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct rounding *rounding = r->context;
  bool owned = false;

  for (unsigned i = 0; i < rounding->owned.count; i++) owned |= rounding->owned.items[i] == expr;
  if (!owned) return NULL;
  const struct ir_type *type = ir_plain_type(r->arena, expr->type);
  struct ir_expr *call =
      ir_build_call(r->arena, type->size == 4 ? name_of_own : name_of_own_double, IR_EFFECT_NONE);
  struct ir_expr *factors[2] = {ir_rewrite_expr(r, expr->operands[0]),
                                ir_rewrite_expr(r, expr->operands[1])};
  int chosen = own_factor(expr);
  call->type = type;
  call->place = expr->place;
  ir_add_argument(r->arena, call, factors[chosen]);
  factors[chosen] = call;
  struct ir_expr *product = ARENA_NEW(r->arena, struct ir_expr);
  *product = *expr;
  product->operands = arena_alloc(r->arena, sizeof factors);
  memcpy(product->operands, factors, sizeof factors);
  return product;
}

struct ir_stmt *rounding_make_own(struct rounding *r, struct ir_stmt *body)
{
  struct ir_rewriter rewriter = {r->code->arena, made_own, r};

  return code_renew_locals(r->code, ir_rewrite_stmt(&rewriter, body));
}

static struct ir_expr *with_key(struct ir_rewriter *r, struct ir_expr *expr)
{
  static const enum ir_builtin ids[] = {IR_THREAD_IDX, IR_THREAD_IDX + 1};
  unsigned axes = *(const unsigned *)r->context;
  struct ir_expr *key = NULL;

  if (expr->kind != IR_EXPR_CALL || !expr->text ||
      (strcmp(expr->text, name_of_own) != 0 && strcmp(expr->text, name_of_own_double) != 0))
    return NULL;
  struct ir_expr *call = ir_build_call(r->arena, expr->text, IR_EFFECT_NONE);
  call->type = expr->type;
  call->place = expr->place;
  ir_add_argument(r->arena, call, ir_rewrite_expr(r, expr->operands[0]));
  for (unsigned i = 0; i < 2; i++) {
    struct ir_expr *id = ir_build_builtin(r->arena, ids[i]);
    if (!(axes >> i & 1) || SEEDED(OWN_PRODUCT_SHARED)) continue;
    key = key ? ir_build_binary(
                    r->arena, IR_OP_ADD, key,
                    ir_build_binary(r->arena, IR_OP_MUL, id, ir_build_int(r->arena, OWN_ROW)))
              : id;
  }
  ir_add_argument(r->arena, call, key ? key : ir_build_int(r->arena, 0));
  return call;
}

struct ir_stmt *rounding_own_keys(struct code *code, struct ir_stmt *body, unsigned axes)
{
  struct ir_rewriter rewriter = {code->arena, with_key, &axes};

  return ir_rewrite_stmt(&rewriter, body);
}
