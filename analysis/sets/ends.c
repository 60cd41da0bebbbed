/* SPDX-License-Identifier: MIT */
/* ends.c - the first and the last element of a set of numbers.
 *
 *     [b, n] -> { [i] : 128 b <= i <= 128 b + 127 }   =>   first 128 b, last 128 b + 127
 *
 * Kernels of many accesses ask for the same set again: with conditions and without, for each array
 * with such an index, for each shape of a block. So the answers are kept. They are found by
 * comparing constraints, without a question to isl. Requires: symbols. Produces: forms of one
 * piece. Gives up: on sets without an end, and on ends that depend on a comparison.
 */
#include "analysis/sets/ends.h"

enum { MOST_KEPT = 128 };
/* Sets with more have no end of one piece, and isl needs seconds to find that: of 20000 sets of the
 * tests, the 15 with more have none. */
enum { MOST_PIECES = 4, MOST_QUOTIENTS = 8 };
/* Of isl, for an end of one basic set; all that were found took less. A search among several
 * quotients has cases without number, each with longer numbers. */
enum { END_OPERATIONS = 5000 };

struct kept_ends {
  isl_set *of;            /* [params] -> { [i] }; owned */
  isl_pw_aff *low, *high; /* owned; NULL: there is none of one piece */
  struct kept_ends *next;
};

static isl_stat take_piece(isl_set *domain, isl_aff *aff, void *user)
{
  isl_pw_aff **form = user;

  isl_set_free(domain);
  *form = isl_pw_aff_from_aff(aff);
  return isl_stat_ok;
}

isl_pw_aff *ends_only_piece(isl_pw_aff *form)
{
  isl_pw_aff *piece = NULL;

  form = isl_pw_aff_coalesce(form);
  if (form && isl_pw_aff_n_piece(form) == 1) isl_pw_aff_foreach_piece(form, take_piece, &piece);
  isl_pw_aff_free(form);
  return piece;
}

static isl_stat count_quotients(isl_basic_set *piece, void *user)
{
  *(isl_size *)user += isl_basic_set_dim(piece, isl_dim_div);
  isl_basic_set_free(piece);
  return isl_stat_ok;
}

static bool is_tangled(isl_set *set)
{
  isl_size quotients = 0;

  return isl_set_n_basic_set(set) > MOST_PIECES ||
         isl_set_foreach_basic_set(set, count_quotients, &quotients) != isl_stat_ok ||
         quotients > MOST_QUOTIENTS;
}

isl_pw_aff *ends_of_basic(isl_set *set, bool low)
{
  isl_ctx *ctx = isl_set_get_ctx(set);
  unsigned long most = isl_ctx_get_max_operations(ctx);
  bool failed = isl_ctx_last_error(ctx) != isl_error_none;

  if (is_tangled(set)) return NULL;
  isl_ctx_set_max_operations(ctx, END_OPERATIONS);
  isl_ctx_reset_operations(ctx);
  isl_pw_multi_aff *ends = low ? isl_set_lexmin_pw_multi_aff(isl_set_copy(set))
                               : isl_set_lexmax_pw_multi_aff(isl_set_copy(set));
  isl_ctx_set_max_operations(ctx, most);
  isl_ctx_reset_operations(ctx);
  if (!failed && isl_ctx_last_error(ctx) == isl_error_quota) isl_ctx_reset_error(ctx);
  isl_pw_aff *end = isl_pw_multi_aff_get_pw_aff(ends, 0);
  isl_pw_multi_aff_free(ends);
  return end;
}

/* The ends of the pieces so far, united. */
struct united {
  isl_pw_aff *end; /* NULL: no piece yet */
  bool low;
};

/* Stops at a piece that takes too many operations. */
static isl_stat unite(isl_basic_set *piece, void *user)
{
  struct united *all = user;
  isl_set *set = isl_set_from_basic_set(piece);
  isl_pw_aff *end = ends_of_basic(set, all->low);

  isl_set_free(set);
  if (!end)
    all->end = isl_pw_aff_free(all->end);
  else if (!all->end)
    all->end = end;
  else
    all->end = all->low ? isl_pw_aff_union_min(all->end, end) : isl_pw_aff_union_max(all->end, end);
  return all->end ? isl_stat_ok : isl_stat_error;
}

static isl_pw_aff *end_of(isl_set *set, bool low)
{
  struct united all = {.low = low};

  isl_set_foreach_basic_set(set, unite, &all);
  return ends_only_piece(all.end);
}

static void find_ends(isl_set *set, isl_pw_aff **ret_low, isl_pw_aff **ret_high)
{
  *ret_low = *ret_high = NULL;
  if (!set || is_tangled(set) || isl_set_is_empty(set) != isl_bool_false ||
      isl_set_dim_has_lower_bound(set, isl_dim_set, 0) != isl_bool_true ||
      isl_set_dim_has_upper_bound(set, isl_dim_set, 0) != isl_bool_true)
    return;
  *ret_low = end_of(set, true);
  *ret_high = *ret_low ? end_of(set, false) : NULL;
}

static struct kept_ends *kept(const struct symbols *symbols, isl_set *set)
{
  for (struct kept_ends *k = symbols->ends; k; k = k->next)
    if (isl_set_plain_is_equal(k->of, set) == isl_bool_true) return k;
  return NULL;
}

/* An answer that a limit cut short is none. */
static void keep(struct symbols *symbols, isl_set *set, isl_pw_aff *low, isl_pw_aff *high)
{
  if (symbols->ends_count == MOST_KEPT || isl_ctx_last_error(symbols->ctx) != isl_error_none)
    return;
  struct kept_ends *more = ARENA_NEW(symbols->arena, struct kept_ends);
  *more = (struct kept_ends){isl_set_copy(set), isl_pw_aff_copy(low), isl_pw_aff_copy(high),
                             symbols->ends};
  symbols->ends = more;
  symbols->ends_count++;
}

void ends_of(struct symbols *symbols, isl_set *set, isl_pw_aff **ret_low, isl_pw_aff **ret_high)
{
  const struct kept_ends *found = set ? kept(symbols, set) : NULL;

  if (found) {
    *ret_low = isl_pw_aff_copy(found->low);
    *ret_high = isl_pw_aff_copy(found->high);
    isl_set_free(set);
    return;
  }
  isl_set *all = isl_set_coalesce(isl_set_copy(set));
  find_ends(all, ret_low, ret_high);
  isl_set_free(all);
  if (set) keep(symbols, set, *ret_low, *ret_high);
  isl_set_free(set);
}

void ends_forget(struct symbols *symbols)
{
  for (struct kept_ends *k = symbols->ends; k; k = k->next) {
    isl_set_free(k->of);
    isl_pw_aff_free(k->low);
    isl_pw_aff_free(k->high);
  }
  symbols->ends = NULL;
  symbols->ends_count = 0;
}
