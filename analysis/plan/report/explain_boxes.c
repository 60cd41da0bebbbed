/* SPDX-License-Identifier: MIT */
/* explain_boxes.c - the box of an array that a block uses, in numbers, for --explain.
 *
 *     u[128 blockIdx.x - 1 .. 128 blockIdx.x + 128]
 *         =>    130 elements, of which the next block along x uses others, 128 further:
 *                   a halo of 1 element in front and 1 behind
 *
 * Requires: the candidate has a box. Sizes that are not constant count as unknown.
 */
#include "analysis/plan/report/explain.h"

#include "analysis/sets/value.h"

struct first { /* the first element in a dimension */
  struct symbols *symbols;
  struct explained_dim *dim;
  int64_t at_zero; /* for the block (0, 0, 0) */
  bool known;      /* the numbers are constant */
};

static int64_t taken(isl_val *value, bool *known)
{
  int64_t number = isl_val_is_int(value) == isl_bool_true ? isl_val_get_num_si(value) : 0;

  *known &= isl_val_is_int(value) == isl_bool_true;
  isl_val_free(value);
  return number;
}

/* Reads the term of a symbol in a form. */
static void read_term(struct first *first, const struct symbol *symbol, int64_t by)
{
  bool of_block = symbol->kind == SYMBOL_BUILTIN && symbol->builtin >= IR_BLOCK_IDX &&
                  symbol->builtin < IR_BLOCK_DIM;

  if (!by) return;
  first->known &= of_block && first->dim->axis < 0;
  if (!of_block) return;
  first->dim->axis = (int)symbol->builtin - IR_BLOCK_IDX;
  first->dim->step = by;
}

static isl_stat read_form(isl_set *domain, isl_aff *form, void *context)
{
  struct first *first = context;
  isl_space *space = isl_aff_get_domain_space(form);

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    isl_val *by = isl_aff_get_coefficient_val(form, isl_dim_param, i);
    read_term(first, symbol_of_param(space, (unsigned)i), taken(by, &first->known));
  }
  for (int i = 0; i < isl_aff_dim(form, isl_dim_div); i++)
    first->known &= !taken(isl_aff_get_coefficient_val(form, isl_dim_div, i), &first->known);
  first->at_zero = taken(isl_aff_get_constant_val(form), &first->known);
  isl_space_free(space);
  isl_set_free(domain);
  isl_aff_free(form);
  return isl_stat_ok;
}

static int64_t extent_of(struct symbols *symbols, const struct candidate *c, unsigned d)
{
  struct value extent = {0};
  int64_t number = -1;

  if (!c->is_flat) return c->array->extents[d];
  if (!d) return c->dim_count == 1 ? c->array->extents[0] : -1;
  extent.aff = candidate_extent(symbols, c, d);
  if (!value_constant(&extent, &number)) number = -1;
  value_free(&extent);
  return number;
}

/* The extent of the outermost dimension, if the launch's argument has a known object. */
static int64_t outermost_extent(const struct kernel_facts *facts, const struct candidate *c,
                                const struct explained_dim *dims)
{
  uint64_t row = c->array->element->size;

  for (unsigned d = 1; d < c->dim_count; d++)
    row = dims[d].extent > 0 ? row * (uint64_t)dims[d].extent : 0;
  for (unsigned i = 0; i < facts->kernel->param_count && row; i++) {
    const struct pointer_fact *fact = &facts->pointers[i];
    if (facts->kernel->params[i] == c->array->var && fact->range_known && !fact->low)
      return (int64_t)((uint64_t)fact->high / row);
  }
  return -1;
}

/* Computes the halo: neighbours also use the elements beyond the step. Elements before element 0 of
 * the first block are the halo in front. */
static void add_halo(struct explained_dim *dim, int64_t at_zero)
{
  int64_t halo = dim->size - dim->step, front = at_zero < 0 ? -at_zero : 0;

  if (dim->step <= 0 || halo <= 0) return;
  dim->halo[0] = front < halo ? front : halo;
  dim->halo[1] = halo - dim->halo[0];
}

void explain_box(struct symbols *symbols, const struct candidate *c, struct explained_array *ret)
{
  ret->dim_count = c->dim_count;
  ret->dims = arena_alloc(symbols->arena, (c->dim_count + 1) * sizeof *ret->dims);
  for (unsigned d = 0; d < c->dim_count; d++) {
    struct explained_dim *dim = &ret->dims[d];
    struct first first = {symbols, dim, 0, isl_pw_aff_n_piece(c->offset[d]) == 1};
    *dim = (struct explained_dim){
        .size = c->length[d] ? -1 : c->size[d], .extent = extent_of(symbols, c, d), .axis = -1};
    isl_pw_aff_foreach_piece(c->offset[d], read_form, &first);
    if (first.known && dim->axis >= 0)
      add_halo(dim, first.at_zero);
    else
      dim->axis = -1, dim->step = 0;
  }
  if (c->dim_count && ret->dims[0].extent < 0)
    ret->dims[0].extent = outermost_extent(symbols->facts, c, ret->dims);
}
