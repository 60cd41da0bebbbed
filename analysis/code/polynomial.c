/* SPDX-License-Identifier: MIT */
/* polynomial.c - integer expressions as sums of products.
 *
 *     (t * 16 + k) * n + x     =>     16 t n  +  k n  +  x
 */
#include "analysis/code/polynomial.h"

struct polynomial polynomial_constant(int64_t value)
{
  struct polynomial ret = {.known = true, .count = value != 0};

  ret.terms[0] = (struct polynomial_term){.coefficient = value};
  return ret;
}

/* Have both terms the same factors, in any order? */
static bool same_factors(const struct polynomial_term *a, const struct polynomial_term *b)
{
  bool used[POLYNOMIAL_FACTORS] = {false};

  if (a->factor_count != b->factor_count) return false;
  for (unsigned i = 0; i < a->factor_count; i++) {
    unsigned k = 0;
    while (k < b->factor_count && (used[k] || !ir_same_expr(a->factors[i], b->factors[k]))) k++;
    if (k == b->factor_count) return false;
    used[k] = true;
  }
  return true;
}

static void add_term(struct polynomial *to, const struct polynomial_term *term, int64_t times)
{
  int64_t coefficient;

  if (__builtin_mul_overflow(term->coefficient, times, &coefficient)) to->known = false;
  if (!to->known || !coefficient) return;
  for (unsigned i = 0; i < to->count; i++)
    if (same_factors(&to->terms[i], term)) {
      if (__builtin_add_overflow(to->terms[i].coefficient, coefficient, &to->terms[i].coefficient))
        to->known = false;
      if (!to->terms[i].coefficient) to->terms[i] = to->terms[--to->count];
      return;
    }
  if (to->count == POLYNOMIAL_TERMS) {
    to->known = false;
    return;
  }
  to->terms[to->count] = *term;
  to->terms[to->count++].coefficient = coefficient;
}

struct polynomial polynomial_sum(const struct polynomial *a, const struct polynomial *b,
                                 int64_t times)
{
  struct polynomial ret = *a;

  ret.known &= b->known;
  for (unsigned i = 0; i < b->count && ret.known; i++) add_term(&ret, &b->terms[i], times);
  return ret;
}

static bool multiply_terms(const struct polynomial_term *a, const struct polynomial_term *b,
                           struct polynomial_term *ret)
{
  *ret = *a;
  if (a->factor_count + b->factor_count > POLYNOMIAL_FACTORS) return false;
  for (unsigned i = 0; i < b->factor_count; i++) ret->factors[ret->factor_count++] = b->factors[i];
  return !__builtin_mul_overflow(a->coefficient, b->coefficient, &ret->coefficient);
}

struct polynomial polynomial_product(const struct polynomial *a, const struct polynomial *b)
{
  struct polynomial ret = {.known = a->known && b->known};

  for (unsigned i = 0; i < a->count; i++)
    for (unsigned k = 0; k < b->count && ret.known; k++) {
      struct polynomial_term term;
      if (multiply_terms(&a->terms[i], &b->terms[k], &term))
        add_term(&ret, &term, 1);
      else
        ret.known = false;
    }
  return ret;
}

static bool is_number(const struct ir_type *type)
{
  return type && type->kind == IR_TYPE_INT && type->size >= 4;
}

/* Is it a conversion that keeps the value, or keeps it modulo 2^bits without making the difference
 * visible? */
static bool is_transparent(const struct ir_expr *expr)
{
  const struct ir_type *to = expr->type,
                       *from = expr->operand_count == 1 ? expr->operands[0]->type : NULL;

  if (expr->kind == IR_EXPR_PAREN) return expr->operand_count == 1;
  if ((expr->kind != IR_EXPR_CONVERT && expr->kind != IR_EXPR_CAST) || !from) return false;
  return is_number(to) && is_number(from) &&
         (to->size == from->size || (to->size > from->size && from->is_signed));
}

static struct polynomial factor(const struct ir_expr *expr)
{
  struct polynomial ret = {.known = true, .count = 1};

  ret.terms[0] = (struct polynomial_term){1, 1, {ir_strip((struct ir_expr *)expr)}};
  return ret;
}

struct polynomial polynomial_of(struct ir_expr *expr)
{
  int64_t value;

  if (ir_constant(expr, &value)) return polynomial_constant(value);
  if (is_transparent(expr)) return polynomial_of(expr->operands[0]);
  bool unary = expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_NEG || expr->op == IR_OP_PLUS),
       binary = expr->kind == IR_EXPR_BINARY && is_number(expr->type);
  struct polynomial none = polynomial_constant(0);
  if (unary && is_number(expr->type)) {
    struct polynomial of = polynomial_of(expr->operands[0]);
    return polynomial_sum(&none, &of, expr->op == IR_OP_NEG ? -1 : 1);
  }
  bool sum = binary && (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB),
       product = binary && expr->op == IR_OP_MUL,
       shift = binary && expr->op == IR_OP_SHL && ir_constant(expr->operands[1], &value) &&
               value >= 0 && value < 31;
  if (!sum && !product && !shift) return factor(expr);
  struct polynomial left = polynomial_of(expr->operands[0]);
  if (shift) return polynomial_sum(&none, &left, INT64_C(1) << value);
  struct polynomial right = polynomial_of(expr->operands[1]);
  return product ? polynomial_product(&left, &right)
                 : polynomial_sum(&left, &right, expr->op == IR_OP_SUB ? -1 : 1);
}

static bool is_var(const struct ir_expr *expr, const struct ir_var *var)
{
  return expr->kind == IR_EXPR_VAR && expr->var == var;
}

struct polynomial polynomial_swap(const struct polynomial *p, const struct ir_var *var,
                                  const struct polynomial *value)
{
  struct polynomial ret = {.known = p->known};

  for (unsigned i = 0; i < p->count && ret.known; i++) {
    const struct polynomial_term *term = &p->terms[i];
    struct polynomial part = polynomial_constant(term->coefficient);
    for (unsigned k = 0; k < term->factor_count && part.known; k++) {
      struct polynomial of = is_var(term->factors[k], var) ? *value : factor(term->factors[k]);
      part = polynomial_product(&part, &of);
    }
    ret = polynomial_sum(&ret, &part, 1);
  }
  return ret;
}

bool polynomial_same(const struct polynomial *a, const struct polynomial *b)
{
  struct polynomial difference = polynomial_sum(a, b, -1);

  return difference.known && !difference.count;
}

bool polynomial_hides(const struct polynomial *p, const struct ir_var *var)
{
  for (unsigned i = 0; i < p->count; i++)
    for (unsigned k = 0; k < p->terms[i].factor_count; k++) {
      const struct ir_expr *expr = p->terms[i].factors[k];
      if (!is_var(expr, var) && ir_expr_has_var((struct ir_expr *)expr, var)) return true;
    }
  return false;
}

/* Takes the factors of `by` out of the term. */
static bool take_factors(struct polynomial_term *term, const struct polynomial_term *by)
{
  if (term->coefficient % by->coefficient) return false;
  term->coefficient /= by->coefficient;
  for (unsigned i = 0; i < by->factor_count; i++) {
    unsigned k = 0;
    while (k < term->factor_count && !ir_same_expr(term->factors[k], by->factors[i])) k++;
    if (k == term->factor_count) return false;
    term->factors[k] = term->factors[--term->factor_count];
  }
  return true;
}

bool polynomial_quotient(const struct polynomial *a, const struct polynomial *b,
                         struct polynomial *ret)
{
  *ret = (struct polynomial){.known = true};
  if (!a->known || !b->known || b->count != 1) return false;
  for (unsigned i = 0; i < a->count; i++) {
    struct polynomial_term term = a->terms[i];
    if (!take_factors(&term, &b->terms[0])) return false;
    add_term(ret, &term, 1);
  }
  return ret->known;
}

bool polynomial_divide(struct polynomial *p, int64_t by)
{
  for (unsigned i = 0; i < p->count; i++)
    if (p->terms[i].coefficient % by) return false;
  for (unsigned i = 0; i < p->count; i++) p->terms[i].coefficient /= by;
  return true;
}

static struct ir_expr *as_int(struct arena *arena, const struct ir_expr *expr)
{
  const struct ir_type *type = ir_int_type();

  return ir_same_type(ir_plain_type(arena, expr->type), type)
             ? (struct ir_expr *)expr
             : ir_build_cast(arena, type, (struct ir_expr *)expr);
}

static struct ir_expr *term_expr(struct arena *arena, const struct polynomial_term *term,
                                 int64_t coefficient)
{
  struct ir_expr *expr = NULL;

  for (unsigned i = 0; i < term->factor_count; i++) {
    struct ir_expr *of = as_int(arena, term->factors[i]);
    expr = expr ? ir_build_binary(arena, IR_OP_MUL, expr, of) : of;
  }
  if (!expr) return ir_build_int(arena, coefficient);
  if (coefficient == 1) return expr;
  return ir_build_binary(arena, IR_OP_MUL, expr, ir_build_int(arena, coefficient));
}

struct ir_expr *polynomial_expr(struct arena *arena, const struct polynomial *p)
{
  struct ir_expr *sum = NULL;

  for (unsigned i = 0; i < p->count; i++) {
    int64_t c = p->terms[i].coefficient;
    bool minus = sum && c < 0;
    struct ir_expr *term = term_expr(arena, &p->terms[i], minus ? -c : c);
    sum = sum ? ir_build_binary(arena, minus ? IR_OP_SUB : IR_OP_ADD, sum, term) : term;
  }
  return sum ? sum : ir_build_int(arena, 0);
}
