/* SPDX-License-Identifier: MIT */
/* host_set.c - sets over the quantities that the host knows in front of a launch.
 *
 *     { : 0 <= k < n and k >= 1024 and 0 <= i < m }   =>   { : n >= 1025 and m >= 1 }
 *                                                     =>   avoided by { : n <= 1024 }
 *
 * Requires: closed sets over symbols. Gives up (NULL) where the condition that avoids a set is no
 * conjunction.
 */
#include "analysis/code/host_set.h"

#include <isl/constraint.h>

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

/* The set where all parameters are at least 1. */
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
  isl_set *usual, *fails;
  isl_set
      *chosen; /* the only part that usual launches may be in, or has the most parameters; owned */
  int parameters; /* that the chosen part involves */
  unsigned count; /* number of parts with as many parameters */
};

static int parameters_of(isl_set *set)
{
  int count = 0;

  for (int i = 0; i < isl_set_dim(set, isl_dim_param); i++)
    count += isl_set_involves_dims(set, isl_dim_param, (unsigned)i, 1) == isl_bool_true;
  return count;
}

/* All of the constraints but one. */
static isl_set *without(isl_constraint_list *constraints, int left_out)
{
  int count = isl_constraint_list_n_constraint(constraints);
  isl_basic_set *rest = NULL;

  for (int i = 0; i < count; i++) {
    isl_constraint *constraint = isl_constraint_list_get_constraint(constraints, i);
    if (!rest) rest = isl_basic_set_universe(isl_constraint_get_space(constraint));
    if (i == left_out)
      isl_constraint_free(constraint);
    else
      rest = isl_basic_set_add_constraint(rest, constraint);
  }
  return isl_set_from_basic_set(rest);
}

/* Keeps only the constraints that exclude `fails`: n <= 1024 of n <= 1024 and m >= 1. */
static isl_set *shortest(const struct choosing *c, isl_basic_set *part)
{
  isl_constraint_list *list = isl_basic_set_get_constraint_list(part);
  int count = isl_constraint_list_n_constraint(list);

  for (int i = count - 1; i >= 0 && count > 1; i--) {
    isl_set *rest = without(list, i);
    if (isl_set_is_disjoint(rest, c->fails) == isl_bool_true) {
      list = isl_constraint_list_drop(list, (unsigned)i, 1);
      count--;
    }
    isl_set_free(rest);
  }
  isl_set *result =
      count > 0 ? without(list, -1) : isl_set_from_basic_set(isl_basic_set_copy(part));
  isl_constraint_list_free(list);
  isl_basic_set_free(part);
  return result;
}

/* Prefers the part with more parameters: cc <= ld tells more than 512 <= ld. */
static isl_stat choose_part(isl_basic_set *part, void *user)
{
  struct choosing *c = user;
  isl_set *set = isl_set_from_basic_set(isl_basic_set_copy(part));
  bool is_usual = isl_set_is_disjoint(set, c->usual) == isl_bool_false;

  isl_set_free(set);
  set = shortest(c, part);
  if (is_usual) {
    int parameters = parameters_of(set);
    if (parameters > c->parameters || !c->count) {
      isl_set_free(c->chosen);
      c->chosen = isl_set_copy(set);
      c->parameters = parameters;
      c->count = 1;
    } else if (parameters == c->parameters) {
      c->count++;
    }
  }
  isl_set_free(set);
  return isl_stat_ok;
}

isl_set *host_avoids(struct symbols *symbols, isl_set *fails)
{
  isl_set *context = host_always(symbols, fails);
  struct choosing c = {.usual = positive(symbols, context)};

  c.fails = host_project(fails);
  isl_set *passes = isl_set_gist(isl_set_copy(c.fails), isl_set_copy(context));
  passes = isl_set_gist(isl_set_complement(passes), context);
  passes = isl_set_coalesce(isl_set_remove_redundancies(passes));
  if (isl_set_foreach_basic_set(passes, choose_part, &c) < 0 || c.count != 1)
    c.chosen = isl_set_free(c.chosen);
  isl_set_free(passes);
  isl_set_free(c.usual);
  isl_set_free(c.fails);
  return c.chosen;
}
