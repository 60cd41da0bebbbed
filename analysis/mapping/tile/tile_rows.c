/* SPDX-License-Identifier: MIT */
/* tile_rows.c - arrays of which each thread writes a row of its own.
 *
 *     int r = blockIdx.x * 32 + threadIdx.x;
 *     for (j = 1; j < n; j++) x[r * n + j] -= x[r * n + j - 1];      =>     x[r] belongs to thread
 * r
 *
 * Such an array may be stored tile by tile: no other thread reads or writes the elements that a
 * thread writes, so that any thread may load and store them for it, between barriers. Requires: the
 * scan of shaped code. Gives up where another name may reach the array, where an index of one of
 * its accesses is not the thread's global index, or where the kernel names another index than along
 * x.
 */
#include "analysis/mapping/tile/tile.h"

static bool overlaps_another(const struct code *scan, const struct array *array)
{
  for (unsigned i = 0; i < scan->access.arrays.count; i++) {
    const struct array *other = scan->access.arrays.items[i];
    if (other->var != array->var && !code_disjoint(scan, array, other)) return true;
  }
  return scan->access.unknown_read || scan->access.unknown_write;
}

/* Is it the global index of the thread along x, and nothing else? Takes `form`. */
static bool is_global_id(const struct geometry *geometry, struct symbols *symbols, isl_pw_aff *form)
{
  struct symbol *thread = symbol_of_builtin(symbols, IR_THREAD_IDX),
                *block = symbol_of_builtin(symbols, IR_BLOCK_IDX);
  isl_val *width = isl_val_int_from_si(symbols->ctx, geometry->block[0]);
  isl_pw_aff *id = isl_pw_aff_add(symbol_aff(symbols, thread),
                                  isl_pw_aff_scale_val(symbol_aff(symbols, block), width));
  bool is = isl_pw_aff_is_equal(form, id) == isl_bool_true;

  isl_pw_aff_free(id);
  isl_pw_aff_free(form);
  return is;
}

/* Has a dimension the global index of the thread at every access in the kernel? */
static bool is_row(const struct geometry *geometry, struct symbols *symbols,
                   const struct candidate *c, unsigned d)
{
  for (unsigned i = 0; i < c->array->accesses.count; i++)
    if (!is_global_id(geometry, symbols, isl_pw_aff_copy(c->index[i * c->dim_count + d])))
      return false;
  return true;
}

/* Each thread of the kernel accesses elements of the array that no other does. */
static bool has_own_rows(struct code *scan, const struct geometry *geometry, struct array *array)
{
  bool own = false;

  for (unsigned rows = 0; rows < 2 && !own; rows++) {
    struct candidate *c = ARENA_NEW(scan->arena, struct candidate);
    c->array = array;
    candidate_shape(&scan->symbols, c, rows);
    for (unsigned d = 0; d < c->dim_count && !c->reject && !own; d++)
      own = c->dim_count > 1 && is_row(geometry, &scan->symbols, c, d);
    candidate_finish(c);
  }
  return own && !code_exhausted(scan);
}

static void note_other_axis(struct ir_expr *expr, void *context)
{
  bool *named = context;

  if (expr->kind != IR_EXPR_BUILTIN) return;
  for (int axis = 1; axis < 3; axis++)
    *named |= expr->value == IR_THREAD_IDX + axis || expr->value == IR_BLOCK_IDX + axis;
}

/* Do threads with one global index along x differ in another index? They would share its row. */
static bool names_other_axis(const struct code *scan)
{
  bool named = false;

  ir_visit_stmt_exprs(scan->facts.kernel->body, note_other_axis, &named);
  return named;
}

bool tile_is_alone(const struct code *scan, const struct array *array)
{
  return !names_other_axis(scan) && !overlaps_another(scan, array);
}

bool tile_may_store(struct code *scan, const struct geometry *geometry, struct array *array)
{
  return tile_is_alone(scan, array) && has_own_rows(scan, geometry, array);
}

const char *tile_memory_obstacle(const struct array *array)
{
  const struct ir_var *var = array->var;

  if (var->kind == IR_VAR_DEVICE)
    return var->is_constant_memory ? "it is in constant memory, which has a cache of its own"
                                   : "it is a variable of the device, which tiles leave out";
  if (var->kind == IR_VAR_LOCAL) return "it is a thread's own";
  return array->dim_count ? NULL : "it is no array";
}
