/* SPDX-License-Identifier: MIT */
/* valid.c - the coordinates that can be elements of an array's object.
 *
 *     int a[4][N]       =>  0 <= i < 4, 0 <= j < N
 *     float *p, rows of n, an object that the launch knows
 *                       =>  0 <= j < n, and i * n + j within the object
 *
 * Requires: coordinates (shape.c, pack.c). Produces: valid, has_extents.
 */
#include <isl/map.h>

#include "analysis/range/candidate.h"
#include "runtime/seeded.h"

static isl_set *dims_universe(struct symbols *symbols, unsigned dims)
{
  return isl_set_universe(isl_space_set_alloc(symbols->ctx, 0, dims));
}

static isl_set *bound_dim(isl_set *set, unsigned d, int64_t low, int64_t high_exclusive)
{
  isl_ctx *ctx = isl_set_get_ctx(set);

  set = isl_set_lower_bound_val(set, isl_dim_set, d, isl_val_int_from_si(ctx, low));
  high_exclusive -= SEEDED(EXTENT_SHORT);
  return isl_set_upper_bound_val(set, isl_dim_set, d, isl_val_int_from_si(ctx, high_exclusive - 1));
}

static int64_t row_bytes(const struct array *array)
{
  int64_t bytes = array->element->size;

  for (unsigned d = 1; d < array->dim_count; d++)
    bytes = bytes > 0 && array->extents[d] > 0 && bytes <= INT64_MAX / array->extents[d]
                ? bytes * array->extents[d]
                : -1;
  return bytes;
}

/* { [d0, ...] : low <= sum of d * stride < high } */
static isl_set *flat_within(struct symbols *symbols, const struct candidate *c, int64_t low,
                            int64_t high)
{
  isl_space *space = isl_space_set_alloc(symbols->ctx, 0, c->dim_count);
  isl_aff *sum = isl_aff_zero_on_domain(isl_local_space_from_space(space));

  for (unsigned d = 0; d < c->dim_count; d++)
    sum = isl_aff_add_coefficient_si(sum, isl_dim_in, (int)d, (int)c->strides[d].constant);
  isl_aff *first =
      isl_aff_add_constant_val(isl_aff_copy(sum), isl_val_int_from_si(symbols->ctx, -low));
  isl_aff *last =
      isl_aff_add_constant_val(isl_aff_neg(sum), isl_val_int_from_si(symbols->ctx, high - 1));
  return isl_set_intersect(isl_pw_aff_nonneg_set(isl_pw_aff_from_aff(first)),
                           isl_pw_aff_nonneg_set(isl_pw_aff_from_aff(last)));
}

static isl_set *inner_rows(struct symbols *symbols, struct candidate *c)
{
  isl_set *valid = dims_universe(symbols, c->dim_count);

  for (unsigned d = 1; d < c->dim_count && !c->shifted; d++) {
    if (!c->strides[0].symbol[0]) {
      int64_t extent = c->strides[d - 1].constant / c->strides[d].constant;
      valid = bound_dim(valid, d, c->first[d], c->first[d] + extent);
      continue;
    }
    isl_pw_aff *extent = candidate_extent(symbols, c, d);
    isl_set *row = isl_set_from_pw_aff(extent); /* { [e] } */
    /* { [j] : j < e } */
    row = isl_set_apply(row, isl_map_lex_gt(isl_space_set_alloc(symbols->ctx, 0, 1)));
    row = isl_set_lower_bound_si(row, isl_dim_set, 0, 0);
    row = isl_set_insert_dims(row, isl_dim_set, 0, d);
    row = isl_set_insert_dims(row, isl_dim_set, d + 1, c->dim_count - d - 1);
    valid = isl_set_intersect(valid, row);
  }
  return valid;
}

static const struct pointer_fact *fact_of(struct symbols *symbols, const struct ir_var *var)
{
  const struct ir_function *kernel = symbols->facts->kernel;

  for (unsigned i = 0; i < kernel->param_count; i++)
    if (kernel->params[i] == var) return &symbols->facts->pointers[i];
  return NULL;
}

/* { [i] : begin <= i < end } of the object that the launch finds behind the parameter */
static void bound_at_launch(struct symbols *symbols, struct candidate *c)
{
  struct symbol *begin = symbol_of_launch(symbols, c->array->var, c->array->element, true, 0);
  struct symbol *end = symbol_of_launch(symbols, c->array->var, c->array->element, true, 1);

  if (!begin || !end || c->array->var->write_count) return;
  isl_set *from = isl_set_apply(isl_set_from_pw_aff(symbol_aff(symbols, begin)),
                                isl_map_lex_le(isl_space_set_alloc(symbols->ctx, 0, 1)));
  isl_set *to = isl_set_apply(isl_set_from_pw_aff(symbol_aff(symbols, end)),
                              isl_map_lex_gt(isl_space_set_alloc(symbols->ctx, 0, 1)));
  c->valid = isl_set_intersect(c->valid, isl_set_intersect(from, to));
  c->has_extents = true;
}

void candidate_valid(struct symbols *symbols, struct candidate *c)
{
  const struct array *array = c->array;
  const struct pointer_fact *fact = fact_of(symbols, array->var);
  int64_t row = row_bytes(array);
  int64_t low = 0, high = array->extents[0];
  bool known = high > 0;

  if (fact && fact->range_known && row > 0 && fact->low % row == 0 && fact->high % row == 0) {
    low = fact->low / row;
    high = fact->high / row;
    known = high > low;
  }
  if (c->is_flat) {
    bool constants = !c->strides[0].symbol[0] && !c->shifted;
    c->valid = inner_rows(symbols, c);
    c->has_extents = known && constants;
    int64_t elements = known ? row / array->element->size : 0; /* of a row as declared */
    if (c->has_extents)
      c->valid =
          isl_set_intersect(c->valid, flat_within(symbols, c, low * elements, high * elements));
    return;
  }
  c->has_extents = known;
  c->valid = dims_universe(symbols, c->dim_count);
  if (known)
    c->valid = bound_dim(c->valid, 0, low, high);
  else if (c->dim_count == 1 && c->measured && array->var->kind == IR_VAR_PARAM)
    bound_at_launch(symbols, c);
  for (unsigned d = 1; d < c->dim_count; d++) {
    if (array->extents[d] > 0)
      c->valid = bound_dim(c->valid, d, 0, array->extents[d]);
    else
      c->has_extents = false;
  }
}
