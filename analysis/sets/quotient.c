/* SPDX-License-Identifier: MIT */
/* quotient.c - symbols for quotients and remainders of numbers that all threads of a block share.
 *
 *     blockIdx.z / H, blockIdx.z % H   =>   two symbols between -blockIdx.z and blockIdx.z
 *     ... with an int H                =>   from 0 on: it divides as (unsigned)H
 *
 * Gives up: forms of several pieces, or of numbers that differ between threads.
 */
#include "analysis/sets/symbol.h"

#include "analysis/sets/form.h"
#include "analysis/sets/lower.h"
#include "analysis/sets/value.h"
#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

static bool is_shared(isl_pw_aff *form)
{
  return form && isl_pw_aff_isa_aff(form) == isl_bool_true && form_is_uniform(form);
}

/* The symbol with that expression, and no other form. */
static struct symbol *known(struct symbols *symbols, const struct ir_expr *expr)
{
  for (unsigned i = 0; i < symbols->items.count; i++) {
    struct symbol *symbol = symbols->items.items[i];
    if (symbol->kind == SYMBOL_UNIFORM && !symbol->coefficient && ir_same_expr(symbol->expr, expr))
      return symbol;
  }
  return NULL;
}

static void within(struct symbols *symbols, struct symbol *symbol, isl_pw_aff *low,
                   isl_pw_aff *high)
{
  isl_set *above = isl_pw_aff_ge_set(symbol_aff(symbols, symbol), low),
          *below = isl_pw_aff_le_set(symbol_aff(symbols, symbol), high);

  symbol->bounds = isl_set_intersect(symbol->bounds, isl_set_intersect(above, below));
}

struct symbol *symbol_of_unsigned(struct symbols *symbols, isl_pw_aff *form,
                                  const struct ir_type *type)
{
  struct ir_expr *expr = is_shared(form) ? lower_wide(symbols, form) : NULL;

  if (!expr || type->size != 4 || type->is_signed) return NULL;
  if (!SEEDED(DIVISOR_KEEPS_SIGN)) expr = ir_build_cast(symbols->arena, type, expr);
  struct symbol *symbol = known(symbols, expr);
  if (symbol) return symbol;
  symbol = symbol_new_uniform(symbols, expr);
  symbol->of_block = form_of_block(form);
  within(symbols, symbol, symbols_constant(symbols, 0), symbols_constant(symbols, UINT32_MAX));
  return symbol;
}

/* Neither is further from 0 than a dividend that is never negative. */
static void bound_by_dividend(struct symbols *symbols, struct symbol *symbol, isl_pw_aff *a,
                              bool is_signed)
{
  struct value dividend = {.aff = a};
  isl_set *anywhere = symbols_universe(symbols);

  if (value_within(symbols, &dividend, anywhere, isl_val_zero(symbols->ctx), NULL))
    within(symbols, symbol,
           is_signed ? isl_pw_aff_neg(isl_pw_aff_copy(a)) : symbols_constant(symbols, 0),
           isl_pw_aff_copy(a));
  isl_set_free(anywhere);
}

static struct ir_expr *quotient_expr(struct symbols *symbols, isl_pw_aff *a, isl_pw_aff *b,
                                     bool remainder, bool wide)
{
  struct arena *arena = symbols->arena;
  struct ir_expr *of = wide ? lower_wide(symbols, a) : lower_aff(symbols, a),
                 *by = wide ? lower_wide(symbols, b) : lower_aff(symbols, b);

  if (!of || !by) return NULL;
  of = ir_build_cast(arena, lower_int_type(arena, wide), of);
  by = ir_build_cast(arena, lower_int_type(arena, wide), by);
  return ir_build_safe_quotient(arena,
                                ir_build_binary(arena, remainder ? IR_OP_REM : IR_OP_DIV, of, by));
}

struct symbol *symbol_of_quotient(struct symbols *symbols, isl_pw_aff *a, isl_pw_aff *b,
                                  bool remainder, const struct ir_type *type)
{
  bool wide = type->size > 4;

  if (!is_shared(a) || !is_shared(b) || type->size < 4 || (wide && !type->is_signed)) return NULL;
  struct ir_expr *expr = quotient_expr(symbols, a, b, remainder, wide || !type->is_signed);
  if (!expr) return NULL;
  struct symbol *symbol = known(symbols, expr);
  if (symbol) return symbol;
  symbol = symbol_new_uniform(symbols, expr);
  symbol->of_block = form_of_block(a) || form_of_block(b);
  if (!wide)
    within(symbols, symbol, symbols_constant(symbols, type->is_signed ? INT32_MIN : 0),
           symbols_constant(symbols, type->is_signed ? INT32_MAX : UINT32_MAX));
  bound_by_dividend(symbols, symbol, a, type->is_signed);
  return symbol;
}
