/* SPDX-License-Identifier: MIT */
/* ragged_round.c - products that wait for the next iteration.
 *
 *     for (j = first; j < end; j++) {             nvcc unrolls the loop, and fuses the product of
 * an sum += wait;                              iteration with the sum of the next one; in chunks
 *       wait = val[j] * x[col[j]];                it unrolls from other iterations on
 *     }
 *
 * A product that a sum of its own iteration uses is fused in both loops. Looks at locals that an
 * iteration hands on: none of them may be a product that a sum uses. Requires: nothing.
 */
#include "analysis/transform/ragged_stage/ragged.h"
#include "runtime/seeded.h"

struct product_search {
  struct ir_stmt *body;
  const struct ir_var *var;
  bool product, added; /* may it be a product, and does a sum use it? */
  struct ir_place place;
};

static bool is_product(struct ir_expr *expr)
{
  expr = ir_strip(expr);
  if (expr->type->kind != IR_TYPE_FLOAT) return false;
  switch (expr->kind) {
  case IR_EXPR_CALL: return true;
  case IR_EXPR_CAST:
  case IR_EXPR_VAR: /* of a local that is one, perhaps */
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER: return true;
  case IR_EXPR_UNARY: return is_product(expr->operands[0]);
  case IR_EXPR_COND: return is_product(expr->operands[1]) || is_product(expr->operands[2]);
  case IR_EXPR_BINARY: return expr->op == IR_OP_MUL;
  default: return false;
  }
}

static bool is_sum(enum ir_op op) { return op == IR_OP_ADD || op == IR_OP_SUB; }

/* Is the expression the variable, or computed of it without a sum in between? */
static bool is_of(struct ir_expr *expr, const struct ir_var *var)
{
  expr = ir_strip(expr);
  if (expr->kind == IR_EXPR_UNARY && expr->op != IR_OP_DEREF) return is_of(expr->operands[0], var);
  return ir_holder(expr) == var;
}

static void note_use(struct ir_expr *expr, void *context)
{
  struct product_search *p = context;

  if (expr->kind == IR_EXPR_ASSIGN && ir_holder(expr->operands[0]) == p->var)
    p->product |=
        expr->op == IR_OP_MUL_ASSIGN || (expr->op == IR_OP_ASSIGN && is_product(expr->operands[1]));
  bool compound = expr->kind == IR_EXPR_ASSIGN && is_sum(ir_compound_op(expr->op));
  if (!compound && !(expr->kind == IR_EXPR_BINARY && is_sum(expr->op))) return;
  /* `sum += ...` adds to the sum, which is no product unless something else makes it one */
  for (unsigned i = 0; i < 2; i++)
    if (is_of(expr->operands[i], p->var)) {
      p->added = true;
      p->place = expr->place;
    }
}

struct carried_search {
  struct ir_stmt *loop;
  struct ir_place *place;
  const char *reason;
};

static void note_carried(struct ir_expr *expr, void *context)
{
  struct carried_search *s = context;
  const struct ir_var *var = expr->kind == IR_EXPR_ASSIGN ? ir_holder(expr->operands[0]) : NULL;

  if (s->reason || !var || expr->type->kind != IR_TYPE_FLOAT || strip_declares(s->loop->body, var))
    return;
  struct product_search p = {.body = s->loop->body, .var = var};
  ir_visit_stmt_exprs(s->loop->body, note_use, &p);
  if (!p.product || !p.added || SEEDED(RAGGED_PRODUCT)) return;
  s->reason = "a product waits for a sum of the next iteration, and nvcc may round it differently";
  *s->place = p.place;
}

const char *ragged_rounds(struct ir_stmt *loop, struct ir_place *ret_place)
{
  struct carried_search s = {loop, ret_place, NULL};

  ir_visit_stmt_exprs(loop->body, note_carried, &s);
  return s.reason;
}
