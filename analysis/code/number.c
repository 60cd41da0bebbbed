/* SPDX-License-Identifier: MIT */
/* number.c - integers of the code as one thread of a block has them.
 *
 *     2 * d * threadIdx.x     with d = 4 in this step, for thread 3: 24
 *
 * They are computed from the thread's number, the block's shape, constants, and the locals that the
 * caller has set. Gives up: memory, calls, a number that does not fit its type.
 */
#include "analysis/code/number.h"

bool number_set(struct numbers *v, const struct ir_var *var, int64_t value)
{
  for (unsigned i = 0; i < v->count; i++)
    if (v->vars[i] == var) {
      v->values[i] = value;
      return true;
    }
  if (v->count == MOST_SET) return false;
  v->vars[v->count] = var;
  v->values[v->count++] = value;
  return true;
}

static bool of_builtin(const struct numbers *v, int64_t builtin, int64_t *ret)
{
  const int64_t *block = v->block;
  int64_t axis = builtin % 3;

  if (builtin >= IR_BLOCK_DIM && builtin < IR_BLOCK_DIM + 3) {
    *ret = block[axis];
    return block[axis] > 0;
  }
  if (builtin == IR_WARP_SIZE) {
    *ret = 32;
    return true;
  }
  if (builtin >= IR_BLOCK_IDX || v->thread < 0) return false;
  *ret = axis == 0   ? v->thread % block[0]
         : axis == 1 ? v->thread / block[0] % block[1]
                     : v->thread / (block[0] * block[1]);
  return true;
}

static bool of_var(const struct numbers *v, struct ir_expr *expr, int64_t *ret)
{
  const struct code *code = v->code;

  for (unsigned i = 0; i < v->count; i++)
    if (v->vars[i] == expr->var) {
      *ret = v->values[i];
      return true;
    }
  if (code_constant(code, expr, ret)) return true;
  struct ir_expr *value = code_value_of(code, expr->var);
  return value && number_of(v, value, ret);
}

bool number_apply(enum ir_op op, int64_t a, int64_t b, int64_t *ret)
{
  switch (op) {
  case IR_OP_ADD: return !__builtin_add_overflow(a, b, ret);
  case IR_OP_SUB: return !__builtin_sub_overflow(a, b, ret);
  case IR_OP_MUL: return !__builtin_mul_overflow(a, b, ret);
  case IR_OP_DIV:
  case IR_OP_REM:
    if (b == 0 || b == -1) return false;
    *ret = op == IR_OP_DIV ? a / b : a % b;
    return true;
  case IR_OP_SHL:
  case IR_OP_SHR:
    if (a < 0 || a > INT32_MAX || b < 0 || b > 31) return false;
    *ret = op == IR_OP_SHL ? a << b : a >> b;
    return true;
  case IR_OP_AND: *ret = a & b; return true;
  case IR_OP_OR: *ret = a | b; return true;
  case IR_OP_XOR: *ret = a ^ b; return true;
  case IR_OP_LT: *ret = a < b; return true;
  case IR_OP_LE: *ret = a <= b; return true;
  case IR_OP_GT: *ret = a > b; return true;
  case IR_OP_GE: *ret = a >= b; return true;
  case IR_OP_EQ: *ret = a == b; return true;
  case IR_OP_NE: *ret = a != b; return true;
  default: return false;
  }
}

static bool of_binary(const struct numbers *v, struct ir_expr *expr, int64_t *ret)
{
  int64_t a, b;

  if (!number_of(v, expr->operands[0], &a)) return false;
  if (expr->op == IR_OP_LAND || expr->op == IR_OP_LOR) {
    *ret = a != 0;
    if ((a != 0) == (expr->op == IR_OP_LOR)) return true;
    if (!number_of(v, expr->operands[1], &b)) return false;
    *ret = b != 0;
    return true;
  }
  return number_of(v, expr->operands[1], &b) && number_apply(expr->op, a, b, ret);
}

static bool of_unary(const struct numbers *v, struct ir_expr *expr, int64_t *ret)
{
  int64_t a;

  if (ir_is_step(expr) || !number_of(v, expr->operands[0], &a)) return false;
  switch (expr->op) {
  case IR_OP_NEG: *ret = -a; return true;
  case IR_OP_NOT: *ret = !a; return true;
  default: return false;
  }
}

/* Has the type this number? Sums of unsigned numbers that wrap are not followed. */
static bool fits(const struct ir_type *type, int64_t value)
{
  if (type->kind != IR_TYPE_INT) return false;
  if (type->size >= 8) return type->is_signed || value >= 0;
  int64_t limit = INT64_C(1) << (8 * type->size - type->is_signed);
  return value < limit && value >= (type->is_signed ? -limit : 0);
}

bool number_of(const struct numbers *v, struct ir_expr *expr, int64_t *ret)
{
  bool known = false;

  switch (expr->kind) {
  case IR_EXPR_INT:
    *ret = expr->value;
    known = true;
    break;
  case IR_EXPR_SIZEOF:
    *ret = expr->value;
    known = expr->has_value;
    break;
  case IR_EXPR_VAR: known = of_var(v, expr, ret); break;
  case IR_EXPR_BUILTIN: known = of_builtin(v, expr->value, ret); break;
  case IR_EXPR_BINARY: known = of_binary(v, expr, ret); break;
  case IR_EXPR_UNARY: known = of_unary(v, expr, ret); break;
  case IR_EXPR_PAREN:
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: known = number_of(v, expr->operands[0], ret); break;
  default: break;
  }
  if (known && expr->type->kind == IR_TYPE_BOOL) *ret = *ret != 0;
  return known && (expr->type->kind == IR_TYPE_BOOL || fits(expr->type, *ret));
}
