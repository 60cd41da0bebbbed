/* SPDX-License-Identifier: MIT */
/* interval.c - bounds of affine forms by interval arithmetic.
 *
 *     blockIdx.x < gridDim.x <= 2^24 - 1   =>   0 <= blockIdx.x <= 2^24 - 2
 *
 * A symbol lies in the interval of the constraints that name it alone: those of its own bounds, of
 * the domain, and of the piece of the form. In its own bounds the constraints with further symbols
 * count as well, each symbol within its own interval. A set of several parts has the hull of their
 * intervals. The intervals of the symbols and of the last domain are kept, since a walk asks many
 * questions about one domain.
 * Requires: symbols with bounds. Produces: "within" or "cannot tell". Gives up: on numbers of more
 * than 62 bits.
 */
#include "analysis/sets/interval.h"

#include "analysis/sets/value.h"

#include <isl/constraint.h>
#include <isl/id.h>

#include <stdlib.h>

#define FAR ((int64_t)1 << 62)
enum { DEPTH = 3 }; /* symbols in the bounds of symbols in the bounds of a symbol */

struct interval {
  int64_t low, high; /* -FAR and FAR: no bound */
};

static const struct interval ANY = {-FAR, FAR};

/* The interval of a symbol's own bounds at that time; they only become narrower. */
struct own_interval {
  isl_set *of; /* held */
  struct interval interval;
};

/* The intervals of the symbols of one set, by symbol->index. */
struct interval_cache {
  isl_set *set; /* held, so that no other set takes its place in memory */
  unsigned count;
  struct interval items[];
};

static int64_t clamped(__int128 value)
{
  return value > FAR ? FAR : value < -FAR ? -FAR : (int64_t)value;
}

static bool small(isl_val *val, int64_t *ret) { return value_number(val, FAR - 1, ret); }

static int64_t floor_div(int64_t a, int64_t by) { return a / by - (a % by < 0); }

static struct interval meet(struct interval a, struct interval b)
{
  return (struct interval){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

static struct interval join(struct interval a, struct interval b)
{
  return (struct interval){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

/* ---- symbols of a set ---- */

/* The only parameter of a constraint without other dimensions; -1: there is none. */
static int only_param(isl_constraint *constraint)
{
  int found = -1;

  if (isl_constraint_dim(constraint, isl_dim_div) > 0 ||
      isl_constraint_dim(constraint, isl_dim_set) > 0)
    return -1;
  for (int i = 0; i < isl_constraint_dim(constraint, isl_dim_param); i++)
    if (isl_constraint_involves_dims(constraint, isl_dim_param, (unsigned)i, 1) == isl_bool_true) {
      if (found >= 0) return -1;
      found = i;
    }
  return found;
}

/* The solution of c * x + k >= 0, or = 0. */
static struct interval solution(int64_t c, int64_t k, bool is_equality)
{
  struct interval found = ANY;

  if (c > 0 || is_equality) found.low = c > 0 ? -floor_div(k, c) : floor_div(k, -c);
  if (c < 0 || is_equality) found.high = c < 0 ? floor_div(k, -c) : -floor_div(k, c);
  return found;
}

static isl_stat note_constraint(isl_constraint *constraint, void *user)
{
  struct interval_cache *part = user;
  int at = only_param(constraint);
  int64_t c, k;

  if (at >= 0 && small(isl_constraint_get_coefficient_val(constraint, isl_dim_param, at), &c) &&
      small(isl_constraint_get_constant_val(constraint), &k) && c) {
    isl_space *space = isl_constraint_get_space(constraint);
    unsigned index = symbol_of_param(space, (unsigned)at)->index;
    if (index < part->count)
      part->items[index] =
          meet(part->items[index],
               solution(c, k, isl_constraint_is_equality(constraint) == isl_bool_true));
    isl_space_free(space);
  }
  isl_constraint_free(constraint);
  return isl_stat_ok;
}

static struct interval_cache *new_cache(unsigned count)
{
  struct interval_cache *cache = malloc(sizeof *cache + count * sizeof cache->items[0]);

  if (!cache) return NULL;
  *cache = (struct interval_cache){.count = count};
  for (unsigned i = 0; i < count; i++) cache->items[i] = ANY;
  return cache;
}

struct parts {
  struct interval_cache *all;
  bool any;
};

static isl_stat note_part(isl_basic_set *part, void *user)
{
  struct parts *parts = user;
  struct interval_cache *own = new_cache(parts->all->count);
  bool noted = own && isl_basic_set_foreach_constraint(part, note_constraint, own) == isl_stat_ok;

  for (unsigned i = 0; i < parts->all->count; i++)
    parts->all->items[i] = !noted       ? ANY
                           : parts->any ? join(parts->all->items[i], own->items[i])
                                        : own->items[i];
  parts->any = true;
  free(own);
  isl_basic_set_free(part);
  return isl_stat_ok;
}

/* NULL: out of memory */
static struct interval_cache *intervals_of(struct symbols *symbols, isl_set *set)
{
  struct parts parts = {.all = new_cache(symbols->items.count)};

  if (parts.all && isl_set_foreach_basic_set(set, note_part, &parts) != isl_stat_ok) {
    free(parts.all);
    return NULL;
  }
  return parts.all;
}

static void forget_domain(struct symbols *symbols)
{
  if (symbols->intervals) isl_set_free(symbols->intervals->set);
  free(symbols->intervals);
  symbols->intervals = NULL;
}

static const struct interval_cache *intervals_of_domain(struct symbols *symbols, isl_set *domain)
{
  struct interval_cache *kept = symbols->intervals;

  if (kept && kept->set == domain && kept->count == symbols->items.count) return kept;
  forget_domain(symbols);
  kept = intervals_of(symbols, domain);
  if (kept) kept->set = isl_set_copy(domain);
  return symbols->intervals = kept;
}

/* ---- own bounds ---- */

struct own {
  struct symbols *symbols;
  const struct symbol *symbol;
  unsigned depth;
  struct interval part, all; /* of the part at hand, of the parts so far */
  bool any;
};

static struct interval own_interval(struct symbols *, struct symbol *, unsigned depth);

/* The greatest value of sign * (the terms of a constraint but the one at `at`). */
static bool greatest_rest(const struct own *own, isl_constraint *constraint, int at, int64_t sign,
                          int64_t *ret)
{
  isl_space *space = isl_constraint_get_space(constraint);
  __int128 sum = 0;
  bool known = true;

  for (int i = 0; known && i < isl_space_dim(space, isl_dim_param); i++) {
    int64_t c;
    known = small(isl_constraint_get_coefficient_val(constraint, isl_dim_param, i), &c);
    if (i == at || !c || !known) continue;
    struct interval of =
        own_interval(own->symbols, symbol_of_param(space, (unsigned)i), own->depth + 1);
    int64_t end = c * sign > 0 ? of.high : of.low;
    known = end != FAR && end != -FAR;
    sum += (__int128)(c * sign) * end;
    known &= clamped(sum) == (int64_t)sum;
  }
  isl_space_free(space);
  *ret = (int64_t)sum;
  return known;
}

/* sign * (c * x + rest + k) >= 0 */
static void note_side(struct own *own, isl_constraint *constraint, int at, int64_t sign)
{
  int64_t c, k, rest;

  if (small(isl_constraint_get_coefficient_val(constraint, isl_dim_param, at), &c) &&
      small(isl_constraint_get_constant_val(constraint), &k) && c &&
      greatest_rest(own, constraint, at, sign, &rest))
    own->part = meet(own->part, solution(c * sign, clamped((__int128)k * sign + rest), false));
}

static isl_stat note_own_constraint(isl_constraint *constraint, void *user)
{
  struct own *own = user;
  isl_space *space = isl_constraint_get_space(constraint);
  int at = isl_constraint_dim(constraint, isl_dim_div) > 0
               ? -1
               : isl_space_find_dim_by_id(space, isl_dim_param, own->symbol->id);

  isl_space_free(space);
  if (at >= 0) {
    note_side(own, constraint, at, 1);
    if (isl_constraint_is_equality(constraint) == isl_bool_true) note_side(own, constraint, at, -1);
  }
  isl_constraint_free(constraint);
  return isl_stat_ok;
}

static isl_stat note_own_part(isl_basic_set *part, void *user)
{
  struct own *own = user;

  own->part = ANY;
  if (isl_basic_set_foreach_constraint(part, note_own_constraint, own) != isl_stat_ok)
    own->part = ANY;
  own->all = own->any ? join(own->all, own->part) : own->part;
  own->any = true;
  isl_basic_set_free(part);
  return isl_stat_ok;
}

static struct interval own_interval(struct symbols *symbols, struct symbol *symbol, unsigned depth)
{
  struct own_interval *kept = symbol->interval;
  struct own own = {.symbols = symbols, .symbol = symbol, .depth = depth, .all = ANY};

  if (kept && kept->of == symbol->bounds) return kept->interval;
  if (depth > DEPTH ||
      isl_set_foreach_basic_set(symbol->bounds, note_own_part, &own) != isl_stat_ok)
    return ANY;
  if (depth) return own.all;
  if (!kept) kept = symbol->interval = arena_alloc(symbols->arena, sizeof *kept);
  isl_set_free(kept->of);
  *kept = (struct own_interval){isl_set_copy(symbol->bounds), own.all};
  return own.all;
}

bool interval_of_symbol(struct symbols *symbols, struct symbol *symbol, int64_t *ret_low,
                        int64_t *ret_high)
{
  struct interval own = own_interval(symbols, symbol, 0);

  *ret_low = own.low;
  *ret_high = own.high;
  return own.low > -FAR && own.high < FAR;
}

void interval_forget(struct symbols *symbols)
{
  forget_domain(symbols);
  for (unsigned i = 0; i < symbols->items.count; i++) {
    struct symbol *symbol = symbols->items.items[i];
    if (symbol->interval) isl_set_free(symbol->interval->of);
    symbol->interval = NULL;
  }
}

/* ---- affine forms ---- */

struct form {
  struct symbols *symbols;
  const struct interval_cache *domain;
  struct interval_cache *piece;
  struct interval total; /* of all pieces so far */
  bool any, fails;
};

static struct interval of_symbol(const struct form *form, struct symbol *symbol)
{
  struct interval found = own_interval(form->symbols, symbol, 0);

  if (symbol->index < form->domain->count) found = meet(found, form->domain->items[symbol->index]);
  return symbol->index < form->piece->count ? meet(found, form->piece->items[symbol->index])
                                            : found;
}

static bool add_times(struct interval *sum, int64_t by, struct interval of)
{
  __int128 a = (__int128)by * of.low, b = (__int128)by * of.high;

  if (of.low == -FAR || of.high == FAR || of.low > of.high) return false;
  sum->low = clamped(sum->low + (a < b ? a : b));
  sum->high = clamped(sum->high + (a < b ? b : a));
  return sum->low > -FAR && sum->high < FAR;
}

static bool of_aff(const struct form *form, isl_aff *aff, struct interval *ret);

/* Adds the interval of each coefficient * floor(numerator / denominator). */
static bool add_divs(const struct form *form, isl_aff *aff, int64_t scale, struct interval *sum)
{
  for (int i = 0; i < isl_aff_dim(aff, isl_dim_div); i++) {
    struct interval inner;
    int64_t c;
    isl_val *val = isl_val_mul(isl_aff_get_coefficient_val(aff, isl_dim_div, i),
                               isl_val_int_from_si(isl_aff_get_ctx(aff), scale));
    if (!small(val, &c)) return false;
    if (!c) continue;
    isl_aff *div = isl_aff_get_div(aff, i);
    bool known = of_aff(form, div, &inner);
    isl_aff_free(div);
    if (!known || !add_times(sum, c, inner)) return false;
  }
  return true;
}

/* The interval of floor(aff). */
static bool of_aff(const struct form *form, isl_aff *aff, struct interval *ret)
{
  isl_ctx *ctx = isl_aff_get_ctx(aff);
  int64_t scale, k, c;

  if (!small(isl_aff_get_denominator_val(aff), &scale) ||
      !small(isl_val_mul(isl_aff_get_constant_val(aff), isl_val_int_from_si(ctx, scale)), &k))
    return false;
  *ret = (struct interval){k, k};
  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param); i++) {
    if (!small(isl_val_mul(isl_aff_get_coefficient_val(aff, isl_dim_param, i),
                           isl_val_int_from_si(ctx, scale)),
               &c))
      return false;
    if (!c) continue;
    isl_space *space = isl_aff_get_domain_space(aff);
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    isl_space_free(space);
    if (!add_times(ret, c, of_symbol(form, symbol))) return false;
  }
  if (!add_divs(form, aff, scale, ret)) return false;
  *ret = (struct interval){floor_div(ret->low, scale), floor_div(ret->high, scale)};
  return true;
}

static isl_stat add_piece(isl_set *set, isl_aff *aff, void *user)
{
  struct form *form = user;
  struct interval found;

  form->piece = intervals_of(form->symbols, set);
  if (!form->piece || !of_aff(form, aff, &found))
    form->fails = true;
  else
    form->total = form->any ? join(form->total, found) : found;
  form->any = true;
  free(form->piece);
  isl_set_free(set);
  isl_aff_free(aff);
  return form->fails ? isl_stat_error : isl_stat_ok;
}

bool interval_within(struct symbols *symbols, isl_pw_aff *aff, isl_set *domain, isl_val *low,
                     isl_val *high)
{
  struct form form = {.symbols = symbols, .domain = intervals_of_domain(symbols, domain)};

  if (!form.domain || isl_pw_aff_foreach_piece(aff, add_piece, &form) != isl_stat_ok || !form.any)
    return false;
  return (!low || isl_val_cmp_si(low, (long)form.total.low) <= 0) &&
         (!high || isl_val_cmp_si(high, (long)form.total.high) >= 0);
}
