/* SPDX-License-Identifier: MIT */
/* surely.c - does something happen in every launch?
 *
 * Requires: a walk that stands at a place. A set of symbols certainly happens under three
 * conditions: control certainly reaches the place, everything about the set is known exactly, and
 * each launch that gets there has a point of the set.
 */
#include "analysis/plan/verify/surely.h"

static bool known_exactly(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);
  bool exact = true;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    exact &= symbol->kind == SYMBOL_BUILTIN || symbol->kind == SYMBOL_SCALAR ||
             symbol->kind == SYMBOL_LOOP ||
             isl_set_involves_dims(set, isl_dim_param, (unsigned)i, 1) != isl_bool_true;
  }
  isl_space_free(space);
  return exact;
}

/* Does the launch give the symbol? In an unknown grid it gives the blocks, too. */
static bool is_given(const int64_t grid[3], const struct symbol *symbol)
{
  if (symbol->kind != SYMBOL_BUILTIN) return symbol->kind == SYMBOL_SCALAR;
  return symbol->builtin >= IR_BLOCK_DIM ||
         (symbol->builtin >= IR_BLOCK_IDX && grid[symbol->builtin - IR_BLOCK_IDX] < 1);
}

/* The launches that have a point of the set. */
static isl_set *launches_of(const int64_t grid[3], isl_set *set)
{
  for (int i = (int)isl_set_dim(set, isl_dim_param) - 1; i >= 0; i--) {
    isl_space *space = isl_set_get_space(set);
    const struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    bool given = is_given(grid, symbol);
    isl_space_free(space);
    if (!given) set = isl_set_project_out(set, isl_dim_param, (unsigned)i, 1);
  }
  return set;
}

bool surely_happens(struct walk *w, const int64_t grid[3], isl_set *bad)
{
  bool happens = false;

  if (w->must && w->domain && bad && !w->depth) {
    isl_set *domain = symbols_close(w->symbols, isl_set_copy(w->domain));
    bad = symbols_close(w->symbols, isl_set_intersect(bad, isl_set_copy(w->domain)));
    happens = domain && bad && known_exactly(domain) && known_exactly(bad) &&
              isl_set_is_empty(bad) == isl_bool_false;
    if (happens) {
      isl_set *all = launches_of(grid, isl_set_copy(domain)),
              *some = launches_of(grid, isl_set_copy(bad));
      happens = isl_set_is_subset(all, some) == isl_bool_true;
      isl_set_free(all);
      isl_set_free(some);
    }
    isl_set_free(domain);
  }
  isl_set_free(bad);
  return happens;
}
