/* SPDX-License-Identifier: MIT */
/* legal.c - may the box of an array be loaded, and which elements may be written back?
 *
 *     if (i > 0 && i < N - 1) v[i] = ...   with i = 128 blockIdx.x + threadIdx.x
 *   =>  store set { [i] : 0 < i < N - 1 }, which no other block touches;
 *       the loaded set is clipped to the extent
 *
 * The rules are from the design's section "When staging is correct". A block writes back exactly
 * the elements that it writes: it is sure to write each, since the host, or a kernel in another
 * stream, may write an element that it leaves out while it runs. No other block may read or write
 * them. Elements that it loads exist. Requires: range. Produces: load, store, load_set, store_set.
 * Gives up with the rule that is broken.
 */
#include "analysis/range/candidate.h"
#include "runtime/seeded.h"

static const enum ir_builtin block_index[3] = {IR_BLOCK_IDX, IR_BLOCK_IDX + 1, IR_BLOCK_IDX + 2};

/* [blockIdx.x, y, z, ...] -> { [d...] }  =>  [...] -> { [x, y, z, d...] } */
static isl_set *by_block(struct symbols *symbols, isl_set *set)
{
  for (int axis = 2; axis >= 0; axis--) {
    struct symbol *symbol = symbol_of_builtin(symbols, block_index[axis]);
    isl_set *bounds = symbols_close(symbols, isl_set_copy(symbol->bounds));
    set = isl_set_intersect_params(set, bounds);
    int at = isl_set_find_dim_by_id(set, isl_dim_param, symbol->id);
    if (at < 0)
      set = isl_set_insert_dims(set, isl_dim_set, 0, 1);
    else
      set = isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, (unsigned)at, 1);
  }
  return set;
}

/* { [b1, d1, b2, d2] : d1 = d2 } */
static isl_set *same_element(isl_set *pairs, unsigned dims)
{
  for (unsigned d = 0; d < dims; d++)
    pairs = isl_set_equate(pairs, isl_dim_set, (int)(3 + d), isl_dim_set, (int)(6 + dims + d));
  return pairs;
}

/* The subset with dimension `first` < dimension `second`. Takes `set`. */
static isl_set *less(isl_set *set, unsigned first, unsigned second)
{
  isl_space *space =
      isl_space_set_alloc(isl_set_get_ctx(set), 0, (unsigned)isl_set_dim(set, isl_dim_set));
  isl_aff *difference = isl_aff_zero_on_domain(isl_local_space_from_space(space));

  difference = isl_aff_add_coefficient_si(difference, isl_dim_in, (int)second, 1);
  difference = isl_aff_add_coefficient_si(difference, isl_dim_in, (int)first, -1);
  difference = isl_aff_add_constant_si(difference, -1);
  return isl_set_intersect(set, isl_pw_aff_nonneg_set(isl_pw_aff_from_aff(difference)));
}

/* Are there two different blocks, one of which writes an element that the other uses? Takes both
 * sets. */
static bool blocks_meet(struct symbols *symbols, isl_set *writes, isl_set *uses, unsigned dims)
{
  isl_set *pairs = isl_set_flat_product(by_block(symbols, writes), by_block(symbols, uses));
  bool meet = false;

  pairs = same_element(pairs, dims);
  for (unsigned axis = 0; axis < 3 && !meet; axis++)
    for (unsigned order = 0; order < 2 && !meet; order++) {
      unsigned first = order ? axis : 3 + dims + axis, second = order ? 3 + dims + axis : axis;
      isl_set *apart = less(isl_set_copy(pairs), first, second);
      meet = isl_set_is_empty(apart) != isl_bool_true;
      isl_set_free(apart);
    }
  isl_set_free(pairs);
  return meet;
}

/* Has the set a symbol other than blockIdx that differs between blocks? Two blocks cannot be
 * compared by it. */
static bool has_block_products(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);
  bool found = false;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    found |= symbol->kind == SYMBOL_UNIFORM && symbol->of_block &&
             isl_set_involves_dims(set, isl_dim_param, (unsigned)i, 1) != isl_bool_false;
  }
  isl_space_free(space);
  return found;
}

/* Is `inner` beyond `outer` even if quotients without a form may be any number? isl would look for
 * all forms first, which costs more than all the rest, and most answers are "no". */
static bool surely_beyond(isl_set *inner, isl_set *outer)
{
  isl_set *wider = isl_set_remove_unknown_divs(isl_set_copy(outer));
  bool beyond = isl_set_is_subset(inner, wider) == isl_bool_false;

  isl_set_free(wider);
  return beyond;
}

static bool subset(struct symbols *symbols, isl_set *inner, isl_set *outer)
{
  if (isl_set_plain_is_equal(inner, outer) == isl_bool_true) return true;
  isl_set *closed = symbols_close(
      symbols, isl_set_intersect_params(isl_set_copy(inner), isl_set_copy(symbols->context)));
  bool is = !surely_beyond(closed, outer) && isl_set_is_subset(closed, outer) == isl_bool_true;

  isl_set_free(closed);
  return is;
}

/* The blocks and elements of the box, with the facts that always hold for the symbols in `set`. */
static isl_set *context_of(struct symbols *symbols, const struct candidate *c, isl_set *set)
{
  isl_set *context = isl_set_intersect_params(isl_set_copy(c->box), isl_set_copy(symbols->context));
  isl_space *space = isl_set_get_space(set);

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++)
    context = isl_set_intersect_params(context,
                                       isl_set_copy(symbol_of_param(space, (unsigned)i)->bounds));
  isl_space_free(space);
  return symbols_close(symbols, context);
}

/* `set`, given that the element is in the box. NULL: it is everything. Takes `set`. */
static isl_set *simplified(struct symbols *symbols, const struct candidate *c, isl_set *set)
{
  isl_set *context = context_of(symbols, c, set);
  isl_set *rest = isl_set_coalesce(isl_set_gist(isl_set_coalesce(set), context));

  if (isl_set_plain_is_universe(rest) == isl_bool_true) rest = isl_set_free(rest);
  return rest;
}

/* Does no other block use what a block writes? */
static bool legal_between_blocks(struct symbols *symbols, const struct kernel_access *access,
                                 struct candidate *c)
{
  if (access->tail_reject && !SEEDED(TAIL_UNCHECKED)) {
    candidate_reject(c, &access->tail_place, access->tail_reject);
  } else if (has_block_products(c->may) && !SEEDED(BLOCK_PRODUCT_UNCHECKED)) {
    candidate_reject(c, &c->place,
                     "where a block writes depends on a product of blockIdx that is not constant");
  } else if (blocks_meet(symbols, isl_set_copy(c->may_write), isl_set_copy(c->may), c->dim_count) &&
             !SEEDED(OTHER_BLOCK_UNCHECKED)) {
    candidate_reject(c, &c->place, "another block may read or write what a block writes");
  }
  return !c->reject;
}

static void legal_store(struct symbols *symbols, const struct kernel_access *access,
                        struct candidate *c)
{
  if (!c->own_rows && !legal_between_blocks(symbols, access, c)) return;
  /* the host, or another kernel, may write what this one leaves out */
  if (!subset(symbols, c->may_write, c->must_write) && !SEEDED(STORE_UNSURE))
    candidate_reject(c, &c->place, "not all that is stored back is sure to be written");
  else
    c->store = true;
}

/* Elements of a thread's own were written by it before, perhaps, but not in this copy. */
static bool may_load(const struct candidate *c)
{
  bool reads = false;

  if (!c->own_rows) return isl_set_is_empty(c->may_read) != isl_bool_true;
  for (unsigned i = 0; i < c->array->accesses.count; i++) reads |= c->array->accesses.items[i].read;
  return reads;
}

void candidate_permit(struct symbols *symbols, const struct kernel_access *access,
                      struct candidate *c)
{
  const struct array *array = c->array;

  if (array->written && access->has_fence && !SEEDED(FENCE_IGNORED))
    candidate_reject(c, &c->place, "it is written, and the kernel uses memory fences");
  if (c->reject) return;
  if (isl_set_is_empty(c->may_write) != isl_bool_true) legal_store(symbols, access, c);
  if (c->reject) return;
  /* outside a known extent, only elements that the program certainly touches are known to exist */
  if (!c->has_extents && !SEEDED(UNKNOWN_EXTENT_STAGED) && !subset(symbols, c->may, c->must))
    candidate_reject(
        c, &c->place,
        "the size of the object is not known, and not all that is copied is sure to be accessed");
}

void candidate_sets(struct symbols *symbols, struct candidate *c)
{
  c->load = may_load(c);
  if (c->load) {
    isl_set *loadable = isl_set_copy(c->has_extents ? c->valid : c->must);
    c->load_set = simplified(symbols, c, isl_set_intersect(loadable, isl_set_copy(c->box)));
  }
  if (c->load_set && c->has_extents && c->loose_only && subset(symbols, c->box, c->must))
    c->load_set = isl_set_free(c->load_set);
  if (c->store) c->store_set = simplified(symbols, c, isl_set_copy(c->may_write));
}

void candidate_legal(struct symbols *symbols, const struct kernel_access *access,
                     struct candidate *c)
{
  candidate_permit(symbols, access, c);
  if (!c->reject) candidate_sets(symbols, c);
}
