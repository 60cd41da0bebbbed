/* SPDX-License-Identifier: MIT */
/* rows.c - the conditions on a launch under which flat arrays have rows.
 *
 *     for (k = 0; k < nk; k++) sum += a[i * 1024 + k] * ...     =>     nk <= 1024
 *     if (j < nj) c[i * ld + j] = ...                           =>     nj <= ld
 *     c[i * n + j] = ...   (no guard, exact grid)   =>   gridDim.x * 16 <= n, so that j < n
 *
 * Requires: code with facts. Produces conditions on the kernel's parameters, which the launch can
 * evaluate. For conditions on the size of its grid it also produces their consequences for the ids
 * of threads, which hold in every other shape, too. Gives up on an array whose rows depend on more
 * than the host knows.
 */
#include <limits.h>

#include "analysis/code/code.h"
#include "analysis/code/host_set.h"
#include "analysis/code/shape_free.h"
#include "analysis/range/candidate.h"
#include "analysis/sets/lower.h"

enum { MOST_CONSTRAINTS = 3 };

/* Does the set involve only parameters, not the blockDim and gridDim of the launch as written? */
static bool of_parameters(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);
  bool fine = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++)
    fine &= symbol_of_param(space, (unsigned)i)->kind == SYMBOL_SCALAR ||
            isl_set_involves_dims(set, isl_dim_param, (unsigned)i, 1) == isl_bool_false;
  isl_space_free(space);
  return fine;
}

/* The parameters for which some grid has no rows: all other unknowns are projected out. */
static isl_set *for_any_grid(isl_set *missing)
{
  isl_space *space = isl_set_get_space(missing);

  for (int i = isl_space_dim(space, isl_dim_param) - 1; i >= 0; i--)
    if (symbol_of_param(space, (unsigned)i)->kind != SYMBOL_SCALAR)
      missing = isl_set_project_out(missing, isl_dim_param, (unsigned)i, 1);
  isl_space_free(space);
  return missing;
}

/* The condition under which the array has rows. A guard ends the threads, or the grid does: of cc
 * <= ld || gridDim.x * 16 <= ld, the launch checks the first. */
static isl_set *holds_for(struct code *code, struct array *array)
{
  isl_set *missing = candidate_missing(&code->symbols, array);
  isl_set *holds = missing ? host_avoids(&code->symbols, isl_set_copy(missing)) : NULL;

  if (missing && (!holds || !of_parameters(holds))) {
    isl_set_free(holds);
    holds = host_avoids(&code->symbols, for_any_grid(isl_set_copy(missing)));
  }
  isl_set_free(missing);
  return holds;
}

static struct ir_expr *rows_of(struct code *code, struct array *array)
{
  isl_set *holds = holds_for(code, array);
  struct ir_expr *expr = holds && of_parameters(holds)
                             ? lower_set(&code->symbols, holds, NULL, MOST_CONSTRAINTS)
                             : NULL;
  int64_t value;

  isl_set_free(holds);
  return expr && !ir_constant(expr, &value) ? expr : NULL;
}

unsigned code_ask_rows(struct code *code, struct ir_expr **ret, unsigned most)
{
  unsigned count = 0;

  code_scan(code);
  for (unsigned i = 0; i < code->access.arrays.count && count < most; i++) {
    struct ir_expr *expr = rows_of(code, code->access.arrays.items[i]);
    bool known = !expr;
    for (unsigned k = 0; k < count && !known; k++) known = ir_same_expr(ret[k], expr);
    if (!known && !code_exhausted(code)) ret[count++] = expr;
  }
  return count;
}

/* ---- grids that end with the rows ---- */

struct grid_search {
  struct code *code;
  isl_set *holds; /* under which an array has rows */
  struct row_bound *found;
  unsigned count;
};

/* blockDim * gridDim of the launch as written. NULL: gridDim is no unknown number. */
static isl_pw_aff *total_in(struct grid_search *g, isl_space *space, int axis)
{
  struct symbols *symbols = &g->code->symbols;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    if (symbol->kind == SYMBOL_BUILTIN && symbol->builtin == (enum ir_builtin)(IR_GRID_DIM + axis))
      return isl_pw_aff_scale_val(symbol_aff(symbols, symbol),
                                  isl_val_int_from_si(symbols->ctx, g->code->facts.block[axis]));
  }
  return NULL;
}

/* The parameter that is at least the number of threads along the axis wherever the array has
 * rows. */
static const struct symbol *row_of_axis(struct grid_search *g, isl_space *space, int axis)
{
  struct symbols *symbols = &g->code->symbols;
  isl_pw_aff *total = total_in(g, space, axis);
  const struct symbol *row = NULL;

  for (int i = 0; total && !row && i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    if (symbol->kind != SYMBOL_SCALAR) continue;
    isl_set *fits = isl_pw_aff_le_set(isl_pw_aff_copy(total), symbol_aff(symbols, symbol));
    if (isl_set_is_subset(g->holds, fits) == isl_bool_true) row = symbol;
    isl_set_free(fits);
  }
  isl_pw_aff_free(total);
  return row;
}

static struct ir_expr *typed_product(struct arena *arena, struct ir_expr *a, struct ir_expr *b)
{
  const struct ir_type *wide = lower_int_type(arena, true);

  return ir_build_binary(arena, IR_OP_MUL, ir_build_cast(arena, wide, a),
                         ir_build_cast(arena, wide, b));
}

/* Adds the condition that the launch checks, and its consequence for each thread's id. */
static void add_bound(struct grid_search *g, int axis, const struct symbol *row)
{
  struct arena *arena = g->code->arena;
  struct ir_expr *bound = lower_symbol(&g->code->symbols, row);
  struct ir_expr *block = ir_build_builtin(arena, IR_BLOCK_IDX + axis),
                 *size = ir_build_builtin(arena, IR_BLOCK_DIM + axis);

  for (unsigned i = 0; i < g->count; i++)
    if (g->found[i].axis == axis) return;
  if (!bound) return;
  struct ir_expr *first = ir_build_binary(arena, IR_OP_MUL, block, size);
  first->type = block->type;
  struct ir_expr *id =
      ir_build_binary(arena, IR_OP_ADD, first, ir_build_builtin(arena, IR_THREAD_IDX + axis));
  id->type = block->type;
  g->found[g->count++] = (struct row_bound){
      .axis = axis,
      .asked = ir_build_binary(
          arena, IR_OP_LE, typed_product(arena, ir_build_builtin(arena, IR_GRID_DIM + axis), size),
          ir_build_cast(arena, lower_int_type(arena, true), bound)),
      .within = ir_build_binary(arena, IR_OP_LT, ir_build_cast(arena, ir_int_type(), id), bound)};
}

static void bound_rows(struct grid_search *g, struct array *array)
{
  isl_set *missing = candidate_missing(&g->code->symbols, array);

  g->holds = missing ? host_avoids(&g->code->symbols, missing) : NULL;
  if (!g->holds || of_parameters(g->holds)) {
    isl_set_free(g->holds);
    return;
  }
  isl_space *space = isl_set_get_space(g->holds);
  for (int axis = 0; axis < 2; axis++) {
    const struct symbol *row = g->code->facts.block[axis] > 0 ? row_of_axis(g, space, axis) : NULL;
    if (row) add_bound(g, axis, row);
  }
  isl_space_free(space);
  isl_set_free(g->holds);
}

unsigned code_ask_grid(struct code *code, struct row_bound ret[2])
{
  struct grid_search g = {.code = code, .found = ret};
  const char *reason;
  struct ir_place place;

  if (!shape_free(code, &reason, &place)) return 0;
  code_scan(code);
  for (unsigned i = 0; i < code->access.arrays.count && g.count < 2; i++)
    bound_rows(&g, code->access.arrays.items[i]);
  return code_exhausted(code) ? 0 : g.count;
}

unsigned code_missing_rows(struct code *code)
{
  unsigned count = 0;

  code_scan(code);
  for (unsigned i = 0; i < code->access.arrays.count; i++) {
    isl_set *missing = candidate_missing(&code->symbols, code->access.arrays.items[i]);
    count += missing != NULL;
    isl_set_free(missing);
  }
  return code_exhausted(code) ? UINT_MAX : count;
}
