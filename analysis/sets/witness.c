/* SPDX-License-Identifier: MIT */
/* witness.c - points that answered a question about a form and a domain with "no".
 *
 *     may 4 n + i leave 32 bits?  yes: n = 2^30, i = 0   =>   5 n + i leaves them at this point,
 * too
 *
 * Kernels of many accesses ask such questions hundreds of times, with other constants. A value that
 * is not understood and was met later is free: the point gets its least or greatest number.
 * Requires: values of all other symbols of a form; the domain is the same object. Produces: "yes"
 * or "not known". Gives up: on forms of several pieces or with divisions, and on numbers of more
 * than 62 bits.
 */
#include "analysis/sets/witness.h"

#include <isl/point.h>

#include "analysis/sets/interval.h"
#include "analysis/sets/value.h"

enum { MOST_KEPT = 8 };
static const int64_t LARGEST = INT64_C(1) << 61;

struct witness {
  isl_set *domain; /* held */
  unsigned count;  /* of symbols at that time */
  bool *known;     /* by symbol->index */
  int64_t *at;     /* likewise */
  struct witness *next;
};

/* The greatest (or least) number of a symbol of which the point says nothing, and on which neither
 * the domain nor another symbol depends. */
static bool free_value(struct symbols *symbols, const struct witness *w, struct symbol *symbol,
                       bool greatest, int64_t *ret)
{
  int64_t low, high;

  if (symbol->index < w->count || symbol->kind != SYMBOL_UNKNOWN || symbol->from_table ||
      !interval_of_symbol(symbols, symbol, &low, &high))
    return false;
  *ret = greatest ? high : low;
  return true;
}

/* The value of `aff` at the point: one that is as great (or as small) as the free symbols allow. */
static bool value_at(struct symbols *symbols, const struct witness *w, isl_aff *aff, bool greatest,
                     __int128 *ret)
{
  isl_space *space = isl_aff_get_domain_space(aff);
  int64_t c, k;
  bool known = value_number(isl_aff_get_constant_val(aff), LARGEST, &k);

  *ret = k;
  for (int i = 0; known && i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    int64_t at = 0;
    known = value_number(isl_aff_get_coefficient_val(aff, isl_dim_param, i), INT32_MAX, &c);
    if (!known || !c) continue;
    if (symbol->index < w->count && w->known[symbol->index])
      at = w->at[symbol->index];
    else
      known = free_value(symbols, w, symbol, greatest == (c > 0), &at);
    *ret += (__int128)c * at;
  }
  isl_space_free(space);
  return known;
}

bool witness_beyond(struct symbols *symbols, isl_pw_aff *aff, isl_set *domain, isl_val *limit,
                    bool above)
{
  int64_t end;
  isl_aff *plain = symbols->witnesses ? value_plain(aff) : NULL;
  bool beyond = false, small = plain && value_number(isl_val_copy(limit), LARGEST, &end);

  for (const struct witness *w = symbols->witnesses; small && w && !beyond; w = w->next) {
    __int128 value;
    beyond = w->domain == domain && value_at(symbols, w, plain, above, &value) &&
             (above ? value > end : value < end);
  }
  isl_aff_free(plain);
  return beyond;
}

static void note_values(struct witness *w, isl_point *point, isl_space *space)
{
  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    unsigned index = symbol_of_param(space, (unsigned)i)->index;
    w->known[index] =
        value_number(isl_point_get_coordinate_val(point, isl_dim_param, i), LARGEST, &w->at[index]);
  }
}

static void drop_last(struct symbols *symbols)
{
  struct witness **last = &symbols->witnesses;
  unsigned count = 1;

  if (!*last) return;
  for (; (*last)->next; count++) last = &(*last)->next;
  if (count < MOST_KEPT) return;
  isl_set_free((*last)->domain);
  *last = NULL;
}

void witness_keep(struct symbols *symbols, isl_set *bad, isl_set *domain)
{
  isl_point *point = isl_set_sample_point(isl_set_copy(bad));
  isl_space *space = point ? isl_point_get_space(point) : NULL;

  if (!point || isl_point_is_void(point) != isl_bool_false ||
      isl_space_dim(space, isl_dim_param) < 1) {
    isl_point_free(point);
    isl_space_free(space);
    return;
  }
  drop_last(symbols);
  unsigned count = symbols->items.count;
  struct witness *w = ARENA_NEW(symbols->arena, struct witness);
  *w = (struct witness){isl_set_copy(domain), count, arena_alloc(symbols->arena, count),
                        arena_alloc(symbols->arena, count * sizeof *w->at), symbols->witnesses};
  note_values(w, point, space);
  symbols->witnesses = w;
  isl_point_free(point);
  isl_space_free(space);
}

void witness_forget(struct symbols *symbols)
{
  for (struct witness *w = symbols->witnesses; w; w = w->next) isl_set_free(w->domain);
  symbols->witnesses = NULL;
}
