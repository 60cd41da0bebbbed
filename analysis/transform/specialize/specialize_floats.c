/* SPDX-License-Identifier: MIT */
/* specialize_floats.c - does nvcc fuse the same products and sums of floats as without constants?
 *
 *     s = 1; for (k = 0; k < count; k++) s += a[k] * b[k]; ... s * 2      with count = 1:
 *         (1 + a * b) * 2 becomes fma(a * b, 2, 2)
 *
 * The compiler of the emitted code makes one instruction of a product and a sum, and chooses the
 * product. With a constant in its place it may choose another one, and the last bit differs. So
 * these are left as they are: a number that becomes a constant in one of two products that are
 * added; a sum with such a number that is multiplied; a loop that becomes a single iteration; a
 * value that a loop hands on otherwise than by adding to it, or multiplying it. All else has the
 * same products and sums with and without the constants.
 */
#include "analysis/transform/specialize/specialize_parts.h"

static bool is_float(const struct ir_expr *expr)
{
  return expr->type && expr->type->kind == IR_TYPE_FLOAT;
}

/* Without parentheses and conversions between floats. */
static struct ir_expr *bare(struct ir_expr *expr)
{
  while ((expr->kind == IR_EXPR_PAREN || expr->kind == IR_EXPR_CONVERT ||
          expr->kind == IR_EXPR_CAST) &&
         is_float(expr->operands[0]))
    expr = expr->operands[0];
  return expr;
}

static bool is_op(struct ir_expr *expr, enum ir_op op)
{
  return expr->kind == IR_EXPR_BINARY && is_float(expr) && expr->op == op;
}

static bool is_sum(struct ir_expr *expr)
{
  return is_op(expr, IR_OP_ADD) || is_op(expr, IR_OP_SUB);
}

/* An integer that becomes a constant, as a float. */
static bool is_constant(struct looking *l, struct ir_expr *expr)
{
  int64_t value, is;

  expr = bare(expr);
  bool converts = (expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_CAST) && is_float(expr);
  return converts && !ir_constant(expr->operands[0], &is) &&
         number_of(&l->numbers, expr->operands[0], &value);
}

static bool has_constant(struct looking *l, struct ir_expr *expr)
{
  expr = bare(expr);
  if (is_constant(l, expr)) return true;
  if (!is_op(expr, IR_OP_MUL) && !is_sum(expr)) return false;
  return has_constant(l, expr->operands[0]) || has_constant(l, expr->operands[1]);
}

struct float_search {
  struct looking *l;
  bool differs;
};

static void note_expr(struct ir_expr *expr, void *context)
{
  struct float_search *s = context;
  struct ir_expr *a, *b;

  if (is_sum(expr)) {
    a = bare(expr->operands[0]), b = bare(expr->operands[1]);
    s->differs |= is_op(a, IR_OP_MUL) && is_op(b, IR_OP_MUL) &&
                  (has_constant(s->l, a) || has_constant(s->l, b));
  }
  if (!is_op(expr, IR_OP_MUL)) return;
  for (unsigned i = 0; i < 2; i++) {
    a = bare(expr->operands[i]);
    s->differs |=
        is_sum(a) && (is_constant(s->l, a->operands[0]) || is_constant(s->l, a->operands[1]));
  }
}

/* An assignment in a loop that becomes short. */
static void note_assignment(struct ir_expr *expr, void *context)
{
  struct float_search *s = context;
  struct ir_var *var = expr->kind == IR_EXPR_ASSIGN ? ir_assigned_var(expr) : NULL;

  if (!var || !is_float(expr->operands[0]) || !ir_expr_has_var(expr->operands[1], var)) return;
  s->differs |= ir_strip(expr->operands[1])->kind != IR_EXPR_CALL;
}

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  struct float_search *s = context;
  bool now;
  double trips = stmt->kind == IR_STMT_FOR ? specialize_trips(s->l, stmt, &now) : -1;

  if (trips < 0 || now) return true;
  s->differs |= trips <= 1;
  number_set(&s->l->numbers, stmt->loop->iterator, 0);
  ir_visit_stmt_exprs(stmt->body, note_assignment, s);
  return true;
}

bool specialize_keeps_bits(struct looking *l, struct ir_stmt *body)
{
  struct looking inner = *l;
  struct float_search s = {&inner, false};

  ir_visit_stmts(body, note_loop, &s);
  ir_visit_stmt_exprs(body, note_expr, &s);
  return !s.differs;
}
