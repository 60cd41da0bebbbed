/* SPDX-License-Identifier: MIT */
/* symbol.c - the symbols of one kernel and their bounds.
 *
 * `blockIdx.x` becomes the parameter "blockIdx.x" with 0 <= blockIdx.x < gridDim.x; a constant
 * gridDim or blockDim is a number and no symbol. A dimension of a grid counts as having at most
 * 2^31 threads. Requires: facts of the launch. Produces: isl ids and bounds. Gives up: never.
 */
#include "analysis/sets/symbol.h"

#include "analysis/sets/form.h"

#include "analysis/data/use_range.h"

#include <assert.h>
#include <string.h>

#include "analysis/sets/ends.h"
#include "analysis/sets/interval.h"
#include "analysis/sets/lower.h"
#include "analysis/sets/stride.h"
#include "analysis/sets/value.h"
#include "analysis/sets/witness.h"
#include "translator/ir/ir_rewrite.h"

void symbols_init(struct symbols *symbols, isl_ctx *ctx, struct arena *arena,
                  const struct kernel_facts *facts)
{
  memset(symbols, 0, sizeof *symbols);
  symbols->ctx = ctx;
  symbols->arena = arena;
  symbols->facts = facts;
  symbols->context = isl_set_universe(isl_space_params_alloc(ctx, 0));
}

void symbols_finish(struct symbols *symbols)
{
  for (unsigned i = 0; i < symbols->items.count; i++) {
    struct symbol *symbol = symbols->items.items[i];
    isl_set_free(symbol->bounds);
    isl_pw_aff_free(symbol->coefficient);
    if (symbol->read.index) value_free(symbol->read.index);
    isl_id_free(symbol->id);
  }
  interval_forget(symbols);
  ends_forget(symbols);
  witness_forget(symbols);
  symbols_forget_closed(symbols);
  symbols->items.count = 0;
  symbols->context = isl_set_free(symbols->context);
}

static isl_space *params_space(struct symbols *symbols)
{
  return isl_space_params_alloc(symbols->ctx, 0);
}

isl_set *symbols_universe(struct symbols *symbols)
{
  return isl_set_universe(params_space(symbols));
}

isl_pw_aff *symbol_aff(struct symbols *symbols, const struct symbol *symbol)
{
  isl_space *space = isl_space_add_param_id(params_space(symbols), isl_id_copy(symbol->id));
  return isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(space, isl_id_copy(symbol->id)));
}

isl_pw_aff *symbols_constant(struct symbols *symbols, int64_t value)
{
  isl_aff *zero = isl_aff_zero_on_domain(isl_local_space_from_space(params_space(symbols)));
  return isl_pw_aff_from_aff(
      isl_aff_add_constant_val(zero, isl_val_int_from_si(symbols->ctx, value)));
}

static struct symbol *add(struct symbols *symbols, enum symbol_kind kind, const char *name)
{
  struct symbol *symbol = ARENA_NEW(symbols->arena, struct symbol);
  uintptr_t same = (uintptr_t)name_map_get(&symbols->names, name);

  symbol->kind = kind;
  symbol->name = arena_string(symbols->arena, name);
  name_map_put(symbols->arena, &symbols->names, symbol->name, (void *)(same + 1));
  for (; same > 0; same--) symbol->name = arena_format(symbols->arena, "%s'", symbol->name);
  symbol->index = symbols->items.count;
  symbol->id = isl_id_alloc(symbols->ctx, symbol->name, symbol);
  symbol->bounds = symbols_universe(symbols);
  *ARENA_PUSH(symbols->arena, &symbols->items) = symbol;
  return symbol;
}

static void bound(struct symbols *symbols, struct symbol *symbol, isl_val *low, isl_val *high)
{
  isl_space *space = isl_space_add_param_id(params_space(symbols), isl_id_copy(symbol->id));
  isl_set *within = isl_set_universe(space);

  if (low) within = isl_set_lower_bound_val(within, isl_dim_param, 0, low);
  if (high) within = isl_set_upper_bound_val(within, isl_dim_param, 0, high);
  symbol->bounds = isl_set_intersect(symbol->bounds, within);
}

static void bound_int(struct symbols *symbols, struct symbol *symbol, int64_t low, int64_t high)
{
  bound(symbols, symbol, isl_val_int_from_si(symbols->ctx, low),
        isl_val_int_from_si(symbols->ctx, high));
}

static void bound_by_type(struct symbols *symbols, struct symbol *symbol,
                          const struct ir_type *type)
{
  unsigned bits = type->size > 0 && type->size <= 8 ? (unsigned)type->size * 8 : 64;
  isl_val *range =
      isl_val_2exp(isl_val_int_from_ui(symbols->ctx, type->is_signed ? bits - 1 : bits));
  isl_val *low = type->is_signed ? isl_val_neg(isl_val_copy(range)) : isl_val_zero(symbols->ctx);

  bound(symbols, symbol, low, isl_val_sub_ui(range, 1));
}

static void bound_as_asked(struct symbols *symbols, struct symbol *symbol,
                           const struct ir_var *param)
{
  const struct kernel_facts *facts = symbols->facts;

  for (unsigned i = 0; facts && facts->scalars && i < facts->kernel->param_count; i++)
    if (facts->kernel->params[i] == param && facts->scalars[i].bounded)
      bound_int(symbols, symbol, facts->scalars[i].low, facts->scalars[i].high);
}

struct symbol *symbol_of_scalar(struct symbols *symbols, struct ir_var *param)
{
  for (unsigned i = 0; i < symbols->items.count; i++)
    if (symbols->items.items[i]->kind == SYMBOL_SCALAR && symbols->items.items[i]->var == param)
      return symbols->items.items[i];

  struct symbol *symbol = add(symbols, SYMBOL_SCALAR, param->name ? param->name : "unnamed");
  symbol->var = param;
  bound_by_type(symbols, symbol, param->type);
  bound_as_asked(symbols, symbol, param);
  return symbol;
}

/* Adds the bound that every block has an element: its first one is less than the total. */
static void bound_block(struct symbols *symbols, struct symbol *symbol, unsigned axis)
{
  struct ir_var *total = axis < 2 ? symbols->facts->totals[axis] : NULL;

  if (!total || symbols->facts->block[axis] <= 0) return;
  isl_pw_aff *first = isl_pw_aff_scale_val(
      symbol_aff(symbols, symbol), isl_val_int_from_si(symbols->ctx, symbols->facts->block[axis]));
  isl_set *within = isl_pw_aff_lt_set(first, symbol_aff(symbols, symbol_of_scalar(symbols, total)));
  symbol->bounds = isl_set_intersect(symbol->bounds, within);
}

/* The most blocks along a dimension of the grid: the hardware limit, and 2^31 threads. */
static int64_t grid_limit(const struct kernel_facts *facts, unsigned axis)
{
  int64_t threads = facts->block[axis] > 0 ? facts->block[axis] : 1;
  return axis                                        ? 65535
         : ((int64_t)1 << 31) / threads > 2147483647 ? 2147483647
                                                     : ((int64_t)1 << 31) / threads;
}

static void bound_builtin(struct symbols *symbols, struct symbol *symbol)
{
  const struct kernel_facts *facts = symbols->facts;
  unsigned axis = symbol->builtin % 3;

  if (symbol->builtin < IR_BLOCK_IDX) {
    bound_int(symbols, symbol, 0,
              (facts->block[axis] > 0 ? facts->block[axis]
               : axis == 2            ? 64
                                      : 1024) -
                  1);
    if (facts->block[axis] > 0) return;
    struct symbol *dim = symbol_of_builtin(symbols, IR_BLOCK_DIM + axis);
    symbol->bounds = isl_set_intersect(
        symbol->bounds, isl_pw_aff_lt_set(symbol_aff(symbols, symbol), symbol_aff(symbols, dim)));
  } else if (symbol->builtin < IR_BLOCK_DIM) {
    symbol->of_block = true;
    if (facts->grid[axis] > 0) {
      bound_int(symbols, symbol, 0, facts->grid[axis] - 1);
      return;
    }
    bound_int(symbols, symbol, 0, grid_limit(facts, axis) - 1);
    bound_block(symbols, symbol, axis);
    struct symbol *grid = symbol_of_builtin(symbols, IR_GRID_DIM + axis);
    symbol->bounds = isl_set_intersect(
        symbol->bounds, isl_pw_aff_lt_set(symbol_aff(symbols, symbol), symbol_aff(symbols, grid)));
  } else if (symbol->builtin < IR_GRID_DIM) {
    bound_int(symbols, symbol, 1, axis == 2 ? 64 : 1024);
  } else {
    bound_int(symbols, symbol, 1, grid_limit(facts, axis));
  }
}

struct symbol *symbol_of_builtin(struct symbols *symbols, enum ir_builtin builtin)
{
  for (unsigned i = 0; i < symbols->items.count; i++)
    if (symbols->items.items[i]->kind == SYMBOL_BUILTIN &&
        symbols->items.items[i]->builtin == builtin)
      return symbols->items.items[i];

  struct symbol *symbol = add(symbols, SYMBOL_BUILTIN, ir_builtin_spelling(builtin));
  symbol->builtin = builtin;
  bound_builtin(symbols, symbol);
  return symbol;
}

/* Bounds the first iteration of a tile: the tile's last one is still a number of the type. */
static void bound_tile(struct symbols *symbols, struct symbol *symbol)
{
  const struct ir_type *type = symbol->var->type;
  isl_val *most = isl_val_2exp(
      isl_val_int_from_ui(symbols->ctx, (unsigned)type->size * 8 - (type->is_signed ? 1 : 0)));

  bound(symbols, symbol, NULL,
        isl_val_sub(most, isl_val_int_from_si(symbols->ctx, symbols->facts->tile_span + 1)));
  symbol->multiple_of = symbols->facts->tile_multiple;
}

struct symbol *symbol_new_loop(struct symbols *symbols, struct ir_var *iterator)
{
  struct symbol *symbol = add(symbols, SYMBOL_LOOP, iterator->name ? iterator->name : "unnamed");

  symbol->var = iterator;
  for (unsigned i = 0; i < symbols->facts->uniform_count; i++)
    if (symbols->facts->uniform[i] == iterator) {
      symbol->in_step = true;
      if (i + 1 == symbols->facts->uniform_count) bound_tile(symbols, symbol);
    }
  bound_by_type(symbols, symbol, iterator->type);
  return symbol;
}

struct symbol *symbol_new_unknown(struct symbols *symbols, isl_val *low, isl_val *high)
{
  struct symbol *symbol =
      add(symbols, SYMBOL_UNKNOWN, arena_format(symbols->arena, "?%u", ++symbols->unknown_count));

  bound(symbols, symbol, low, high);
  return symbol;
}

/* ---- numbers that the launch finds ---- */

/* as in mesi.h: pairs; the runtime knows no larger numbers */
enum { MOST_VALUES = 16, VALUE_BITS = 40 };

static unsigned launch_value(struct symbols *symbols, struct ir_var *param,
                             const struct ir_type *element, bool is_extent)
{
  const struct ir_function *kernel = symbols->facts->kernel;
  unsigned i = 0;

  while (i < symbols->values.count && (symbols->values.items[i].array != param ||
                                       symbols->values.items[i].is_extent != is_extent))
    i++;
  if (i < symbols->values.count || i == MOST_VALUES) return i;
  struct launch_value *value = ARENA_PUSH(symbols->arena, &symbols->values);
  *value = (struct launch_value){.is_extent = is_extent, .array = param, .element = element};
  while (value->param < kernel->param_count && kernel->params[value->param] != param)
    value->param++;
  const struct use_range *footprint =
      symbols->facts->footprints ? symbols->facts->footprints[value->param] : NULL;
  if (!is_extent && footprint) value->bytes = footprint->read;
  return i;
}

struct symbol *symbol_of_launch(struct symbols *symbols, struct ir_var *param,
                                const struct ir_type *element, bool is_extent, unsigned which)
{
  static const char *const names[2][2] = {{"min", "max"}, {"begin", "end"}};
  unsigned position = 2 * launch_value(symbols, param, element, is_extent) + which;

  if (position >= 2 * MOST_VALUES) return NULL;
  for (unsigned i = 0; i < symbols->items.count; i++)
    if (symbols->items.items[i]->kind == SYMBOL_LAUNCH &&
        symbols->items.items[i]->var->value == position)
      return symbols->items.items[i];
  struct ir_var *var = ARENA_NEW(symbols->arena, struct ir_var);
  var->id = UINT32_MAX;
  var->kind = IR_VAR_LAUNCH;
  var->name = arena_format(symbols->arena, "%s(%s)", names[is_extent][which], param->name);
  var->type = lower_int_type(symbols->arena, true);
  var->value = position;
  struct symbol *symbol = add(symbols, SYMBOL_LAUNCH, var->name);
  symbol->var = var;
  bound_int(symbols, symbol, -(INT64_C(1) << VALUE_BITS), INT64_C(1) << VALUE_BITS);
  return symbol;
}

struct symbol *symbol_of_table(struct symbols *symbols, const struct table_read *read,
                               const struct symbol *low, const struct symbol *high)
{
  for (unsigned i = 0; i < symbols->items.count; i++) {
    struct symbol *other = symbols->items.items[i];
    if (other->from_table && other->read.table == read->table && other->read.wraps == read->wraps &&
        value_same(other->read.index, read->index))
      return other;
  }
  struct symbol *symbol = symbol_new_unknown(symbols, NULL, NULL);
  isl_set *above = isl_pw_aff_ge_set(symbol_aff(symbols, symbol), symbol_aff(symbols, low));
  isl_set *below = isl_pw_aff_le_set(symbol_aff(symbols, symbol), symbol_aff(symbols, high));

  symbol->bounds = isl_set_intersect(symbol->bounds, isl_set_intersect(above, below));
  symbol->from_table = true;
  symbol->read = *read;
  symbol->read.index = arena_alloc(symbols->arena, sizeof *symbol->read.index);
  *symbol->read.index = value_copy(read->index);
  return symbol;
}

bool symbols_differ(isl_space *space)
{
  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    bool unknown = symbol->kind == SYMBOL_UNKNOWN && (!symbol->from_table || symbol->of_thread);
    if (unknown || (symbol->kind == SYMBOL_BUILTIN && symbol->builtin < IR_BLOCK_IDX)) return true;
  }
  return false;
}

unsigned symbols_values_of(isl_space *space)
{
  unsigned bits = 0;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    if (symbol->kind == SYMBOL_LAUNCH) bits |= 1u << symbol->var->value / 2;
  }
  return bits;
}

struct symbol *symbol_new_uniform(struct symbols *symbols, struct ir_expr *expr)
{
  struct text name = {0};

  ir_print_expr(&name, expr);
  struct symbol *symbol = add(symbols, SYMBOL_UNIFORM, text_string(&name));
  text_finish(&name);
  symbol->expr = expr;
  return symbol;
}

/* Is the symbol the form? `only`: the symbol that the form consists of, or NULL. */
static bool is_form(const struct symbol *symbol, isl_pw_aff *aff, const struct symbol *only)
{
  if (symbol->kind == SYMBOL_UNIFORM && !symbol->stride[0] && symbol->coefficient)
    return form_same(symbol->coefficient, aff);
  return symbol == only;
}

struct symbol *symbol_of_uniform(struct symbols *symbols, isl_pw_aff *aff)
{
  if (!aff || isl_pw_aff_isa_aff(aff) != isl_bool_true || !form_is_uniform(aff) ||
      isl_pw_aff_is_cst(aff))
    return NULL;
  const struct symbol *only = form_symbol(aff);
  for (unsigned i = 0; i < symbols->items.count; i++) {
    struct symbol *symbol = symbols->items.items[i];
    if (symbol_is_uniform(symbol) && is_form(symbol, aff, only)) return symbol;
  }

  struct ir_expr *expr = lower_aff(symbols, aff);
  if (!expr) return NULL;
  struct symbol *symbol = symbol_new_uniform(symbols, expr);
  symbol->coefficient = isl_pw_aff_copy(aff);
  symbol->of_block = form_of_block(aff);
  symbol->bounds = isl_set_intersect(
      symbol->bounds, isl_pw_aff_eq_set(symbol_aff(symbols, symbol), isl_pw_aff_copy(aff)));
  return symbol;
}

static bool is_builtin(const struct symbol *symbol, isl_pw_aff *aff, struct symbols *symbols,
                       enum ir_builtin builtin)
{
  if (symbol) return symbol->kind == SYMBOL_BUILTIN && symbol->builtin == builtin;
  isl_pw_aff *self = symbol_aff(symbols, symbol_of_builtin(symbols, builtin));
  bool is = form_same(self, aff);
  isl_pw_aff_free(self);
  return is;
}

bool symbol_is_builtin_product(struct symbols *symbols, const struct symbol *symbol,
                               enum ir_builtin a, enum ir_builtin b)
{
  if (symbol->kind != SYMBOL_UNIFORM || !symbol->stride[0] || symbol->stride[1]) return false;
  return (is_builtin(symbol->stride[0], NULL, symbols, a) &&
          is_builtin(NULL, symbol->coefficient, symbols, b)) ||
         (is_builtin(symbol->stride[0], NULL, symbols, b) &&
          is_builtin(NULL, symbol->coefficient, symbols, a));
}

/* Bounds products: blockIdx * blockDim is at most 2^31 less a block, and gridDim * blockDim, the
 * threads of a dimension, at most 2^31. */
static void bound_product(struct symbols *symbols, struct symbol *symbol)
{
  for (unsigned axis = 0; axis < 3; axis++) {
    bool first =
        symbol_is_builtin_product(symbols, symbol, IR_BLOCK_IDX + axis, IR_BLOCK_DIM + axis);
    bool count =
        symbol_is_builtin_product(symbols, symbol, IR_GRID_DIM + axis, IR_BLOCK_DIM + axis);
    if (!first && !count) continue;
    bound_int(symbols, symbol, first ? 0 : 1, (int64_t)1 << 31);
    isl_pw_aff *end = symbol_aff(symbols, symbol);
    if (first)
      end =
          isl_pw_aff_add(end, symbol_aff(symbols, symbol_of_builtin(symbols, IR_BLOCK_DIM + axis)));
    isl_set *range = isl_pw_aff_le_set(end, symbols_constant(symbols, (int64_t)1 << 31));
    symbol->bounds = isl_set_intersect(symbol->bounds, range);
  }
}

struct symbol *symbol_of_product(struct symbols *symbols, isl_pw_aff *coefficient,
                                 struct symbol *const stride[STRIDE_FACTORS])
{
  if (!coefficient || isl_pw_aff_isa_aff(coefficient) != isl_bool_true ||
      !form_is_uniform(coefficient))
    return NULL;
  for (unsigned i = 0; i < symbols->items.count; i++) {
    struct symbol *symbol = symbols->items.items[i];
    if (symbol->kind == SYMBOL_UNIFORM && stride_same(symbol->stride, stride) &&
        form_same(symbol->coefficient, coefficient))
      return symbol;
  }

  struct ir_expr *expr = lower_wide(symbols, coefficient);
  expr = expr ? stride_expr(symbols, expr, stride) : NULL;
  if (!expr) return NULL;
  struct symbol *symbol = symbol_new_uniform(symbols, expr);
  symbol->coefficient = isl_pw_aff_copy(coefficient);
  stride_copy(symbol->stride, stride);
  symbol->of_block = form_of_block(coefficient);
  for (unsigned i = 0; i < STRIDE_FACTORS && stride[i]; i++)
    symbol->of_block |= stride[i]->of_block;
  bound_product(symbols, symbol);
  return symbol;
}

struct symbol *symbol_of_factors(struct symbols *symbols,
                                 struct symbol *const factors[STRIDE_FACTORS])
{
  struct symbol *rest[STRIDE_FACTORS] = {NULL};

  if (!factors[1]) return factors[0];
  memcpy(rest, factors + 1, (STRIDE_FACTORS - 1) * sizeof *rest);
  isl_pw_aff *first = symbol_aff(symbols, factors[0]);
  struct symbol *symbol = symbol_of_product(symbols, first, rest);
  isl_pw_aff_free(first);
  return symbol;
}

bool symbol_is_uniform(const struct symbol *symbol)
{
  switch (symbol->kind) {
  case SYMBOL_SCALAR:
  case SYMBOL_LAUNCH:
  case SYMBOL_UNIFORM: return true;
  case SYMBOL_BUILTIN: return symbol->builtin >= IR_BLOCK_IDX;
  case SYMBOL_LOOP: return symbol->in_step;
  default: return false;
  }
}

static bool aff_known_at_launch(isl_pw_aff *aff)
{
  isl_space *space = isl_pw_aff_get_domain_space(aff);
  bool known = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    known &= symbol_known_at_launch(symbol) || !isl_pw_aff_involves_param_id(aff, symbol->id);
  }
  isl_space_free(space);
  return known;
}

bool symbol_known_at_launch(const struct symbol *symbol)
{
  switch (symbol->kind) {
  case SYMBOL_LAUNCH:
  case SYMBOL_SCALAR: return true;
  case SYMBOL_BUILTIN: return symbol->builtin >= IR_BLOCK_DIM;
  case SYMBOL_UNIFORM: /* a product of more than two could overflow on the host */
    return !symbol->of_block && symbol->coefficient && aff_known_at_launch(symbol->coefficient) &&
           (!symbol->stride[0] || (symbol_known_at_launch(symbol->stride[0]) &&
                                   symbol->stride[0]->kind != SYMBOL_UNIFORM)) &&
           !symbol->stride[1];
  default: return false;
  }
}

struct symbol *symbol_of_param(isl_space *space, unsigned position)
{
  isl_id *id = isl_space_get_dim_id(space, isl_dim_param, position);
  struct symbol *symbol = isl_id_get_user(id);

  isl_id_free(id);
  assert(symbol);
  return symbol;
}

isl_set *symbols_project_threads(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);

  for (int i = isl_space_dim(space, isl_dim_param) - 1; i >= 0; i--)
    if (!symbol_is_uniform(symbol_of_param(space, (unsigned)i)))
      set = isl_set_project_out(set, isl_dim_param, (unsigned)i, 1);
  isl_space_free(space);
  return set;
}

bool symbols_all_uniform(isl_space *space)
{
  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++)
    if (!symbol_is_uniform(symbol_of_param(space, (unsigned)i))) return false;
  return true;
}

bool symbols_any_unknown(isl_space *space)
{
  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++)
    if (symbol_of_param(space, (unsigned)i)->kind == SYMBOL_UNKNOWN) return true;
  return false;
}
