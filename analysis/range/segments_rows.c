/* SPDX-License-Identifier: MIT */
/* segments_rows.c - the table by which threads of a warp differ in the copy of a segment.
 *
 *     v[b[p] + t[f * blockDim.x + threadIdx.x] + o[s * F + f]], t[...] = 0, 16, 32, ..., o[...] <
 * 16
 *         =>  t: lanes are 16 elements apart, on 2 banks. The launch lets each row of 16 elements
 *             begin an element later: its threads add t[...] / 16 to their place.
 *
 * The launch finds the rows, whether they pay (runtime/launch/rows.c), and that no place leaves its
 * row. Requires: positions. Gives up: threads that differ in something else too; a table that is
 * counted several times; accesses with different tables. */
#include "analysis/range/segments.h"

static bool is_common(struct segmenting *r, const struct symbol *symbol)
{
  if (symbol->kind == SYMBOL_LOOP) return true;
  if (symbol->kind == SYMBOL_UNKNOWN)
    return symbol->from_table && segment_value_each(r, symbol->read.index, is_common);
  return symbol_is_uniform(symbol);
}

/* The one symbol of a position by which threads differ. NULL: it is no table, or there are
 * several. */
static const struct symbol *lane_table(struct segmenting *r, unsigned access)
{
  const struct symbol *found = NULL;
  isl_pw_aff *position = segment_position(r, access);
  isl_aff *aff = isl_pw_aff_as_aff(position);
  unsigned others = 0;

  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param); i++) {
    isl_space *space = isl_aff_get_domain_space(aff);
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    isl_val *by = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    isl_space_free(space);
    if (isl_val_is_zero(by) != isl_bool_true && !is_common(r, symbol)) {
      bool table = symbol->from_table && isl_val_is_one(by) == isl_bool_true && !found;
      found = table ? symbol : found;
      others += !table;
    }
    isl_val_free(by);
  }
  isl_aff_free(aff);
  return others ? NULL : found;
}

const struct table_part *segment_rows(struct segmenting *r)
{
  const struct symbol *found = NULL;
  struct table_part *part = ARENA_NEW(r->symbols->arena, struct table_part);

  for (unsigned i = 0; i < r->c->array->accesses.count; i++) {
    const struct symbol *table = lane_table(r, i);
    if (!table || (found && table != found)) return NULL;
    found = table;
  }
  isl_set *loops = found ? r->c->array->accesses.items[0].loops : NULL;
  if (!found || !segment_table_part(r, found, loops, 0, part)) return NULL;
  segment_counts(r, found, loops, part);
  return part->kept ? part : NULL;
}
