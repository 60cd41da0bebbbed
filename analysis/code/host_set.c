/* SPDX-License-Identifier: MIT */
/* host_set.c - sets over what the host knows in front of a launch.
 *
 *     { : 0 <= k < n and k >= 1024 and 0 <= i < m }   =>   { : n >= 1025 and m >= 1 }
 *                                                     =>   avoided by { : n <= 1024 }
 *
 * Requires closed sets over symbols. Gives up (NULL) where what avoids a set is no conjunction.
 */
#include "analysis/code/host_set.h"

static bool known_to_host(const struct symbol *symbol)
{
  switch (symbol->kind) {
  case SYMBOL_SCALAR: return true;
  case SYMBOL_BUILTIN: return symbol->builtin >= IR_GRID_DIM && symbol->builtin < IR_WARP_SIZE;
  default: return false;
  }
}

isl_set *host_project(isl_set *set)
{
  isl_space *space = isl_set_get_space(set);

  for (int i = isl_space_dim(space, isl_dim_param) - 1; i >= 0; i--)
    if (!known_to_host(symbol_of_param(space, (unsigned)i)))
      set = isl_set_project_out(set, isl_dim_param, (unsigned)i, 1);
  isl_space_free(space);
  return isl_set_coalesce(set);
}

isl_set *host_always(struct symbols *symbols, isl_set *set)
{
  isl_set *context = symbols_universe(symbols);
  isl_space *space = isl_set_get_space(set);

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++)
    context = isl_set_intersect(context, isl_set_copy(symbol_of_param(space, (unsigned)i)->bounds));
  isl_space_free(space);
  return host_project(context);
}

/* All parameters are at least 1. */
static isl_set *positive(struct symbols *symbols, isl_set *set)
{
  isl_set *usual = symbols_universe(symbols);
  isl_space *space = isl_set_get_space(set);

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    isl_pw_aff *value = symbol_aff(symbols, symbol_of_param(space, (unsigned)i));
    usual = isl_set_intersect(usual, isl_pw_aff_ge_set(value, symbols_constant(symbols, 1)));
  }
  isl_space_free(space);
  return usual;
}

struct choosing {
  isl_set *usual;
  isl_set *chosen; /* the only part that usual launches may be in; owned */
  unsigned count;
};

static isl_stat choose_part(isl_basic_set *part, void *user)
{
  struct choosing *c = user;
  isl_set *set = isl_set_from_basic_set(part);

  if (isl_set_is_disjoint(set, c->usual) == isl_bool_false) {
    isl_set_free(c->chosen);
    c->chosen = isl_set_copy(set);
    c->count++;
  }
  isl_set_free(set);
  return isl_stat_ok;
}

isl_set *host_avoids(struct symbols *symbols, isl_set *fails)
{
  isl_set *context = host_always(symbols, fails);
  struct choosing c = {.usual = positive(symbols, context)};

  fails = isl_set_gist(host_project(fails), isl_set_copy(context));
  isl_set *passes = isl_set_gist(isl_set_complement(fails), context);
  passes = isl_set_coalesce(isl_set_remove_redundancies(passes));
  if (isl_set_foreach_basic_set(passes, choose_part, &c) < 0 || c.count != 1)
    c.chosen = isl_set_free(c.chosen);
  isl_set_free(passes);
  isl_set_free(c.usual);
  return c.chosen;
}
