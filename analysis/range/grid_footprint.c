/* SPDX-License-Identifier: MIT */
/* grid_footprint.c - the elements of an array that all blocks of a launch together touch.
 *
 *     { [i] : i = blockDim.x blockIdx.x + threadIdx.x, i < n }
 *         =>   [n, gridDim.x blockDim.x] -> { [i] : 0 <= i < n and i < gridDim.x blockDim.x }
 *
 * With an advance, coordinates are relative to the block's number:
 *
 *     { [i] : i = 128 blockIdx.x + threadIdx.x + 1, i < n }
 *         =>   { [i] : 1 <= i <= 128 }     for the advance 128
 *
 * Requires: accesses with coordinates. Quantities that the host does not know (threads, blocks,
 * iterators, unknowns) are projected out. A product of blockIdx and blockDim is no affine form.
 * Where it only occurs with its block's threadIdx, the thread's number in the grid replaces both;
 * it takes every value below gridDim * blockDim. Elsewhere the product is bounded, and accesses
 * that depend on it are not certain.
 */
#include "analysis/range/grid_footprint.h"

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

/* The axis for which the product is the number of the block's first thread; -1: it is another
 * product. */
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
  struct symbol *stride[STRIDE_FACTORS] = {symbol_of_builtin(symbols, IR_BLOCK_DIM + axis)};

  if (symbols->facts->grid[axis] > 0)
    return isl_pw_aff_scale_val(symbol_aff(symbols, stride[0]),
                                isl_val_int_from_si(symbols->ctx, symbols->facts->grid[axis]));
  isl_pw_aff *blocks = symbol_aff(symbols, symbol_of_builtin(symbols, IR_GRID_DIM + axis));
  struct symbol *total = symbol_of_product(symbols, blocks, stride);
  isl_pw_aff_free(blocks);
  return total ? symbol_aff(symbols, total) : NULL;
}

/* The set with threadIdx = id - first for a new parameter `id`, 0 <= id < count. NULL: `first`
 * remains in it. */
static isl_set *with_thread_number(struct symbols *symbols, isl_set *set,
                                   const struct symbol *first, unsigned axis)
{
  struct symbol *thread = symbol_of_builtin(symbols, IR_THREAD_IDX + axis);
  struct symbol *id = symbol_new_unknown(symbols, isl_val_zero(symbols->ctx), NULL);
  isl_pw_aff *count = thread_count(symbols, axis);

  if (!count) return NULL;
  isl_pw_aff *sum = isl_pw_aff_add(symbol_aff(symbols, first), symbol_aff(symbols, thread));
  isl_set *numbered =
      isl_set_intersect_params(isl_set_copy(set), isl_pw_aff_eq_set(sum, symbol_aff(symbols, id)));
  int at = isl_set_find_dim_by_id(numbered, isl_dim_param, thread->id);
  numbered = isl_set_coalesce(isl_set_project_out(numbered, isl_dim_param, (unsigned)at, 1));
  at = isl_set_find_dim_by_id(numbered, isl_dim_param, first->id);
  if (at >= 0 &&
      isl_set_involves_dims(numbered, isl_dim_param, (unsigned)at, 1) != isl_bool_false) {
    isl_set_free(numbered);
    isl_pw_aff_free(count);
    return NULL;
  }
  isl_set *range = isl_pw_aff_lt_set(symbol_aff(symbols, id), count);
  return isl_set_intersect_params(isl_set_intersect_params(numbered, range),
                                  isl_set_copy(id->bounds));
}

/* 0 <= first <= count - blockDim */
static isl_set *bound_first(struct symbols *symbols, isl_set *set, const struct symbol *first,
                            unsigned axis)
{
  isl_pw_aff *last = thread_count(symbols, axis);

  if (!last) return set;
  last = isl_pw_aff_sub(last, symbol_aff(symbols, symbol_of_builtin(symbols, IR_BLOCK_DIM + axis)));
  isl_set *range = isl_pw_aff_le_set(symbol_aff(symbols, first), last);
  range = isl_set_intersect(range, isl_pw_aff_nonneg_set(symbol_aff(symbols, first)));
  return isl_set_intersect_params(set, range);
}

/* Removes products of blockIdx and blockDim from the set, or bounds them. *exact becomes false if
 * they are no longer tied to the threads of their blocks. */
static isl_set *relate_blocks(struct symbols *symbols, isl_set *set, bool *exact)
{
  isl_space *space = isl_set_get_space(set);

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    int at = isl_set_find_dim_by_id(set, isl_dim_param, symbol->id);
    bool product = symbol->kind == SYMBOL_UNIFORM && symbol->of_block && symbol->stride[0];
    if (!product || at < 0 ||
        isl_set_involves_dims(set, isl_dim_param, (unsigned)at, 1) != isl_bool_true)
      continue;
    int axis = first_thread_axis(symbols, symbol);
    isl_set *numbered = axis < 0 ? NULL : with_thread_number(symbols, set, symbol, (unsigned)axis);
    if (numbered) {
      isl_set_free(set);
      set = numbered;
      continue;
    }
    *exact = false;
    if (axis >= 0) set = bound_first(symbols, set, symbol, (unsigned)axis);
  }
  isl_space_free(space);
  return set;
}

/* ---- relative to the block ---- */

static bool is_block_product(struct symbols *symbols, const struct symbol *symbol, unsigned axis)
{
  if (symbol->kind != SYMBOL_UNIFORM || !symbol->coefficient || !symbol->stride[0]) return false;
  isl_pw_aff *block = symbol_aff(symbols, symbol_of_builtin(symbols, IR_BLOCK_IDX + axis));
  bool fixed = true;
  for (unsigned i = 0; i < STRIDE_FACTORS && symbol->stride[i]; i++)
    fixed &= !symbol->stride[i]->of_block;
  bool product = fixed && isl_pw_aff_plain_is_equal(symbol->coefficient, block) == isl_bool_true;
  isl_pw_aff_free(block);
  return product;
}

struct advance_search {
  struct symbols *symbols;
  struct block_advance *found;
  bool any;
};

static isl_stat search_piece(isl_set *domain, isl_aff *aff, void *user)
{
  struct advance_search *search = user;
  isl_space *space = isl_aff_get_domain_space(aff);

  for (int i = 0; i < isl_space_dim(space, isl_dim_param) && !search->any; i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    bool block = symbol->kind == SYMBOL_BUILTIN &&
                 symbol->builtin == (enum ir_builtin)(IR_BLOCK_IDX + search->found->axis);
    if (!block && !is_block_product(search->symbols, symbol, search->found->axis)) continue;
    isl_val *coefficient = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    if (isl_val_is_int(coefficient) == isl_bool_true &&
        isl_val_is_pos(coefficient) == isl_bool_true) {
      search->found->coefficient = isl_val_get_num_si(coefficient);
      search->found->moving = symbol;
      search->any = true;
    }
    isl_val_free(coefficient);
  }
  isl_space_free(space);
  isl_aff_free(aff);
  isl_set_free(domain);
  return isl_stat_ok;
}

bool find_block_advance(struct symbols *symbols, const struct candidate *c, unsigned axis,
                        struct block_advance *ret)
{
  struct advance_search search = {.symbols = symbols, .found = ret};

  *ret = (struct block_advance){.axis = axis};
  for (unsigned i = 0; i < c->array->accesses.count; i++)
    for (unsigned d = 0; d < c->dim_count && !search.any; d++) {
      ret->dim = d;
      isl_pw_aff_foreach_piece(c->index[i * c->dim_count + d], search_piece, &search);
    }
  return search.any;
}

static isl_pw_aff *without_advance(struct symbols *symbols, isl_pw_aff *index,
                                   const struct block_advance *advance)
{
  isl_pw_aff *part = isl_pw_aff_scale_val(symbol_aff(symbols, advance->moving),
                                          isl_val_int_from_si(symbols->ctx, advance->coefficient));
  return isl_pw_aff_sub(index, part);
}

static isl_set *project_symbol(isl_set *set, const struct symbol *symbol)
{
  int at = isl_set_find_dim_by_id(set, isl_dim_param, symbol->id);
  return at < 0 ? set : isl_set_project_out(set, isl_dim_param, (unsigned)at, 1);
}

/* Projects out the block's number. */
static isl_set *project_block(struct symbols *symbols, isl_set *set,
                              const struct block_advance *advance)
{
  set = symbols_close(symbols, set);
  if (advance->moving->kind == SYMBOL_UNIFORM)
    set = bound_first(symbols, set, advance->moving, advance->axis);
  set = project_symbol(set, advance->moving);
  return project_symbol(set, symbol_of_builtin(symbols, IR_BLOCK_IDX + advance->axis));
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

/* The elements of access `i`. *exact: each of them is certainly accessed. */
static isl_set *elements_of(struct symbols *symbols, struct candidate *c, unsigned i,
                            const struct block_advance *advance, bool *exact)
{
  const struct access *access = &c->array->accesses.items[i];
  isl_set *set = NULL;

  for (unsigned d = 0; d < c->dim_count; d++) {
    isl_pw_aff *index = isl_pw_aff_copy(c->index[i * c->dim_count + d]);
    if (advance && advance->dim == d) index = without_advance(symbols, index, advance);
    isl_set *dim = isl_set_from_pw_aff(index);
    set = set ? isl_set_flat_product(set, dim) : dim;
  }
  set = isl_set_intersect_params(set, isl_set_copy(access->domain));
  *exact = access->must && !has_unknown(set) && !advance;
  if (advance) set = project_block(symbols, set, advance);
  set = relate_blocks(symbols, set, exact);
  return project_to_host(symbols_close(symbols, set));
}

/* Has the thread itself written the elements that access `i` reads, by an earlier access `k`? c[i]
 * = 0; ... c[i] += x; */
static bool is_written_by(const struct candidate *c, unsigned i, unsigned k)
{
  const struct access *read = &c->array->accesses.items[i], *write = &c->array->accesses.items[k];

  if (!write->write || write->read || write->partial || !write->must || write->has_effects ||
      read->has_effects)
    return false;
  isl_set *same = isl_set_copy(write->domain);
  for (unsigned d = 0; d < c->dim_count; d++)
    same =
        isl_set_intersect(same, isl_pw_aff_eq_set(isl_pw_aff_copy(c->index[i * c->dim_count + d]),
                                                  isl_pw_aff_copy(c->index[k * c->dim_count + d])));
  bool covers = isl_set_is_subset(read->domain, same) == isl_bool_true;
  isl_set_free(same);
  return covers;
}

static bool needs_old_value(const struct candidate *c, unsigned i)
{
  for (unsigned k = 0; k < i; k++)
    if (is_written_by(c, i, k)) return false;
  return c->array->accesses.items[i].read;
}

struct grid_footprint grid_footprint(struct symbols *symbols, struct candidate *c,
                                     const struct block_advance *advance)
{
  isl_space *space = isl_space_set_alloc(symbols->ctx, 0, c->dim_count);
  struct grid_footprint t = {isl_set_empty(isl_space_copy(space)),
                             isl_set_empty(isl_space_copy(space)), isl_set_empty(space)};

  for (unsigned i = 0; i < c->array->accesses.count; i++) {
    const struct access *access = &c->array->accesses.items[i];
    bool exact;
    isl_set *set = elements_of(symbols, c, i, advance, &exact);
    if (needs_old_value(c, i)) t.read = isl_set_union(t.read, isl_set_copy(set));
    if (access->write) t.write = isl_set_union(t.write, isl_set_copy(set));
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
