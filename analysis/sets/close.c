/* SPDX-License-Identifier: MIT */
/* close.c - adds the known bounds of symbols to a set.
 *
 *     [i, n] -> { : i < n }   =>   [i, n] -> { : i < n and 0 <= i <= 2^31 - 1 and n <= 2^31 - 1 }
 *
 * Bounds may involve further symbols, whose bounds are then added as well. Many sets of a kernel
 * involve the same symbols, so their bounds are kept. Requires: symbols. Produces: the set within
 * the bounds. Gives up: never.
 */
#include "analysis/sets/symbol.h"

#include <string.h>

enum { MOST_KEPT = 256 };

/* A symbol with its bounds at that time. */
struct bounded {
  const struct symbol *symbol;
  isl_set *bounds; /* owned: while it is here, other bounds are another object */
};

/* The bounds of some symbols, and of the symbols in these bounds. */
struct closed {
  const struct symbol **asked; /* in the order of the set's parameters */
  unsigned asked_count;
  LIST_OF(struct bounded) members; /* the requested ones, and the others */
  isl_set *all;                    /* [members] -> { : their bounds }; owned */
  struct closed *next;
};

static bool involves(isl_set *set, int param)
{
  return isl_set_involves_dims(set, isl_dim_param, (unsigned)param, 1) == isl_bool_true;
}

static isl_basic_set *only_piece(isl_set *set)
{
  isl_basic_set_list *pieces = isl_set_get_basic_set_list(set);
  isl_basic_set *piece = isl_basic_set_list_get_at(pieces, 0);

  isl_basic_set_list_free(pieces);
  isl_set_free(set);
  return piece;
}

/* `set` within `bounds` of its parameters. For sets of several pieces isl looks for an integer
 * point in each result, and drops those that have none. Of one piece that costs more than it saves:
 * most sets have a point, and who asks for one gets the answer then. Takes both. */
static isl_set *within(isl_set *set, isl_set *bounds)
{
  if (isl_set_n_basic_set(set) != 1 || isl_set_n_basic_set(bounds) != 1)
    return isl_set_intersect_params(set, bounds);
  set = isl_set_align_params(set, isl_set_get_space(bounds));
  bounds = isl_set_align_params(bounds, isl_set_get_space(set));
  return isl_set_from_basic_set(
      isl_basic_set_intersect_params(only_piece(set), only_piece(bounds)));
}

/* The bounds of the symbols in `set` that are no members yet. NULL: there are none. */
static isl_set *more_bounds(struct symbols *symbols, isl_set *set, struct closed *closed,
                            bool *done)
{
  isl_space *space = isl_set_get_space(set);
  isl_set *bounds = NULL;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    if (done[symbol->index] || !involves(set, i)) continue;
    done[symbol->index] = true;
    *ARENA_PUSH(symbols->arena, &closed->members) =
        (struct bounded){symbol, isl_set_copy(symbol->bounds)};
    isl_set *own = isl_set_copy(symbol->bounds);
    bounds = bounds ? within(bounds, own) : own;
  }
  isl_space_free(space);
  return bounds;
}

static void collect(struct symbols *symbols, isl_set *set, struct closed *closed)
{
  bool *done = arena_alloc(symbols->arena, symbols->items.count + 1);

  closed->all = more_bounds(symbols, set, closed, done);
  for (isl_set *more; closed->all && (more = more_bounds(symbols, closed->all, closed, done));)
    closed->all = within(closed->all, more);
}

static void ask(struct symbols *symbols, isl_set *set, struct closed *closed)
{
  isl_space *space = isl_set_get_space(set);
  int count = isl_space_dim(space, isl_dim_param);

  closed->asked = arena_alloc(symbols->arena, (unsigned)(count + 1) * sizeof *closed->asked);
  for (int i = 0; i < count; i++)
    if (involves(set, i))
      closed->asked[closed->asked_count++] = symbol_of_param(space, (unsigned)i);
  isl_space_free(space);
}

static bool still_holds(const struct closed *closed)
{
  for (unsigned i = 0; i < closed->members.count; i++)
    if (closed->members.items[i].symbol->bounds != closed->members.items[i].bounds) return false;
  return true;
}

static struct closed *kept(const struct symbols *symbols, const struct closed *wanted)
{
  for (struct closed *c = symbols->closed; c; c = c->next)
    if (c->asked_count == wanted->asked_count &&
        !memcmp(c->asked, wanted->asked, c->asked_count * sizeof *c->asked) && still_holds(c))
      return c;
  return NULL;
}

static void finish(struct closed *closed)
{
  for (unsigned i = 0; i < closed->members.count; i++)
    isl_set_free(closed->members.items[i].bounds);
  isl_set_free(closed->all);
}

isl_set *symbols_close(struct symbols *symbols, isl_set *set)
{
  struct closed wanted = {0};

  if (!set) return NULL;
  ask(symbols, set, &wanted);
  struct closed *found = kept(symbols, &wanted);
  if (found) return within(set, isl_set_copy(found->all));
  collect(symbols, set, &wanted);
  if (wanted.all) set = within(set, isl_set_copy(wanted.all));
  if (!wanted.all || symbols->closed_count == MOST_KEPT) {
    finish(&wanted);
    return set;
  }
  found = ARENA_NEW(symbols->arena, struct closed);
  *found = wanted;
  found->next = symbols->closed;
  symbols->closed = found;
  symbols->closed_count++;
  return set;
}

void symbols_forget_closed(struct symbols *symbols)
{
  for (struct closed *c = symbols->closed; c; c = c->next) finish(c);
  symbols->closed = NULL;
  symbols->closed_count = 0;
}
