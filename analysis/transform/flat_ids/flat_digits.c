/* SPDX-License-Identifier: MIT */
/* flat_digits.c - finds the digits of a flat id.
 *
 *     i % w,  (i / w) % h,  i / (w * h)         places 1, w, w * h; sizes w, h
 *
 * A part is floor(id / low), or that modulo high / low. Each number that the id is divided by gives
 * a place. The places, sorted, must each divide the next one. Numbers are products of what the host
 * knows: parameters that the kernel does not change, constants, and what is computed from them. An
 * id is no less than 0, so that signed and unsigned division are the same.
 * Requires: an id that is no more than INT_MAX, and sizes of 1 or more, which the launch checks.
 */
#include "analysis/transform/flat_ids/flat_digits.h"
#include "runtime/seeded.h"

enum { MOST_DEPTH = 24 };

static const struct flat_part none = {.known = false};

/* ---- numbers that the host knows ---- */

static bool is_host_value(struct flat_digits *f, const struct ir_expr *expr)
{
  const struct ir_function *kernel = f->code->facts.kernel;
  int64_t value;

  if (!linear_is_index_type(expr->type)) return false;
  if (ir_constant((struct ir_expr *)expr, &value)) return true;
  switch (expr->kind) {
  case IR_EXPR_VAR:
    return expr->var->kind == IR_VAR_PARAM && !expr->var->write_count &&
           expr->var->id < kernel->param_count && kernel->params[expr->var->id] == expr->var;
  case IR_EXPR_PAREN:
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT: return is_host_value(f, expr->operands[0]);
  case IR_EXPR_BINARY:
    return (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB || expr->op == IR_OP_MUL) &&
           is_host_value(f, expr->operands[0]) && is_host_value(f, expr->operands[1]);
  default: return false;
  }
}

bool flat_host_number(struct flat_digits *f, struct ir_expr *expr, struct polynomial *ret)
{
  struct ir_expr *resolved = code_resolve(f->code, expr);

  if (!resolved || !is_host_value(f, resolved)) return false;
  *ret = polynomial_of(resolved);
  return ret->known;
}

static bool divisor_of(struct flat_digits *f, struct ir_expr *expr, struct polynomial *ret)
{
  return flat_host_number(f, expr, ret) && ret->count == 1 && ret->terms[0].coefficient > 0;
}

struct ir_expr *flat_wide(struct arena *arena, const struct polynomial *p)
{
  static const struct ir_type wide = {
      .kind = IR_TYPE_INT, .spelling = "long long", .size = 8, .align = 8, .is_signed = true};
  struct ir_expr *all = NULL;

  for (unsigned i = 0; i < p->count; i++) {
    const struct polynomial_term *term = &p->terms[i];
    struct ir_expr *product = ir_build_cast(arena, &wide, ir_build_int(arena, term->coefficient));
    for (unsigned k = 0; k < term->factor_count; k++)
      product = ir_build_binary(arena, IR_OP_MUL, product,
                                ir_build_cast(arena, &wide, (struct ir_expr *)term->factors[k]));
    all = all ? ir_build_binary(arena, IR_OP_ADD, all, product) : product;
  }
  return all ? all : ir_build_int(arena, 0);
}

/* ---- parts ---- */

static struct flat_part divided(const struct flat_part *of, const struct polynomial *by)
{
  struct flat_part ret = *of;
  struct polynomial rest;

  ret.low = polynomial_product(&of->low, by);
  if (!ret.low.known || (of->bounded && !polynomial_quotient(&of->high, &ret.low, &rest)))
    return none;
  return ret;
}

static struct flat_part remainder_of(const struct flat_part *of, const struct polynomial *by)
{
  struct flat_part ret = *of;
  struct polynomial rest;

  ret.high = polynomial_product(&of->low, by);
  ret.bounded = true;
  if (!ret.high.known || (of->bounded && !polynomial_quotient(&of->high, &ret.high, &rest)))
    return none;
  return ret;
}

/* A part of the id times a number, in any order. */
static bool product_of(struct flat_digits *f, struct ir_expr *expr, struct flat_part *ret,
                       struct polynomial *ret_by)
{
  struct ir_expr *product = linear_bare(expr);
  struct polynomial by;

  *ret = flat_part_of(f, product);
  *ret_by = polynomial_constant(1);
  if (ret->known) return true;
  if (product->kind == IR_EXPR_VAR && linear_keeps_value(product->var))
    product = linear_bare(product->var->init);
  if (product->kind != IR_EXPR_BINARY || product->op != IR_OP_MUL || f->depth >= MOST_DEPTH)
    return false;
  f->depth++;
  bool found = false;
  for (unsigned i = 0; i < 2 && !found; i++)
    found = divisor_of(f, product->operands[1 - i], &by) &&
            product_of(f, product->operands[i], ret, ret_by);
  f->depth--;
  if (found) *ret_by = polynomial_product(ret_by, &by);
  return found && ret_by->known;
}

/* id / a - (id / (a * n)) * n  =>  (id / a) % n */
static struct flat_part difference(struct flat_digits *f, const struct flat_part *of,
                                   struct ir_expr *expr)
{
  struct flat_part quotient;
  struct polynomial by;

  if (!product_of(f, expr, &quotient, &by) || quotient.bounded != of->bounded ||
      (of->bounded && !polynomial_same(&quotient.high, &of->high)))
    return none;
  struct flat_part divides = divided(of, &by);
  if (!divides.known ||
      (!polynomial_same(&divides.low, &quotient.low) && !SEEDED(FLAT_DIFFERENCE_ASSUMED)))
    return none;
  return remainder_of(of, &by);
}

static struct flat_part part_of_binary(struct flat_digits *f, struct ir_expr *expr)
{
  struct flat_part of = flat_part_of(f, expr->operands[0]);
  struct polynomial by;
  int64_t value;

  if (!of.known) return none;
  if (expr->op == IR_OP_SUB) return difference(f, &of, expr->operands[1]);
  if (expr->op == IR_OP_DIV || expr->op == IR_OP_REM) {
    if (!divisor_of(f, expr->operands[1], &by)) return none;
    return expr->op == IR_OP_DIV ? divided(&of, &by) : remainder_of(&of, &by);
  }
  if (!ir_constant(expr->operands[1], &value) || value < 0) return none;
  if (expr->op == IR_OP_SHR && value < 31) {
    by = polynomial_constant(INT64_C(1) << value);
    return divided(&of, &by);
  }
  if (expr->op != IR_OP_AND || (value & (value + 1)) || !value || value > INT32_MAX) return none;
  by = polynomial_constant(value + 1);
  return remainder_of(&of, &by);
}

static struct flat_part find_part(struct flat_digits *f, struct ir_expr *expr)
{
  struct linear form = linear_of(&f->shaping, expr);

  if (form.known && form.exact && form.axis == 0 && !form.constant &&
      linear_is_global_id(&f->shaping, &form))
    return (struct flat_part){.known = true, .low = polynomial_constant(1)};
  if (expr->kind == IR_EXPR_VAR)
    return linear_keeps_value(expr->var) ? flat_part_of(f, expr->var->init) : none;
  return expr->kind == IR_EXPR_BINARY ? part_of_binary(f, expr) : none;
}

struct flat_part flat_part_of(struct flat_digits *f, struct ir_expr *expr)
{
  struct flat_part ret = none;

  if (!linear_is_index_type(expr->type)) return none;
  if (++f->depth < MOST_DEPTH) ret = find_part(f, linear_bare(expr));
  f->depth--;
  return ret;
}

/* ---- places ---- */

static void add_place(struct flat_digits *f, const struct polynomial *place)
{
  for (unsigned i = 0; i < f->count; i++)
    if (polynomial_same(&f->places[i], place)) return;
  if (f->count == MOST_DIGITS)
    f->mixed = true;
  else
    f->places[f->count++] = *place;
}

static void note_places(struct ir_expr *expr, void *context)
{
  struct flat_digits *f = context;

  if (expr->kind != IR_EXPR_BINARY) return;
  struct flat_part part = flat_part_of(f, expr);
  if (!part.known) return;
  add_place(f, &part.low);
  if (part.bounded) add_place(f, &part.high);
}

/* Is place i the one that divides all those behind it? */
static bool divides_rest(struct flat_digits *f, unsigned i, unsigned from)
{
  struct polynomial rest;

  for (unsigned k = from; k < f->count; k++)
    if (k != i && !polynomial_quotient(&f->places[k], &f->places[i], &rest)) return false;
  return true;
}

static bool sort_places(struct flat_digits *f)
{
  for (unsigned to = 0; to < f->count; to++) {
    unsigned i = to;
    while (i < f->count && !divides_rest(f, i, to)) i++;
    if (i == f->count) return false;
    struct polynomial place = f->places[i];
    f->places[i] = f->places[to];
    f->places[to] = place;
    if (to) polynomial_quotient(&f->places[to], &f->places[to - 1], &f->sizes[to - 1]);
  }
  return true;
}

bool flat_find(struct flat_digits *f, struct code *code)
{
  struct polynomial one = polynomial_constant(1);

  *f = (struct flat_digits){.code = code};
  f->shaping = (struct shaping){.code = code, .facts = &code->facts};
  add_place(f, &one);
  ir_visit_stmt_exprs(code->facts.kernel->body, note_places, f);
  return !f->mixed && f->count > 1 && sort_places(f);
}

static unsigned place_of(const struct flat_digits *f, const struct polynomial *place)
{
  unsigned i = 0;

  while (i < f->count && !polynomial_same(&f->places[i], place)) i++;
  return i;
}

struct ir_expr *flat_part_expr(struct flat_digits *f, const struct flat_part *part)
{
  struct arena *arena = f->code->arena;
  unsigned low = place_of(f, &part->low), end = part->bounded ? place_of(f, &part->high) : f->count;
  struct ir_expr *all = NULL;

  if (low >= end) return NULL;
  for (unsigned i = end; i-- > low;) {
    struct ir_expr *digit = ir_build_var(arena, f->digits[i]);
    if (all) all = ir_build_binary(arena, IR_OP_MUL, all, polynomial_expr(arena, &f->sizes[i]));
    all = all ? ir_build_binary(arena, IR_OP_ADD, all, digit) : digit;
  }
  return all;
}
