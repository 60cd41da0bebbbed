/* SPDX-License-Identifier: MIT */
/* ir_same.c - the equality of types and of expressions.
 *
 *     i - 5  and  i - (5)      the same
 *     i - 5  and  i - 5u       two expressions: at i = 3 they are -2 and 4294967294
 *
 * Two expressions are the same only if every constant and every conversion in them has the same
 * type. Parentheses are ignored, and so are conversions without an effect on the value (a const
 * that is added or dropped, an array that becomes a pointer to its first element).
 */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

/* ---- types ---- */

/* The spelling without the qualifiers before it. */
static const char *bare_spelling(const struct ir_type *type)
{
  static const char *const qualifiers[] = {"const ", "volatile "};
  const char *spelling = type->spelling ? type->spelling : "";
  for (unsigned i = 0; i < 2; i++) {
    size_t length = strlen(qualifiers[i]);
    if (!strncmp(spelling, qualifiers[i], length)) spelling += length;
  }
  return spelling;
}

bool ir_same_type(const struct ir_type *a, const struct ir_type *b)
{
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind || a->size != b->size || a->is_signed != b->is_signed)
    return false;
  if (a->kind == IR_TYPE_POINTER || a->kind == IR_TYPE_REFERENCE || a->kind == IR_TYPE_ARRAY)
    return a->extent == b->extent && ir_same_type(a->element, b->element);
  return !strcmp(bare_spelling(a), bare_spelling(b));
}

/* ---- expressions ---- */

static bool types_count(void) { return !SEEDED(EQUALITY_UNTYPED); }

/* Does the conversion keep the operand's value and type, except for qualifiers? */
static bool keeps_value(const struct ir_expr *convert)
{
  const struct ir_type *to = convert->type, *from = convert->operands[0]->type;
  if (!types_count()) return true;
  if (to && from && from->kind == IR_TYPE_ARRAY && to->kind == IR_TYPE_POINTER)
    return ir_same_type(to->element, from->element);
  return ir_same_type(to, from);
}

static const struct ir_expr *bare(const struct ir_expr *expr)
{
  while (expr && expr->operand_count == 1 &&
         (expr->kind == IR_EXPR_PAREN || (expr->kind == IR_EXPR_CONVERT && keeps_value(expr))))
    expr = expr->operands[0];
  return expr;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* Is one a literal, and the other a constant of the same type and value? */
static bool same_constant(const struct ir_expr *a, const struct ir_expr *b)
{
  int64_t x, y;
  bool types = ir_same_type(a->type, b->type) || !types_count();
  return types && ir_constant(a, &x) && ir_constant(b, &y) && x == y;
}

/* Are the nodes equal, apart from their operands? */
static bool same_node(const struct ir_expr *a, const struct ir_expr *b)
{
  if (a->kind != b->kind || a->op != b->op || a->operand_count != b->operand_count ||
      a->var != b->var)
    return false;
  switch (a->kind) {
  case IR_EXPR_OPAQUE: return false;
  case IR_EXPR_VAR: return true;
  case IR_EXPR_CAST: return ir_same_type(a->type, b->type);
  case IR_EXPR_CONVERT: return ir_same_type(a->type, b->type);
  case IR_EXPR_UNARY:
  case IR_EXPR_BINARY:
  case IR_EXPR_ASSIGN:
  case IR_EXPR_COND:
  case IR_EXPR_INDEX: return true; /* the operands determine its type */
  default:
    return a->value == b->value && a->callee == b->callee && a->is_arrow == b->is_arrow &&
           same_text(a->text, b->text) && ir_same_type(a->type, b->type);
  }
}

bool ir_same_expr(const struct ir_expr *a, const struct ir_expr *b)
{
  a = bare(a);
  b = bare(b);
  if (!a || !b) return a == b;
  if (a == b) return true;
  if (a->kind == IR_EXPR_INT || b->kind == IR_EXPR_INT) return same_constant(a, b);
  if (!same_node(a, b)) return false;
  for (unsigned i = 0; i < a->operand_count; i++)
    if (!ir_same_expr(a->operands[i], b->operands[i])) return false;
  return true;
}
