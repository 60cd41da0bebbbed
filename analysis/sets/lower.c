/* SPDX-License-Identifier: MIT */
/* lower.c - prints isl forms as IR.
 *
 *     { [(-1 + 128 blockIdx.x)] }      =>  (int)blockIdx.x * 128 - 1
 *     { [i] : 0 < i < 262143 }         =>  i > 0 && i <= 262142
 *
 * The printed arithmetic is exact. Built-in indices are unsigned, so they are cast to int where a
 * negative term or a division could make them wrap differently from the integers, and to long long
 * where a value may need it. Requires: symbols with values (scalars, built-ins, iterators in scope,
 * uniform expressions). Gives up (NULL) on unknowns, on forms of several pieces and on existentials
 * without a quotient.
 */
#include "analysis/sets/lower.h"

#include "analysis/sets/value.h"

#include <isl/constraint.h>
#include <string.h>

struct lowering {
  struct symbols *symbols;
  struct ir_var *const *dims;
  unsigned dim_count;
  bool cast; /* unsigned operands are cast */
  bool wide; /* to long long */
};

const struct ir_type *lower_int_type(struct arena *arena, bool wide)
{
  struct ir_type *type = ARENA_NEW(arena, struct ir_type);

  type->kind = IR_TYPE_INT;
  type->spelling = wide ? "long long" : "int";
  type->size = type->align = wide ? 8 : 4;
  type->is_signed = true;
  type->extent = -1;
  return type;
}

static struct ir_expr *cast(struct symbols *symbols, struct ir_expr *operand, bool wide)
{
  struct ir_expr *expr = ARENA_NEW(symbols->arena, struct ir_expr);

  expr->kind = IR_EXPR_CAST;
  expr->id = UINT32_MAX;
  expr->type = lower_int_type(symbols->arena, wide);
  expr->text = expr->type->spelling;
  expr->operands = arena_alloc(symbols->arena, sizeof *expr->operands);
  expr->operands[0] = operand;
  expr->operand_count = 1;
  return expr;
}

struct ir_expr *lower_symbol(struct symbols *symbols, const struct symbol *symbol)
{
  switch (symbol->kind) {
  case SYMBOL_SCALAR:
  case SYMBOL_LAUNCH:
  case SYMBOL_LOOP: return ir_build_var(symbols->arena, symbol->var);
  case SYMBOL_BUILTIN: return ir_build_builtin(symbols->arena, symbol->builtin);
  case SYMBOL_UNIFORM: return symbol->expr;
  default: return NULL;
  }
}

static bool symbol_needs_cast(const struct symbol *symbol, bool wide)
{
  if (symbol->kind == SYMBOL_BUILTIN) return true;
  if (!symbol->var) return wide && symbol->expr && symbol->expr->type->size < 8;
  return wide ? symbol->var->type->size < 8 || !symbol->var->type->is_signed
              : !symbol->var->type->is_signed;
}

#define WIDEST (INT64_C(1) << 62)

static bool is_unsigned_long(const struct symbol *symbol)
{
  return symbol->kind == SYMBOL_SCALAR && symbol->var->type->size == 8 &&
         !symbol->var->type->is_signed;
}

static struct ir_expr *operand_of_symbol(struct lowering *l, const struct symbol *symbol)
{
  struct ir_expr *expr = lower_symbol(l->symbols, symbol);

  /* size_t n = -1 stays greater than any index */
  if (l->wide && expr && is_unsigned_long(symbol) && !l->symbols->for_host) {
    struct ir_expr *limit = ir_build_int(l->symbols->arena, WIDEST);
    struct ir_expr *fits = ir_build_binary(l->symbols->arena, IR_OP_LT, expr, limit);
    return ir_build_cond(l->symbols->arena, fits, cast(l->symbols, expr, true), limit);
  }
  return expr && l->cast && symbol_needs_cast(symbol, l->wide) ? cast(l->symbols, expr, l->wide)
                                                               : expr;
}

/* `sum` + coefficient * operand */
static struct ir_expr *add_term(struct lowering *l, struct ir_expr *sum, int64_t coefficient,
                                struct ir_expr *operand)
{
  struct arena *arena = l->symbols->arena;
  bool negative = coefficient < 0;
  int64_t size = negative ? -coefficient : coefficient;

  if (!operand)
    operand = ir_build_int(arena, size);
  else if (size != 1)
    operand = ir_build_binary(arena, IR_OP_MUL, operand, ir_build_int(arena, size));
  if (!sum) return negative ? ir_build_unary(arena, IR_OP_NEG, operand) : operand;
  return ir_build_binary(arena, negative ? IR_OP_SUB : IR_OP_ADD, sum, operand);
}

static struct symbol *param_symbol(isl_aff *aff, int position)
{
  isl_space *space = isl_aff_get_domain_space(aff);
  struct symbol *symbol = symbol_of_param(space, (unsigned)position);

  isl_space_free(space);
  return symbol;
}

static bool value_of(isl_val *val, int64_t *ret) { return value_number(val, INT32_MAX, ret); }

static struct ir_expr *lower_one(struct lowering *l, isl_aff *aff);

/* floor(numerator / denominator), exact for negative numerators */
static struct ir_expr *lower_div(struct lowering *l, isl_aff *div)
{
  struct arena *arena = l->symbols->arena;
  isl_val *den = isl_aff_get_denominator_val(div);
  isl_aff *numerator = isl_aff_scale_val(isl_aff_copy(div), isl_val_copy(den));
  int64_t by;

  if (!value_of(den, &by)) {
    isl_aff_free(numerator);
    return NULL;
  }
  isl_set *domain = symbols_close(
      l->symbols, isl_set_from_basic_set(isl_aff_neg_basic_set(isl_aff_copy(numerator))));
  bool may_be_negative = isl_set_is_empty(domain) != isl_bool_true;
  isl_set_free(domain);
  struct ir_expr *top = lower_one(l, numerator);
  isl_aff_free(numerator);
  if (!top) return NULL;
  struct ir_expr *quotient = ir_build_binary(arena, IR_OP_DIV, top, ir_build_int(arena, by));
  if (!may_be_negative) return quotient;
  struct ir_expr *shifted = ir_build_binary(arena, IR_OP_SUB, top, ir_build_int(arena, by - 1));
  return ir_build_cond(arena, ir_build_binary(arena, IR_OP_LT, top, ir_build_int(arena, 0)),
                       ir_build_binary(arena, IR_OP_DIV, shifted, ir_build_int(arena, by)),
                       quotient);
}

/* Adds the terms of one kind of dimension: the positive ones if `negative` is false, only the
 * negative ones if it is true. */
static bool add_terms(struct lowering *l, isl_aff *aff, enum isl_dim_type type, bool negative,
                      struct ir_expr **sum)
{
  for (int i = 0; i < isl_aff_dim(aff, type); i++) {
    int64_t coefficient;
    if (!value_of(isl_aff_get_coefficient_val(aff, type, i), &coefficient)) return false;
    if (!coefficient || (coefficient < 0) != negative) continue;
    struct ir_expr *operand;
    if (type == isl_dim_div) {
      isl_aff *div = isl_aff_get_div(aff, i);
      operand = lower_div(l, div);
      isl_aff_free(div);
    } else if (type == isl_dim_in) {
      operand = (unsigned)i < l->dim_count ? ir_build_var(l->symbols->arena, l->dims[i]) : NULL;
    } else {
      operand = operand_of_symbol(l, param_symbol(aff, i));
    }
    if (!operand) return false;
    *sum = add_term(l, *sum, coefficient, operand);
  }
  return true;
}

/* Lowers an affine form with integer coefficients. */
static struct ir_expr *lower_one(struct lowering *l, isl_aff *aff)
{
  struct ir_expr *sum = NULL;
  int64_t constant;

  if (!value_of(isl_aff_get_constant_val(aff), &constant)) return NULL;
  for (int negative = 0; negative < 2; negative++) {
    if (!add_terms(l, aff, isl_dim_in, negative, &sum) ||
        !add_terms(l, aff, isl_dim_param, negative, &sum) ||
        !add_terms(l, aff, isl_dim_div, negative, &sum))
      return NULL;
    if (!negative && constant > 0) sum = add_term(l, sum, constant, NULL);
  }
  if (constant < 0) sum = add_term(l, sum, constant, NULL);
  return sum ? sum : ir_build_int(l->symbols->arena, 0);
}

static bool any_negative(isl_aff *aff)
{
  bool found = isl_aff_dim(aff, isl_dim_div) > 0;
  const enum isl_dim_type types[] = {isl_dim_in, isl_dim_param};

  for (unsigned t = 0; t < 2; t++)
    for (int i = 0; i < isl_aff_dim(aff, types[t]); i++) {
      isl_val *val = isl_aff_get_coefficient_val(aff, types[t], i);
      found |= isl_val_is_neg(val) == isl_bool_true;
      isl_val_free(val);
    }
  isl_val *constant = isl_aff_get_constant_val(aff);
  found |= isl_val_is_neg(constant) == isl_bool_true;
  isl_val_free(constant);
  return found;
}

static bool has_wide_operand(isl_aff *aff)
{
  bool wide = false;

  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param); i++) {
    isl_val *coefficient = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    const struct symbol *symbol = param_symbol(aff, i);
    if (isl_val_is_zero(coefficient) != isl_bool_true)
      wide |= symbol->kind != SYMBOL_BUILTIN && (!symbol->var || symbol->var->type->size > 4);
    isl_val_free(coefficient);
  }
  return wide;
}

/* May the value exceed an int? */
static bool needs_wide(struct symbols *symbols, isl_aff *aff)
{
  isl_set *range =
      symbols_close(symbols, isl_set_from_pw_aff(isl_pw_aff_from_aff(isl_aff_copy(aff))));

  range = isl_set_project_out_all_params(range);
  isl_val *high = isl_set_dim_max_val(isl_set_copy(range), 0), *low = isl_set_dim_min_val(range, 0);
  bool narrow = isl_val_is_int(high) == isl_bool_true && isl_val_is_int(low) == isl_bool_true &&
                isl_val_cmp_si(high, INT32_MAX) <= 0 && isl_val_cmp_si(low, INT32_MIN) >= 0;
  isl_val_free(high);
  isl_val_free(low);
  return !narrow;
}

/* May the numerator of a quotient exceed an int? For signed variables it counts as fitting, as in
 * the source. */
static bool numerator_wide(struct symbols *symbols, isl_aff *numerator)
{
  bool from_signed = false;

  for (int i = 0; i < isl_aff_dim(numerator, isl_dim_param); i++) {
    isl_val *coefficient = isl_aff_get_coefficient_val(numerator, isl_dim_param, i);
    const struct ir_var *var =
        isl_val_is_zero(coefficient) ? NULL : param_symbol(numerator, i)->var;
    isl_val_free(coefficient);
    if (var && var->type->size == 4 && !var->type->is_signed) return true;
    from_signed |= var != NULL;
  }
  return !from_signed && needs_wide(symbols, numerator);
}

/* Needs a quotient of the form more than an int? Modulo 2^32 a sum is exact, a quotient is not. */
static bool divides_wide(struct symbols *symbols, isl_aff *aff)
{
  bool wide = false;

  for (int i = 0; i < isl_aff_dim(aff, isl_dim_div); i++) {
    isl_aff *div = isl_aff_get_div(aff, i);
    isl_aff *numerator = isl_aff_scale_val(isl_aff_copy(div), isl_aff_get_denominator_val(div));
    wide |= numerator_wide(symbols, numerator);
    isl_aff_free(numerator);
    isl_aff_free(div);
  }
  return wide;
}

static struct ir_expr *lower_form(struct symbols *symbols, isl_pw_aff *form, bool small)
{
  if (!form || isl_pw_aff_isa_aff(form) != isl_bool_true) return NULL;

  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  struct lowering l = {symbols, NULL, 0, false, false};
  if (small && !has_wide_operand(aff) && !isl_aff_dim(aff, isl_dim_div)) {
    l.cast = false;
  } else {
    l.wide =
        has_wide_operand(aff) || (!small && needs_wide(symbols, aff)) || divides_wide(symbols, aff);
    l.cast = l.wide || any_negative(aff);
  }
  struct ir_expr *expr = lower_one(&l, aff);
  isl_aff_free(aff);
  return expr;
}

struct ir_expr *lower_aff(struct symbols *symbols, isl_pw_aff *form)
{
  return lower_form(symbols, form, false);
}

struct ir_expr *lower_wide(struct symbols *symbols, isl_pw_aff *form)
{
  struct ir_expr *expr = lower_form(symbols, form, false);

  return expr && expr->type->size < 8 ? cast(symbols, expr, true) : expr;
}

struct ir_expr *lower_index(struct symbols *symbols, isl_pw_aff *form)
{
  return lower_form(symbols, form, true);
}

/* ---- conditions ---- */

struct condition {
  struct lowering l;
  struct ir_expr *expr; /* NULL: true */
  unsigned left;        /* constraints that may still be written */
  bool failed;
};

/* The terms of a constraint with one sign, with positive coefficients. */
static struct ir_expr *side(struct lowering *l, isl_aff *aff, bool negative, bool *failed)
{
  isl_aff *copy = negative ? isl_aff_neg(isl_aff_copy(aff)) : isl_aff_copy(aff);
  struct ir_expr *sum = NULL;
  int64_t constant;

  if (!add_terms(l, copy, isl_dim_in, false, &sum) ||
      !add_terms(l, copy, isl_dim_param, false, &sum) ||
      !add_terms(l, copy, isl_dim_div, false, &sum) ||
      !value_of(isl_aff_get_constant_val(copy), &constant))
    *failed = true;
  else if (constant > 0)
    sum = add_term(l, sum, constant, NULL);
  isl_aff_free(copy);
  return sum ? sum : ir_build_int(l->symbols->arena, 0);
}

static isl_stat lower_constraint(isl_constraint *constraint, void *user)
{
  struct condition *c = user;
  isl_aff *aff = isl_constraint_get_aff(constraint);
  struct arena *arena = c->l.symbols->arena;

  if (c->left == 0) c->failed = true;
  if (!c->failed) {
    c->left--;
    struct ir_expr *left = side(&c->l, aff, false, &c->failed),
                   *right = side(&c->l, aff, true, &c->failed);
    struct ir_expr *test = ir_build_binary(
        arena, isl_constraint_is_equality(constraint) == isl_bool_true ? IR_OP_EQ : IR_OP_GE, left,
        right);
    c->expr = c->expr ? ir_build_binary(arena, IR_OP_LAND, c->expr, test) : test;
  }
  isl_aff_free(aff);
  isl_constraint_free(constraint);
  return isl_stat_ok;
}

struct disjunction {
  struct condition conjunction;
  struct ir_expr *expr; /* NULL: false */
  bool always;
};

static isl_stat lower_basic_set(isl_basic_set *basic, void *user)
{
  struct disjunction *d = user;
  struct condition *c = &d->conjunction;

  c->expr = NULL;
  if (isl_basic_set_foreach_constraint(basic, lower_constraint, c) < 0) c->failed = true;
  isl_basic_set_free(basic);
  if (!c->expr)
    d->always = true;
  else
    d->expr = d->expr ? ir_build_binary(c->l.symbols->arena, IR_OP_LOR, d->expr, c->expr) : c->expr;
  return isl_stat_ok;
}

/* Has the set a scalar or iterator that may exceed an int? */
static bool limits_wide(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);
  bool wide = false;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct ir_var *var = symbol_of_param(space, (unsigned)i)->var;
    bool large = var && (var->type->size > 4 || (var->type->size == 4 && !var->type->is_signed));
    wide |= large && isl_set_involves_dims(set, isl_dim_param, (unsigned)i, 1) == isl_bool_true;
  }
  isl_space_free(space);
  return wide;
}

struct ir_expr *lower_set(struct symbols *symbols, isl_set *set, struct ir_var *const *dims,
                          unsigned limit)
{
  struct disjunction d;

  if (!set) return NULL;
  memset(&d, 0, sizeof d);
  d.conjunction.l =
      (struct lowering){symbols, dims, (unsigned)isl_set_dim(set, isl_dim_set), true, !dims};
  d.conjunction.l.wide |= limits_wide(set);
  for (unsigned i = 0; i < d.conjunction.l.dim_count; i++)
    d.conjunction.l.wide |= dims[i]->type->size > 4;
  d.conjunction.left = limit;
  isl_set *known = isl_set_remove_redundancies(isl_set_compute_divs(isl_set_copy(set)));
  if (isl_set_foreach_basic_set(known, lower_basic_set, &d) < 0) d.conjunction.failed = true;
  isl_set_free(known);
  if (d.conjunction.failed) return NULL;
  if (d.always) return ir_build_int(symbols->arena, 1);
  return d.expr ? d.expr : ir_build_int(symbols->arena, 0);
}
