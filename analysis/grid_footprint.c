/* grid_footprint.c - the elements of an array that all blocks of a launch together touch.
 *
 *     { [i] : i = blockDim.x blockIdx.x + threadIdx.x, i < n }   =>   [n, gridDim.x blockDim.x] -> { [i] : 0 <= i < n and i < gridDim.x blockDim.x }
 *
 * Requires: accesses with coordinates. What the host does not know (threads, blocks, iterators, unknowns) is projected out. A
 * product of blockIdx and blockDim is no affine form: where it occurs only together with its block's threadIdx, both are replaced
 * by the thread's number in the grid, which takes every value below gridDim * blockDim; elsewhere it is bounded, and what depends
 * on it is not certain.
 */
#include "analysis/grid_footprint.h"

/* ---- quantities of the host ---- */

static bool known_to_host(const struct symbol *symbol)
{
  switch (symbol->kind) {
  case SYMBOL_SCALAR: return true;
  case SYMBOL_BUILTIN: return symbol->builtin >= IR_BLOCK_DIM && symbol->builtin < IR_WARP_SIZE;
  case SYMBOL_UNIFORM: return !symbol->of_block;
  default: return false;
  }
}

static isl_set *project_to_host(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);

  for (int i = isl_space_dim(space, isl_dim_param) - 1; i >= 0; i--)
    if (!known_to_host(symbol_of_param(space, (unsigned)i)))
      set = isl_set_project_out(set, isl_dim_param, (unsigned)i, 1);
  isl_space_free(space);
  return isl_set_coalesce(set);
}

/* ---- blockIdx * blockDim ---- */

/* The axis whose first thread of the block this product numbers; -1: it is another one. */
static int first_thread_axis(struct symbols *symbols, const struct symbol *symbol)
{
  for (unsigned axis = 0; axis < 3; axis++)
    if (symbols->facts->block[axis] <= 0 &&
        symbol_is_builtin_product(symbols, symbol, IR_BLOCK_IDX + axis, IR_BLOCK_DIM + axis))
      return (int)axis;
  return -1;
}

/* gridDim * blockDim */
static isl_pw_aff *thread_count(struct symbols *symbols, unsigned axis)
{
  struct symbol *stride[2] = { symbol_of_builtin(symbols, IR_BLOCK_DIM + axis), NULL };

  if (symbols->facts->grid[axis] > 0)
    return isl_pw_aff_scale_val(symbol_aff(symbols, stride[0]),
                                isl_val_int_from_si(symbols->ctx, symbols->facts->grid[axis]));
  isl_pw_aff *blocks = symbol_aff(symbols, symbol_of_builtin(symbols, IR_GRID_DIM + axis));
  struct symbol *total = symbol_of_product(symbols, blocks, stride);
  isl_pw_aff_free(blocks);
  return total ? symbol_aff(symbols, total) : NULL;
}

/* The set with threadIdx = id - first for a new parameter `id`, 0 <= id < count; NULL when `first` remains in it. */
static isl_set *with_thread_number(struct symbols *symbols, isl_set *set, const struct symbol *first, unsigned axis)
{
  struct symbol *thread = symbol_of_builtin(symbols, IR_THREAD_IDX + axis);
  struct symbol *id = symbol_new_unknown(symbols, isl_val_zero(symbols->ctx), NULL);
  isl_pw_aff *count = thread_count(symbols, axis);

  if (!count)
    return NULL;
  isl_pw_aff *sum = isl_pw_aff_add(symbol_aff(symbols, first), symbol_aff(symbols, thread));
  isl_set *numbered =
      isl_set_intersect_params(isl_set_copy(set), isl_pw_aff_eq_set(sum, symbol_aff(symbols, id)));
  int at = isl_set_find_dim_by_id(numbered, isl_dim_param, thread->id);
  numbered = isl_set_coalesce(isl_set_project_out(numbered, isl_dim_param, (unsigned)at, 1));
  at = isl_set_find_dim_by_id(numbered, isl_dim_param, first->id);
  if (at >= 0 && isl_set_involves_dims(numbered, isl_dim_param, (unsigned)at, 1) != isl_bool_false) {
    isl_set_free(numbered);
    isl_pw_aff_free(count);
    return NULL;
  }
  isl_set *range = isl_pw_aff_lt_set(symbol_aff(symbols, id), count);
  return isl_set_intersect_params(isl_set_intersect_params(numbered, range), isl_set_copy(id->bounds));
}

/* 0 <= first <= count - blockDim */
static isl_set *bound_first(struct symbols *symbols, isl_set *set, const struct symbol *first, unsigned axis)
{
  isl_pw_aff *last = thread_count(symbols, axis);

  if (!last)
    return set;
  last = isl_pw_aff_sub(last, symbol_aff(symbols, symbol_of_builtin(symbols, IR_BLOCK_DIM + axis)));
  isl_set *range = isl_pw_aff_le_set(symbol_aff(symbols, first), last);
  range = isl_set_intersect(range, isl_pw_aff_nonneg_set(symbol_aff(symbols, first)));
  return isl_set_intersect_params(set, range);
}

/* Products of blockIdx and blockDim out of the set, or bounded in it. *exact becomes false where they are not related to
 * the threads of their blocks any more. */
static isl_set *relate_blocks(struct symbols *symbols, isl_set *set, bool *exact)
{
  isl_space *space = isl_set_get_space(set);

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    int at = isl_set_find_dim_by_id(set, isl_dim_param, symbol->id);
    bool product = symbol->kind == SYMBOL_UNIFORM && symbol->of_block && symbol->stride[0];
    if (!product || at < 0 || isl_set_involves_dims(set, isl_dim_param, (unsigned)at, 1) != isl_bool_true)
      continue;
    int axis = first_thread_axis(symbols, symbol);
    isl_set *numbered = axis < 0 ? NULL : with_thread_number(symbols, set, symbol, (unsigned)axis);
    if (numbered) {
      isl_set_free(set);
      set = numbered;
      continue;
    }
    *exact = false;
    if (axis >= 0)
      set = bound_first(symbols, set, symbol, (unsigned)axis);
  }
  isl_space_free(space);
  return set;
}

/* ---- the elements that the grid touches ---- */

static bool has_unknown(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);
  bool unknown = false;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++)
    unknown |= symbol_of_param(space, (unsigned)i)->kind == SYMBOL_UNKNOWN &&
               isl_set_involves_dims(set, isl_dim_param, (unsigned)i, 1) != isl_bool_false;
  isl_space_free(space);
  return unknown;
}

/* The elements of access `i`; *exact: each of them is accessed in any case. */
static isl_set *elements_of(struct symbols *symbols, struct candidate *c, unsigned i, bool *exact)
{
  const struct access *access = &c->array->accesses.items[i];
  isl_set *set = NULL;

  for (unsigned d = 0; d < c->dim_count; d++) {
    isl_set *dim = isl_set_from_pw_aff(isl_pw_aff_copy(c->index[i * c->dim_count + d]));
    set = set ? isl_set_flat_product(set, dim) : dim;
  }
  set = isl_set_intersect_params(set, isl_set_copy(access->domain));
  *exact = access->must && !has_unknown(set);
  set = relate_blocks(symbols, set, exact);
  return project_to_host(symbols_close(symbols, set));
}

/* Has the thread itself written what access `i` reads, by access `k` in front of it? c[i] = 0; ... c[i] += x; */
static bool is_written_by(const struct candidate *c, unsigned i, unsigned k)
{
  const struct access *read = &c->array->accesses.items[i], *write = &c->array->accesses.items[k];

  if (!write->write || write->read || write->partial || !write->must || write->has_effects || read->has_effects)
    return false;
  isl_set *same = isl_set_copy(write->domain);
  for (unsigned d = 0; d < c->dim_count; d++)
    same = isl_set_intersect(same, isl_pw_aff_eq_set(isl_pw_aff_copy(c->index[i * c->dim_count + d]),
                                                     isl_pw_aff_copy(c->index[k * c->dim_count + d])));
  bool covers = isl_set_is_subset(read->domain, same) == isl_bool_true;
  isl_set_free(same);
  return covers;
}

static bool needs_old_value(const struct candidate *c, unsigned i)
{
  for (unsigned k = 0; k < i; k++)
    if (is_written_by(c, i, k))
      return false;
  return c->array->accesses.items[i].read;
}

struct grid_footprint grid_footprint(struct symbols *symbols, struct candidate *c)
{
  isl_space *space = isl_space_set_alloc(symbols->ctx, 0, c->dim_count);
  struct grid_footprint t = { isl_set_empty(isl_space_copy(space)), isl_set_empty(isl_space_copy(space)), isl_set_empty(space) };

  for (unsigned i = 0; i < c->array->accesses.count; i++) {
    const struct access *access = &c->array->accesses.items[i];
    bool exact;
    isl_set *set = elements_of(symbols, c, i, &exact);
    if (needs_old_value(c, i))
      t.read = isl_set_union(t.read, isl_set_copy(set));
    if (access->write)
      t.write = isl_set_union(t.write, isl_set_copy(set));
    if (access->write && exact && !access->partial)
      t.must_write = isl_set_union(t.must_write, isl_set_copy(set));
    isl_set_free(set);
  }
  t.read = isl_set_coalesce(t.read);
  t.write = isl_set_coalesce(t.write);
  t.must_write = isl_set_coalesce(t.must_write);
  return t;
}

void grid_footprint_finish(struct grid_footprint *t)
{
  isl_set_free(t->read);
  isl_set_free(t->write);
  isl_set_free(t->must_write);
}
