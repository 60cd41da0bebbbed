/* SPDX-License-Identifier: MIT */
/* walk_table.c - elements of tables that the launch inspects.
 *
 *     x[col[j]]                      =>  col[j] is a symbol between min(col) and max(col)
 *     x[t[f * blockDim.x + lane]]    =>  the index as it is without wrapping around;
 *         the launch proves that by the table's size
 *
 * Requires: symbols.inspects. Produces: symbols with a table_read. Gives up (unknown): tables that
 * are no parameter, elements other than integers, more tables than a launch inspects.
 */
#include "analysis/access/walk.h"

static bool differs(isl_pw_aff *aff)
{
  isl_space *space = isl_pw_aff_get_domain_space(aff);
  bool is = symbols_differ(space);

  isl_space_free(space);
  return is;
}

static bool index_differs(const struct value *index)
{
  bool is = !index->aff || differs(index->aff);

  for (unsigned t = 0; t < index->term_count; t++) is |= differs(index->terms[t].coefficient);
  return is;
}

/* ---- indices that may wrap around ---- */

static bool is_unsigned_word(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT && !type->is_signed && type->size == 4;
}

static struct value exact_leaf(struct walk *w, const struct ir_expr *expr)
{
  if (expr->kind == IR_EXPR_INT) return value_take(symbols_constant(w->symbols, expr->value));
  if (expr->kind == IR_EXPR_VAR && expr->var->has_value)
    return value_take(symbols_constant(w->symbols, expr->var->value));
  if (expr->kind == IR_EXPR_VAR && walk_tracked(expr->var) && walk_owns(w, expr->var))
    return walk_all_bits(w, value_copy(&w->frame->values[expr->var->id]), expr->type);
  if (expr->kind != IR_EXPR_BUILTIN) return (struct value){0};
  enum ir_builtin builtin = (enum ir_builtin)expr->value;
  const int64_t *known = builtin < IR_BLOCK_DIM  ? NULL
                         : builtin < IR_GRID_DIM ? w->symbols->facts->block
                                                 : w->symbols->facts->grid;
  if (known && known[builtin % 3] > 0)
    return value_take(symbols_constant(w->symbols, known[builtin % 3]));
  return value_take(symbol_aff(w->symbols, symbol_of_builtin(w->symbols, builtin)));
}

/* The sums and products of unsigned words as integers. They are equal where the integer fits the
 * type. */
static struct value exact(struct walk *w, struct ir_expr *expr)
{
  expr = ir_strip(expr);
  bool joins = expr->kind == IR_EXPR_BINARY &&
               (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB || expr->op == IR_OP_MUL);
  if (!joins || !is_unsigned_word(expr->type)) return exact_leaf(w, expr);
  struct value a = exact(w, expr->operands[0]), b = exact(w, expr->operands[1]);
  return expr->op == IR_OP_ADD   ? value_add(a, b)
         : expr->op == IR_OP_SUB ? value_sub(a, b)
                                 : value_mul(w->symbols, a, b);
}

static bool is_unknown(const struct value *index)
{
  isl_space *space = index->aff ? isl_pw_aff_get_domain_space(index->aff) : NULL;
  bool unknown = !index->aff;

  for (int i = 0; space && i < isl_space_dim(space, isl_dim_param); i++)
    unknown |= symbol_of_param(space, (unsigned)i)->kind == SYMBOL_UNKNOWN &&
               !symbol_of_param(space, (unsigned)i)->from_table;
  isl_space_free(space);
  return unknown;
}

/* The index of an element. *ret_wraps: it holds only if nothing wraps around. */
static struct value index_of(struct walk *w, const struct address *address, bool *ret_wraps)
{
  struct ir_expr *source = address->stored || !address->has_source || !address->source[0]
                               ? NULL
                               : ir_strip(address->source[0]);

  *ret_wraps = source && !address->has_effects && is_unsigned_word(source->type) &&
               is_unknown(&address->index[0]);
  return *ret_wraps ? exact(w, source) : value_copy(&address->index[0]);
}

/* ---- tables ---- */

static bool is_table(const struct address *address, const struct ir_type *type)
{
  const struct ir_var *table = address->base;
  bool element = address->shaped && address->count == 1 && !address->local && !address->inside;

  return element && table && table->kind == IR_VAR_PARAM && !table->write_count &&
         type->kind == IR_TYPE_INT && !type->is_volatile && (type->size < 8 || type->is_signed);
}

struct value walk_table(struct walk *w, const struct address *address, const struct ir_expr *expr)
{
  struct symbol *bounds[2];

  if (!w->symbols->inspects || !is_table(address, expr->type)) return (struct value){0};
  for (unsigned i = 0; i < 2; i++) {
    bounds[i] = symbol_of_launch(w->symbols, address->base, expr->type, false, i);
    if (!bounds[i]) return (struct value){0};
  }
  struct table_read read = {.table = address->base, .element = expr->type};
  struct value index = index_of(w, address, &read.wraps);
  read.index = &index;
  struct symbol *element = symbol_of_table(w->symbols, &read, bounds[0], bounds[1]);
  element->of_thread = index_differs(&index);
  *ARENA_PUSH(w->symbols->arena, &w->symbols->tables) = (struct table_seen){expr, element};
  value_free(&index);
  return value_take(symbol_aff(w->symbols, element));
}

bool access_through_table(const struct access *access)
{
  bool through = false;

  for (unsigned d = 0; d < access->dim_count; d++) {
    isl_space *space =
        access->index[d].aff ? isl_pw_aff_get_domain_space(access->index[d].aff) : NULL;
    for (int p = 0; space && p < isl_space_dim(space, isl_dim_param); p++) {
      const struct symbol *symbol = symbol_of_param(space, (unsigned)p);
      through |= symbol->of_thread || symbol->kind == SYMBOL_UNKNOWN;
    }
    through |= !access->index[d].aff && !access->index[d].term_count;
    isl_space_free(space);
  }
  return through;
}
