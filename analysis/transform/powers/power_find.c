/* SPDX-License-Identifier: MIT */
/* power_find.c - which calls of pow become something shorter.
 *
 *     pow(x, 6)       mesi_power<6>(x)           powf(x, -2.0f)  mesi_powerf<-2>(x)
 *     pow(x, 0.5)     mesi_half_power<1>(x)      pow(x, 2.2)     stays
 *     pow(2.0, i)     mesi_two_to(i)             pow(10.0, x)    mesi_exp10(x)
 *
 * The type of the call decides in which arithmetic it is: pow(float, int) is a double. Only
 * functions of the toolkit or of the C library have no effect and no callee in the IR; a pow of the
 * user's has one of them. Gives up: a half or a long double, exponents that are constants but no
 * short product. The cube root is no power: it takes negative numbers. A power of two constants
 * stays, which a declaration with constexpr may need and nvcc computes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/transform/powers/powers.h"
#include "runtime/seeded.h"

enum {
  MOST_EXPONENT = 16,
  LEAST_EXPONENT = -8,
  FLOAT_SIZE = 4,
  DOUBLE_SIZE = 8,
  MOST_DEPTH = 16,
};

/* ---- constants ---- */

static bool constant_of(const struct ir_expr *expr, unsigned depth, double *ret);

static bool literal_of(const struct ir_expr *expr, double *ret)
{
  char *end;

  if (expr->type->kind != IR_TYPE_FLOAT || !expr->text || strchr(expr->text, '\'')) return false;
  *ret = strtod(expr->text, &end);
  return end != expr->text && (!*end || ((*end == 'f' || *end == 'F') && !end[1]));
}

static bool binary_of(const struct ir_expr *expr, unsigned depth, double *ret)
{
  double a, b;

  if (expr->type->kind != IR_TYPE_FLOAT || !constant_of(expr->operands[0], depth, &a) ||
      !constant_of(expr->operands[1], depth, &b))
    return false;
  switch (expr->op) {
  case IR_OP_ADD: *ret = a + b; return true;
  case IR_OP_SUB: *ret = a - b; return true;
  case IR_OP_MUL: *ret = a * b; return true;
  case IR_OP_DIV: *ret = a / b; return b != 0;
  default: return false;
  }
}

static bool value_of(const struct ir_expr *expr, unsigned depth, double *ret)
{
  int64_t whole;

  if (expr->type->kind == IR_TYPE_INT && ir_constant(expr, &whole)) {
    *ret = (double)whole;
    return true;
  }
  switch (expr->kind) {
  case IR_EXPR_LITERAL: return literal_of(expr, ret);
  case IR_EXPR_BINARY: return binary_of(expr, depth, ret);
  case IR_EXPR_PAREN: return constant_of(expr->operands[0], depth, ret);
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
    return expr->type->kind == IR_TYPE_FLOAT && constant_of(expr->operands[0], depth, ret);
  case IR_EXPR_UNARY:
    if ((expr->op != IR_OP_NEG && expr->op != IR_OP_PLUS) || expr->type->kind != IR_TYPE_FLOAT ||
        !constant_of(expr->operands[0], depth, ret))
      return false;
    if (expr->op == IR_OP_NEG) *ret = -*ret;
    return true;
  case IR_EXPR_VAR:
    return (expr->var->kind == IR_VAR_LOCAL || expr->var->kind == IR_VAR_HOST) &&
           expr->var->type->is_const && expr->var->init && !expr->var->type->is_volatile &&
           expr->type->kind == IR_TYPE_FLOAT && constant_of(expr->var->init, depth, ret);
  default: return false;
  }
}

/* The value of an expression of literals and constants, rounded to its type. */
static bool constant_of(const struct ir_expr *expr, unsigned depth, double *ret)
{
  if (!expr->type || depth > MOST_DEPTH || !value_of(expr, depth + 1, ret)) return false;
  if (expr->type->kind == IR_TYPE_FLOAT && expr->type->size == FLOAT_SIZE)
    *ret = (double)(float)*ret;
  return true;
}

/* ---- calls ---- */

static bool is_number(const struct ir_type *type)
{
  return type &&
         (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_BOOL ||
          (type->kind == IR_TYPE_FLOAT && (type->size == FLOAT_SIZE || type->size == DOUBLE_SIZE)));
}

static bool is_pow(const struct ir_expr *call)
{
  static const char *const names[] = {"pow", "powf", "std::pow", "std::powf", "::pow", "::powf"};
  bool named = false;

  if (call->kind != IR_EXPR_CALL || call->callee || call->effect != IR_EFFECT_NONE ||
      call->is_method || call->operand_count != 2 || !call->text || !call->type ||
      call->type->kind != IR_TYPE_FLOAT)
    return false;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    named |= !strcmp(call->text, names[i]);
  return named && is_number(call->type) && is_number(call->operands[0]->type) &&
         is_number(call->operands[1]->type);
}

/* powf, and pow of two floats */
static bool is_of_floats(const struct ir_expr *call)
{
  return call->type->size == FLOAT_SIZE || SEEDED(POWER_NARROW);
}

/* Is the value one of an int, before it becomes a floating-point number? */
static bool is_int(const struct ir_expr *expr)
{
  while (
      expr->operand_count == 1 && expr->type->kind == IR_TYPE_FLOAT &&
      (expr->kind == IR_EXPR_CAST || expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_PAREN))
    expr = expr->operands[0];
  return expr->type->kind == IR_TYPE_INT &&
         (expr->type->size < FLOAT_SIZE ||
          (expr->type->size == FLOAT_SIZE && expr->type->is_signed));
}

static bool by_exponent(struct arena *arena, double exponent, bool is_float, struct power *ret)
{
  const char *end = is_float ? "f" : "";
  double twice = 2 * exponent;

  ret->operand = 0;
  if (exponent == trunc(exponent)) {
    bool is_short = exponent >= LEAST_EXPONENT && exponent <= MOST_EXPONENT;
    if (!is_short || (exponent >= 0 && exponent < 2)) return false;
    ret->function = arena_format(arena, "mesi_power%s<%d>", end,
                                 (int)exponent + (exponent > 0 && SEEDED(POWER_WRONG)));
    return true;
  }
  if (twice != trunc(twice) || twice < -3 || twice > 5) return false;
  ret->function = arena_format(arena, "mesi_half_power%s<%d>", end, (int)twice);
  return true;
}

static bool by_base(const struct ir_expr *call, double base, bool is_float, struct power *ret)
{
  ret->operand = 1;
  if (base != 2 && base != 10) return false;
  if (base == 2 && is_int(call->operands[1]))
    ret->function = is_float ? "mesi_two_tof" : "mesi_two_to";
  else if (base == 2)
    ret->function = is_float ? "mesi_exp2f" : "mesi_exp2";
  else
    ret->function = is_float ? "mesi_exp10f" : "mesi_exp10";
  return true;
}

bool power_find(struct arena *arena, const struct ir_expr *call, struct power *ret,
                const char **ret_why)
{
  double base, exponent;

  *ret_why = NULL;
  if (!is_pow(call)) return false;
  bool is_float = is_of_floats(call), known = constant_of(call->operands[0], 0, &base);
  if (constant_of(call->operands[1], 0, &exponent)) {
    if (known) return false;
    if (is_float) exponent = (double)(float)exponent;
    if (by_exponent(arena, exponent, is_float, ret)) return true;
    *ret_why = arena_format(arena, "the exponent %g is no short product", exponent);
    return false;
  }
  return known && by_base(call, base, is_float, ret);
}

/* ---- the new call ---- */

struct ir_expr *power_build(struct arena *arena, const struct power *power,
                            const struct ir_expr *call, struct ir_expr *operand)
{
  struct ir_expr *made = ir_build_call(arena, power->function, IR_EFFECT_NONE);

  made->type = call->type;
  made->place = call->place;
  made->by_value = 1;
  ir_add_argument(arena, made, operand);
  return made;
}

struct power_search {
  struct arena *arena;
  bool found;
};

static void note_power(struct ir_expr *expr, void *context)
{
  struct power_search *s = context;
  struct power power;
  const char *why;

  s->found |= !s->found && power_find(s->arena, expr, &power, &why);
}

bool power_is_in(struct arena *arena, struct ir_stmt *body)
{
  struct power_search search = {arena, false};

  if (body) ir_visit_stmt_exprs(body, note_power, &search);
  return search.found;
}
