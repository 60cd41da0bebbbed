/* SPDX-License-Identifier: MIT */
/* layer_stream_rounding.c - products that wait for another layer.
 *
 *     float sum = w * in[i];      as written nvcc fuses the product with the sum; threads that load
 *     sum += in[i + n];           each layer once keep it in a register until the next layer comes
 *
 * A product that a sum of its own layer uses stays fused. Requires: items with their stages, and
 * locals. Gives up where floats may not be rounded in another way.
 */
#include "analysis/transform/stream_layers/layer_stream.h"
#include "runtime/seeded.h"

struct product_search {
  const struct ir_var *var;
  bool product; /* so far */
};

static bool is_product(struct ir_expr *expr)
{
  expr = ir_strip(expr);
  bool multiplies =
      expr->kind == IR_EXPR_CALL || (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_MUL);

  return multiplies && expr->type->kind == IR_TYPE_FLOAT;
}

static void note_product(struct ir_expr *expr, void *context)
{
  struct product_search *p = context;

  if (expr->kind != IR_EXPR_ASSIGN || ir_assigned_var(expr) != p->var) return;
  p->product =
      expr->op == IR_OP_MUL_ASSIGN || (expr->op == IR_OP_ASSIGN && is_product(expr->operands[1]));
}

/* Is it a product at the end of a layer, behind which another one uses it? */
static bool hands_on_product(const struct layer_stream *s, const struct layer_stream_local *local)
{
  struct product_search p = {.var = local->var};
  int64_t stage = local->first;

  for (unsigned i = 0; i < s->item_count; i++) {
    const struct layer_stream_item *item = &s->items[i];
    if (item->stmt->kind == IR_STMT_DECL && item->stmt->var == local->var) {
      p.product = item->stmt->expr && is_product(item->stmt->expr);
      stage = item->stage;
      continue;
    }
    if (!ir_stmt_has_var(item->stmt, local->var)) continue;
    if (p.product && item->stage > stage && !SEEDED(LAYER_STREAM_PRODUCT)) return true;
    ir_visit_stmt_exprs(item->stmt, note_product, &p);
    stage = item->stage;
  }
  return false;
}

bool layer_stream_keeps_rounding(struct layer_stream *s)
{
  for (unsigned i = 0; i < s->local_count && !s->associative; i++)
    if (hands_on_product(s, &s->locals[i]))
      return layer_stream_give_up(
          s, "a product of one layer is added to another, and nvcc would not fuse them");
  return true;
}
