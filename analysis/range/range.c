/* SPDX-License-Identifier: MIT */
/* range.c - the box of an array that a block uses, as published: in each dimension the hull over
 * threads and loops.
 *
 *     a[row][k], row = blockIdx.y, 0 <= k < 1024
 *         =>  [blockIdx.y .. blockIdx.y][0 .. 1023], size 1 x 1024
 *
 * The hull must have a constant size or (at_launch) one that the launch's arguments give. For each
 * dimension it is tried in this order: for the accessed elements; without the ifs around the
 * accesses (the load clips the elements that the ifs exclude); the same within the extent; over all
 * blocks. Requires: footprint. Produces: offset, size, box, bytes. Gives up: no constant size.
 */
#include <isl/map.h>

#include "analysis/range/candidate.h"
#include "analysis/sets/ends.h"

static bool constant_of(isl_pw_aff *form, int64_t *ret)
{
  struct value value = {.aff = form};
  return form && value_constant(&value, ret);
}

static bool known_at_launch(isl_pw_aff *form)
{
  isl_space *space = form ? isl_pw_aff_get_domain_space(form) : NULL;
  bool known = form != NULL;

  for (int i = 0; space && i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    known &= symbol_known_at_launch(symbol) || !isl_pw_aff_involves_param_id(form, symbol->id);
  }
  isl_space_free(space);
  return known;
}

/* The number of elements from the first to the last of a span that the launch's arguments give.
 * NULL: they do not. Takes `span`. */
static isl_pw_aff *length_of(isl_pw_aff *span)
{
  span = isl_pw_aff_coalesce(span);
  if (!span || isl_pw_aff_n_piece(span) != 1 || isl_pw_aff_is_cst(span) || !known_at_launch(span))
    return isl_pw_aff_free(span);
  return isl_pw_aff_add_constant_val(span, isl_val_one(isl_pw_aff_get_ctx(span)));
}

/* The first and the last element of one dimension of a set. */
struct ends {
  isl_set *of;      /* [params] -> { [d0, ...] }; owned */
  bool known;       /* low and high were computed */
  isl_pw_aff *low;  /* owned; NULL: there is no low end of one piece */
  isl_pw_aff *high; /* likewise */
};

static void ends_finish(struct ends *ends)
{
  isl_set_free(ends->of);
  isl_pw_aff_free(ends->low);
  isl_pw_aff_free(ends->high);
}

static void find_ends(struct symbols *symbols, const struct candidate *c, unsigned d,
                      struct ends *ends)
{
  isl_set *set = isl_set_copy(ends->of);

  ends->known = true;
  set = isl_set_project_out(set, isl_dim_set, d + 1, c->dim_count - d - 1);
  ends_of(symbols, isl_set_project_out(set, isl_dim_set, 0, d), &ends->low, &ends->high);
}

/* Sets dimension d of the candidate to the hull of a set. */
static bool hull(struct symbols *symbols, struct candidate *c, unsigned d, struct ends *ends,
                 bool at_launch)
{
  if (!ends->known) find_ends(symbols, c, d, ends);
  if (!ends->low || !ends->high) return false;
  isl_pw_aff *span = isl_pw_aff_sub(isl_pw_aff_copy(ends->high), isl_pw_aff_copy(ends->low));
  int64_t size;
  bool constant = constant_of(span, &size) && size >= 0 && size < INT32_MAX;
  isl_pw_aff *length = !constant && at_launch ? length_of(isl_pw_aff_copy(span)) : NULL;
  isl_pw_aff_free(span);
  if (!constant && !length) return false;
  c->offset[d] = isl_pw_aff_copy(ends->low);
  c->size[d] = constant ? size + 1 : -1;
  c->length[d] = length;
  return true;
}

static bool hull_once(struct symbols *symbols, struct candidate *c, unsigned d, isl_set *set)
{
  struct ends ends = {.of = set};
  bool found = hull(symbols, c, d, &ends, false);

  ends_finish(&ends);
  return found;
}

/* Has an index a value that is not understood? */
bool candidate_has_unknown(const struct candidate *c)
{
  bool unknown = false;

  for (unsigned i = 0; i < c->array->accesses.count * c->dim_count && !unknown; i++) {
    isl_space *space = isl_pw_aff_get_domain_space(c->index[i]);
    unknown = symbols_any_unknown(space);
    isl_space_free(space);
  }
  return unknown;
}

/* Projects out blocks and scalars as well. */
static isl_set *over_all_blocks(isl_set *set) { return isl_set_project_out_all_params(set); }

/* Tries the sets in the order of the first comment: first with a constant size, then with one that
 * the launch gives. */
static bool range_of_sets(struct symbols *symbols, struct candidate *c, unsigned d, bool unknown)
{
  enum { MAY, LOOSE, WITHIN, COUNT };
  struct ends sets[COUNT] = {
      [MAY] = {.of = isl_set_copy(c->may)},
      [LOOSE] = {.of = isl_set_copy(c->loose)},
      [WITHIN] = {.of = isl_set_intersect(isl_set_copy(c->loose), isl_set_copy(c->valid))},
  };
  bool found = unknown && c->at_launch && hull(symbols, c, d, &sets[LOOSE], true);

  for (unsigned i = 0; i < COUNT && !found; i++) {
    found = hull(symbols, c, d, &sets[i], false);
    c->over_all |= found && unknown;
  }
  for (unsigned i = 0; i < COUNT && !found && c->at_launch; i++)
    found = hull(symbols, c, d, &sets[i], true);
  for (unsigned i = 0; i < COUNT; i++) ends_finish(&sets[i]);
  return found;
}

static bool range_of_dim(struct symbols *symbols, struct candidate *c, unsigned d)
{
  if (c->loose_only)
    return hull_once(symbols, c, d, isl_set_copy(c->loose)) ||
           hull_once(symbols, c, d,
                     over_all_blocks(symbols_close(symbols, isl_set_copy(c->loose))));
  if (range_of_sets(symbols, c, d, candidate_has_unknown(c))) return true;
  bool found =
      hull_once(symbols, c, d, over_all_blocks(symbols_close(symbols, isl_set_copy(c->may))));
  if (found) c->over_all = true;
  return found;
}

/* { [i] : offset <= i < offset + length } */
static isl_set *launch_dim(struct symbols *symbols, const struct candidate *c, unsigned d)
{
  isl_pw_aff *end = isl_pw_aff_add(isl_pw_aff_copy(c->offset[d]), isl_pw_aff_copy(c->length[d]));
  isl_map *not_less = isl_map_lex_le(isl_space_set_alloc(symbols->ctx, 0, 1));
  isl_map *before = isl_map_lex_gt(isl_space_set_alloc(symbols->ctx, 0, 1));
  isl_set *from = isl_set_apply(isl_set_from_pw_aff(isl_pw_aff_copy(c->offset[d])), not_less);

  return isl_set_intersect(from, isl_set_apply(isl_set_from_pw_aff(end), before));
}

static isl_set *box_of(struct symbols *symbols, struct candidate *c)
{
  isl_set *box = NULL;

  for (unsigned d = 0; d < c->dim_count; d++) {
    if (c->length[d]) {
      isl_set *dim = launch_dim(symbols, c, d);
      box = box ? isl_set_flat_product(box, dim) : dim;
      continue;
    }
    isl_set *dim = isl_set_from_pw_aff(isl_pw_aff_copy(c->offset[d])); /* { [first] } */
    isl_map *after = isl_map_lex_le(isl_space_set_alloc(symbols->ctx, 0, 1));
    isl_aff *shift =
        isl_aff_zero_on_domain(isl_local_space_from_space(isl_space_set_alloc(symbols->ctx, 0, 1)));
    shift = isl_aff_add_coefficient_si(shift, isl_dim_in, 0, 1);
    shift = isl_aff_add_constant_val(shift, isl_val_int_from_si(symbols->ctx, c->size[d]));
    isl_map *before = isl_map_apply_range(isl_map_from_aff(shift),
                                          isl_map_lex_gt(isl_space_set_alloc(symbols->ctx, 0, 1)));
    /* { [i] : first <= i < first + size } */
    dim = isl_set_apply(dim, isl_map_intersect(after, before));
    box = box ? isl_set_flat_product(box, dim) : dim;
  }
  return box;
}

void candidate_range(struct symbols *symbols, struct candidate *c)
{
  double bytes = (double)c->array->element->size;

  for (unsigned d = 0; d < c->dim_count; d++) {
    if (!range_of_dim(symbols, c, d)) {
      c->unsized = true;
      candidate_reject(c, &c->array->accesses.items[0].place,
                       arena_format(symbols->arena,
                                    "the range of its dimension %u in a block has no constant size",
                                    d + 1));
      return;
    }
    bytes *= c->length[d] ? 0 : (double)c->size[d];
  }
  if (c->array->element->size <= 0 || bytes > 4e9) {
    candidate_reject(c, &c->array->accesses.items[0].place, "its range in a block is too large");
    return;
  }
  c->bytes = (uint64_t)bytes;
  c->box = box_of(symbols, c);
  isl_set *used = symbols_close(symbols, isl_set_copy(c->loose_only ? c->loose : c->may));
  if (isl_set_is_subset(used, c->box) != isl_bool_true)
    candidate_reject(c, &c->array->accesses.items[0].place, "its range in a block is not a box");
  isl_set_free(used);
}
