/* SPDX-License-Identifier: MIT */
/* hull.c - the hull of a set of coordinates, as forms of quantities that the host knows.
 *
 *     [n, gridDim.x] -> { [i] : 0 <= i < n and i < 128 gridDim.x }   =>   first 0, last n - 1
 *
 * Each dimension is handled by itself. Constraints that the set does not need to be bounded are
 * dropped if that gives shorter arithmetic. Gives up on an unbounded dimension.
 */
#include "analysis/sets/hull.h"

#include "analysis/sets/ends.h"

#include <isl/options.h>

enum { HULL_OPERATIONS = 20000 }; /* of isl, for the exact hull of one dimension */

void hull_finish(struct hull *hull)
{
  for (unsigned d = 0; d < ACCESS_DIMS; d++) {
    isl_pw_aff_free(hull->low[d]);
    isl_pw_aff_free(hull->high[d]);
  }
  isl_set_free(hull->where);
}

static isl_stat only_aff(isl_set *domain, isl_aff *aff, void *user)
{
  isl_pw_aff **form = user;

  isl_set_free(domain);
  *form = isl_pw_aff_from_aff(aff);
  return isl_stat_ok;
}

/* Extends a form of one piece to all parameters. For several pieces, `where` keeps the parameters
 * that have one. */
static isl_pw_aff *extend(struct hull *hull, isl_pw_aff *form)
{
  isl_pw_aff *all = NULL;

  form = isl_pw_aff_coalesce(form);
  if (isl_pw_aff_n_piece(form) != 1) {
    isl_set *domain = isl_pw_aff_domain(isl_pw_aff_copy(form));
    hull->where = hull->where ? isl_set_intersect(hull->where, domain) : domain;
    return form;
  }
  isl_pw_aff_foreach_piece(form, only_aff, &all);
  isl_pw_aff_free(form);
  return all;
}

static bool of_grid(const struct symbol *symbol)
{
  bool is = symbol->kind == SYMBOL_BUILTIN && symbol->builtin >= IR_GRID_DIM;

  for (unsigned i = 0; i < STRIDE_FACTORS && symbol->stride[i] && !is; i++)
    is = of_grid(symbol->stride[i]);
  return is;
}

static bool depends_on_grid(const struct symbol *symbol)
{
  isl_space *space = symbol->coefficient ? isl_pw_aff_get_domain_space(symbol->coefficient) : NULL;
  bool depends = of_grid(symbol);

  for (int i = 0; space && i < isl_space_dim(space, isl_dim_param); i++)
    depends |= of_grid(symbol_of_param(space, (unsigned)i));
  isl_space_free(space);
  return depends;
}

/* Drops the constraints that involve the grid if the set is bounded without them, for shorter
 * arithmetic. Takes `set`. */
static isl_set *without_grid(isl_set *set)
{
  isl_set *all = isl_set_copy(set);
  isl_space *space = isl_set_get_space(set);

  for (int i = isl_space_dim(space, isl_dim_param) - 1; i >= 0; i--)
    if (depends_on_grid(symbol_of_param(space, (unsigned)i)))
      all = isl_set_drop_constraints_involving_dims(all, isl_dim_param, (unsigned)i, 1);
  isl_space_free(space);
  bool bounded = isl_set_dim_has_upper_bound(all, isl_dim_set, 0) == isl_bool_true &&
                 isl_set_dim_has_lower_bound(all, isl_dim_set, 0) == isl_bool_true;
  isl_set_free(bounded ? set : all);
  return bounded ? all : set;
}

/* Drops the constraints that involve scalars if the set is bounded without them. Takes `set`. */
static isl_set *without_scalars(isl_set *set)
{
  for (int i = isl_set_dim(set, isl_dim_param) - 1; i >= 0; i--) {
    isl_set *all =
        isl_set_drop_constraints_involving_dims(isl_set_copy(set), isl_dim_param, (unsigned)i, 1);
    isl_space *space = isl_set_get_space(set);
    bool scalar = symbol_of_param(space, (unsigned)i)->kind == SYMBOL_SCALAR;
    bool bounded = isl_set_dim_has_upper_bound(all, isl_dim_set, 0) == isl_bool_true &&
                   isl_set_dim_has_lower_bound(all, isl_dim_set, 0) == isl_bool_true;
    isl_space_free(space);
    isl_set_free(scalar && bounded ? set : all);
    set = scalar && bounded ? all : set;
  }
  return set;
}

/* One basic set around `set`. If that takes long: around the set without the quantities about which
 * it says nothing exact. Takes `set`. */
static isl_set *basic_hull(isl_set *set)
{
  isl_ctx *ctx = isl_set_get_ctx(set);
  isl_set *original = isl_set_copy(set);
  unsigned long limit = isl_ctx_get_max_operations(ctx);

  isl_ctx_reset_operations(ctx);
  isl_ctx_set_max_operations(ctx, HULL_OPERATIONS);
  set = isl_set_from_basic_set(isl_set_simple_hull(isl_set_coalesce(set)));
  isl_ctx_reset_operations(ctx);
  isl_ctx_set_max_operations(ctx, limit);
  if (set) {
    isl_set_free(original);
    return set;
  }
  isl_ctx_reset_error(ctx);
  return isl_set_from_basic_set(
      isl_set_simple_hull(isl_set_coalesce(isl_set_remove_unknown_divs(original))));
}

bool hull_of(struct hull *ret, isl_set *set, unsigned dims, bool loose)
{
  *ret = (struct hull){.empty = isl_set_is_empty(set) == isl_bool_true};
  for (unsigned d = 0; d < dims && !ret->empty; d++) {
    isl_set *dim = isl_set_project_out(isl_set_copy(set), isl_dim_set, d + 1, dims - d - 1);
    dim = isl_set_project_out(dim, isl_dim_set, 0, d);
    dim = dim ? without_grid(basic_hull(dim)) : NULL;
    if (dim && loose) dim = without_scalars(dim);
    bool bounded = dim && isl_set_dim_has_lower_bound(dim, isl_dim_set, 0) == isl_bool_true &&
                   isl_set_dim_has_upper_bound(dim, isl_dim_set, 0) == isl_bool_true;
    if (!bounded) {
      isl_set_free(dim);
      return false;
    }
    isl_pw_aff *low = ends_of_basic(dim, true), *high = low ? ends_of_basic(dim, false) : NULL;
    isl_set_free(dim);
    ret->low[d] = low ? extend(ret, low) : NULL;
    ret->high[d] = high ? extend(ret, high) : NULL;
    if (!ret->low[d] || !ret->high[d]) return false;
  }
  return true;
}
