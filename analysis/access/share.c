/* SPDX-License-Identifier: MIT */
/* share.c - the share of a block's threads for which a condition holds.
 *
 *     if (threadIdx.x < 16)      blocks of 256 threads: 1/16
 *     if (in[i] > 0)             1/2, of which nothing is known
 *
 * Requires: a block whose shape is known. Gives up (1/2) where anything but the indices of threads
 * decides.
 */
#include "analysis/access/walk.h"
#include "runtime/seeded.h"

static const double unknown_share = 0.5;

/* The least and the greatest value of the parameter at `at`; false: it has none. */
static bool find_bounds(isl_set *where, unsigned at, double *ret_low, double *ret_high)
{
  isl_set *one = isl_set_move_dims(isl_set_copy(where), isl_dim_set, 0, isl_dim_param, at, 1);
  isl_val *low = NULL, *high = NULL;

  one = isl_set_project_out(one, isl_dim_param, 0, (unsigned)isl_set_dim(one, isl_dim_param));
  low = isl_set_dim_min_val(isl_set_copy(one), 0);
  high = isl_set_dim_max_val(one, 0);
  bool known =
      low && high && isl_val_is_int(low) == isl_bool_true && isl_val_is_int(high) == isl_bool_true;
  if (known) {
    *ret_low = isl_val_get_d(low);
    *ret_high = isl_val_get_d(high);
  }
  isl_val_free(low);
  isl_val_free(high);
  return known;
}

/* The axis whose index in the block the parameter is; below 0: it is another one, or the size of
 * the block is not known. */
static int axis_of(const struct symbols *symbols, const struct symbol *symbol)
{
  int axis = symbol->kind == SYMBOL_BUILTIN ? (int)symbol->builtin - IR_THREAD_IDX : -1;
  return axis >= 0 && axis < 3 && symbols->facts->block[axis] > 0 ? axis : -1;
}

/* The axes whose indices decide about the set; 0: others do, too, or none do. */
static unsigned axes_of(const struct symbols *symbols, isl_set *where)
{
  isl_space *space = isl_set_get_space(where);
  unsigned axes = 0;
  bool others = false;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param) && !others; i++) {
    if (isl_set_involves_dims(where, isl_dim_param, (unsigned)i, 1) == isl_bool_false) continue;
    int axis = axis_of(symbols, symbol_of_param(space, (unsigned)i));
    others = axis < 0;
    if (!others) axes |= 1u << axis;
  }
  isl_space_free(space);
  return others ? 0 : axes;
}

/* The share along one axis; 0: it is not found. */
static double share_along(struct symbols *symbols, isl_set *where, int axis)
{
  const struct symbol *symbol = symbol_of_builtin(symbols, (enum ir_builtin)(IR_THREAD_IDX + axis));
  int at = isl_set_find_dim_by_id(where, isl_dim_param, symbol->id);
  double low, high;

  if (at < 0 || !find_bounds(where, (unsigned)at, &low, &high) || high < low) return 0;
  return (high - low + 1) / (double)symbols->facts->block[axis];
}

double share_of_threads(struct symbols *symbols, isl_set *where, bool exact)
{
  unsigned axes = exact && !SEEDED(SHARE_UNKNOWN) ? axes_of(symbols, where) : 0;
  double share = 1;

  if (!axes) return unknown_share;
  isl_set *closed = symbols_close(symbols, isl_set_copy(where));
  for (int axis = 0; axis < 3; axis++)
    if (axes & (1u << axis)) share *= share_along(symbols, closed, axis);
  isl_set_free(closed);
  return share > 0 && share <= 1 ? share : unknown_share;
}
