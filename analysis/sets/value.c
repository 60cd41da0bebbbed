/* SPDX-License-Identifier: MIT */
/* value.c - arithmetic on values.
 *
 *     (blockIdx.y * 16 + threadIdx.y) * n + k
 *         =>   aff k, terms { (16 blockIdx.y + threadIdx.y) * n }
 *
 * Everything is exact over the integers. The caller proves with value_within that C computes the
 * same (unsigned wrap, narrowing). A form of more than PIECES pieces becomes unknown.
 */
#include "analysis/sets/value.h"
#include "runtime/seeded.h"

#include <string.h>

#include "analysis/sets/interval.h"
#include "analysis/sets/stride.h"
#include "analysis/sets/witness.h"

enum { PIECES = 16 };

struct value value_take(isl_pw_aff *aff)
{
  struct value value;

  memset(&value, 0, sizeof value);
  if (aff && (isl_pw_aff_n_piece(aff) > PIECES || isl_pw_aff_n_piece(aff) < 1 ||
              isl_pw_aff_involves_nan(aff) != isl_bool_false))
    aff = isl_pw_aff_free(aff);
  value.aff = aff;
  return value;
}

struct value value_copy(const struct value *value)
{
  struct value copy = *value;

  copy.aff = isl_pw_aff_copy(value->aff);
  for (unsigned i = 0; i < value->term_count; i++)
    copy.terms[i].coefficient = isl_pw_aff_copy(value->terms[i].coefficient);
  return copy;
}

void value_free(struct value *value)
{
  if (!value) return;
  isl_pw_aff_free(value->aff);
  for (unsigned i = 0; i < value->term_count; i++) isl_pw_aff_free(value->terms[i].coefficient);
  memset(value, 0, sizeof *value);
}

bool value_same(const struct value *a, const struct value *b)
{
  if (!a->aff || !b->aff || a->term_count != b->term_count || a->modulo != b->modulo ||
      isl_pw_aff_plain_is_equal(a->aff, b->aff) != isl_bool_true)
    return false;
  for (unsigned i = 0; i < a->term_count; i++)
    if (!stride_same(a->terms[i].stride, b->terms[i].stride) ||
        isl_pw_aff_plain_is_equal(a->terms[i].coefficient, b->terms[i].coefficient) !=
            isl_bool_true)
      return false;
  return true;
}

bool value_number(isl_val *val, int64_t most, int64_t *ret)
{
  bool fits = isl_val_is_int(val) == isl_bool_true && isl_val_cmp_si(val, most) <= 0 &&
              isl_val_cmp_si(val, -most) >= 0;

  *ret = fits ? isl_val_get_num_si(val) : 0;
  isl_val_free(val);
  return fits;
}

isl_aff *value_plain(isl_pw_aff *form)
{
  if (isl_pw_aff_isa_aff(form) != isl_bool_true) return NULL;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  return isl_aff_dim(aff, isl_dim_div) == 0 ? aff : isl_aff_free(aff);
}

bool value_constant(const struct value *value, int64_t *ret)
{
  if (value->term_count || isl_pw_aff_isa_aff(value->aff) != isl_bool_true ||
      isl_pw_aff_is_cst(value->aff) != isl_bool_true)
    return false;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(value->aff));
  int64_t number;
  bool fits = value_number(isl_aff_get_constant_val(aff), INT32_MAX * INT64_C(1048576), &number);

  if (fits) *ret = number;
  isl_aff_free(aff);
  return fits;
}

static bool zero(isl_pw_aff *aff)
{
  struct value value = {.aff = aff};
  int64_t constant;
  return value_constant(&value, &constant) && constant == 0;
}

static bool is_unknown(const struct value *a) { return !a->aff; }

static struct value drop(struct value *a, struct value *b)
{
  value_free(a);
  value_free(b);
  return (struct value){0};
}

/* Adds coefficient * stride to `value`. False: there is no room (the coefficient is freed). */
static bool add_term(struct value *value, isl_pw_aff *coefficient,
                     struct symbol *const stride[STRIDE_FACTORS])
{
  for (unsigned i = 0; i < value->term_count; i++) {
    struct value_term *term = &value->terms[i];
    if (!stride_same(term->stride, stride)) continue;
    term->coefficient = isl_pw_aff_coalesce(isl_pw_aff_add(term->coefficient, coefficient));
    if (zero(term->coefficient)) {
      isl_pw_aff_free(term->coefficient);
      *term = value->terms[--value->term_count];
    }
    return true;
  }
  if (value->term_count == VALUE_TERMS) {
    isl_pw_aff_free(coefficient);
    return false;
  }
  struct value_term *term = &value->terms[value->term_count++];
  term->coefficient = coefficient;
  stride_copy(term->stride, stride);
  return true;
}

struct value value_add(struct value a, struct value b)
{
  if (is_unknown(&a) || is_unknown(&b)) return drop(&a, &b);

  struct value sum = value_copy(&a);
  isl_pw_aff_free(sum.aff);
  struct value plain = value_take(
      isl_pw_aff_coalesce(isl_pw_aff_add(isl_pw_aff_copy(a.aff), isl_pw_aff_copy(b.aff))));
  sum.aff = plain.aff;
  bool fits = sum.aff != NULL;
  for (unsigned i = 0; i < b.term_count && fits; i++)
    fits = add_term(&sum, isl_pw_aff_copy(b.terms[i].coefficient), b.terms[i].stride);
  value_free(&a);
  value_free(&b);
  if (!fits) value_free(&sum);
  return sum;
}

struct value value_scale(struct value a, int64_t by)
{
  if (is_unknown(&a)) return a;
  isl_ctx *ctx = isl_pw_aff_get_ctx(a.aff);
  a.aff = isl_pw_aff_scale_val(a.aff, isl_val_int_from_si(ctx, by));
  for (unsigned i = 0; i < a.term_count; i++)
    a.terms[i].coefficient =
        isl_pw_aff_scale_val(a.terms[i].coefficient, isl_val_int_from_si(ctx, by));
  if (!by)
    for (; a.term_count > 0; a.term_count--) isl_pw_aff_free(a.terms[a.term_count - 1].coefficient);
  return a;
}

struct value value_neg(struct value a) { return value_scale(a, -1); }

struct value value_sub(struct value a, struct value b) { return value_add(a, value_neg(b)); }

/* `a` times a symbol. */
static struct value times(struct value a, struct symbol *by)
{
  struct value product = {0};
  bool fits = true;

  product.aff = isl_pw_aff_sub(isl_pw_aff_copy(a.aff), isl_pw_aff_copy(a.aff));
  if (!zero(a.aff))
    fits = add_term(&product, isl_pw_aff_copy(a.aff), (struct symbol *[STRIDE_FACTORS]){by});
  for (unsigned i = 0; i < a.term_count && fits; i++) {
    struct symbol *stride[STRIDE_FACTORS];
    stride_copy(stride, a.terms[i].stride);
    fits = stride_times(stride, by) &&
           add_term(&product, isl_pw_aff_copy(a.terms[i].coefficient), stride);
  }
  value_free(&a);
  if (!fits) value_free(&product);
  return product;
}

/* The value as factor * symbols. */
struct factors {
  int64_t constant;
  struct symbol *symbols[STRIDE_FACTORS];
};

/* How good a stride the value is: 0 none, 1 blockIdx and the like, 2 kernel scalars. */
static unsigned stride_rank(struct symbols *symbols, const struct value *a, struct factors *ret)
{
  const struct value_term *term = a->term_count ? &a->terms[0] : NULL;
  struct value coefficient = {.aff = term ? term->coefficient : NULL};
  bool of_block = false, constant = term && value_constant(&coefficient, &ret->constant);

  *ret = (struct factors){.constant = constant ? ret->constant : 1};
  if (a->term_count > 1 || (term && !zero(a->aff))) return 0;
  if (term) stride_copy(ret->symbols, term->stride);
  struct symbol *first =
      constant ? NULL : symbol_of_uniform(symbols, term ? coefficient.aff : a->aff);
  if (!constant && (!first || !stride_times(ret->symbols, first))) return 0;
  for (unsigned i = 0; i < STRIDE_FACTORS && ret->symbols[i]; i++)
    of_block |= ret->symbols[i]->of_block;
  return of_block ? 1 : 2;
}

static struct value times_factors(struct value a, const struct factors *by)
{
  for (unsigned i = 0; i < STRIDE_FACTORS && by->symbols[i] && a.aff; i++)
    a = times(a, by->symbols[i]);
  return value_scale(a, by->constant);
}

struct value value_mul(struct symbols *symbols, struct value a, struct value b)
{
  struct factors first = {0}, second = {0};
  int64_t by;

  if (is_unknown(&a) || is_unknown(&b)) return drop(&a, &b);
  if (value_constant(&b, &by)) {
    value_free(&b);
    return value_scale(a, by);
  }
  if (value_constant(&a, &by)) {
    value_free(&a);
    return value_scale(b, by);
  }
  unsigned rank_a = stride_rank(symbols, &a, &first), rank_b = stride_rank(symbols, &b, &second);
  if (!rank_a && !rank_b) return drop(&a, &b);
  bool stride_is_b =
      rank_a == rank_b ? first.symbols[0]->index <= second.symbols[0]->index : rank_b > rank_a;
  value_free(stride_is_b ? &b : &a);
  return stride_is_b ? times_factors(a, &second) : times_factors(b, &first);
}

/* The coefficient of the symbol, removed from the form, if it is a whole number; else 0. */
static int64_t take_multiple(struct symbols *symbols, isl_pw_aff **form, const struct symbol *by)
{
  isl_aff *aff = value_plain(*form);
  int64_t found = 0;

  if (!aff) return 0;
  isl_space *space = isl_aff_get_domain_space(aff);
  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param); i++)
    if (symbol_of_param(space, (unsigned)i) == by)
      value_number(isl_aff_get_coefficient_val(aff, isl_dim_param, i), INT32_MAX, &found);
  isl_space_free(space);
  isl_aff_free(aff);
  if (found) {
    isl_val *times_by = isl_val_int_from_si(isl_pw_aff_get_ctx(*form), found);
    *form = isl_pw_aff_sub(*form, isl_pw_aff_scale_val(symbol_aff(symbols, by), times_by));
    *form = isl_pw_aff_drop_unused_params(*form);
  }
  return found;
}

/* The form whose multiples of factor `by` belong to the term: the coefficient of its other factors,
 * or the value's affine part. NULL: there is none. */
static isl_pw_aff **source_of(struct value *a, const struct value_term *term, unsigned by)
{
  struct symbol *left[STRIDE_FACTORS];

  if (!term->stride[1]) return &a->aff;
  stride_quotient(term->stride, (struct symbol *[STRIDE_FACTORS]){term->stride[by]}, left);
  for (unsigned i = 0; i < a->term_count; i++)
    if (stride_same(a->terms[i].stride, left)) return &a->terms[i].coefficient;
  return NULL;
}

struct value value_gather(struct symbols *symbols, struct value a)
{
  if (is_unknown(&a)) return a;
  for (unsigned i = 0; i < a.term_count; i++) {
    struct value_term *term = &a.terms[i];
    for (unsigned k = 0; k < STRIDE_FACTORS && term->stride[k]; k++) {
      isl_pw_aff **source = source_of(&a, term, k);
      int64_t times_by = source ? take_multiple(symbols, source, term->stride[k]) : 0;
      if (times_by && !SEEDED(MULTIPLE_LOST))
        term->coefficient = isl_pw_aff_add_constant_val(
            term->coefficient,
            isl_val_int_from_si(isl_pw_aff_get_ctx(term->coefficient), times_by));
    }
  }
  for (unsigned i = a.term_count; i-- > 0;) {
    if (!zero(a.terms[i].coefficient)) continue;
    isl_pw_aff_free(a.terms[i].coefficient);
    a.terms[i] = a.terms[--a.term_count];
  }
  return a;
}

struct value value_flatten(struct symbols *symbols, struct value a)
{
  if (is_unknown(&a)) return a;
  struct value flat = value_take(isl_pw_aff_copy(a.aff));
  for (unsigned i = 0; i < a.term_count && flat.aff; i++) {
    struct symbol *symbol = symbol_of_product(symbols, a.terms[i].coefficient, a.terms[i].stride);
    if (symbol)
      flat = value_add(flat, value_take(symbol_aff(symbols, symbol)));
    else
      value_free(&flat);
  }
  value_free(&a);
  return flat;
}

struct value value_floor_div(struct value a, int64_t by)
{
  if (is_unknown(&a) || a.term_count) return drop(&a, &(struct value){0});
  isl_ctx *ctx = isl_pw_aff_get_ctx(a.aff);
  return value_take(
      isl_pw_aff_floor(isl_pw_aff_scale_down_val(a.aff, isl_val_int_from_si(ctx, by))));
}

struct value value_mod(struct value a, int64_t by)
{
  if (is_unknown(&a) || a.term_count) return drop(&a, &(struct value){0});
  isl_ctx *ctx = isl_pw_aff_get_ctx(a.aff);
  return value_take(isl_pw_aff_mod_val(a.aff, isl_val_int_from_si(ctx, by)));
}

static isl_pw_aff *constant_like(isl_pw_aff *aff, int64_t value)
{
  isl_pw_aff *zero_aff = isl_pw_aff_sub(isl_pw_aff_copy(aff), isl_pw_aff_copy(aff));
  return isl_pw_aff_add_constant_val(zero_aff, isl_val_int_from_si(isl_pw_aff_get_ctx(aff), value));
}

struct value value_div(struct value a, int64_t by, bool non_negative)
{
  if (is_unknown(&a) || a.term_count) return drop(&a, &(struct value){0});
  if (non_negative) return value_floor_div(a, by);
  isl_pw_aff *divisor = constant_like(a.aff, by);
  return value_take(isl_pw_aff_tdiv_q(a.aff, divisor));
}

struct value value_rem(struct value a, int64_t by, bool non_negative)
{
  if (is_unknown(&a) || a.term_count) return drop(&a, &(struct value){0});
  if (non_negative) return value_mod(a, by);
  isl_pw_aff *divisor = constant_like(a.aff, by);
  return value_take(isl_pw_aff_tdiv_r(a.aff, divisor));
}

/* Is there a point of `domain` with value < limit (or > limit)? */
static bool beyond(struct symbols *symbols, isl_pw_aff *aff, isl_set *domain, isl_val *limit,
                   bool above)
{
  if (witness_beyond(symbols, aff, domain, limit, above)) {
    isl_val_free(limit);
    return true;
  }
  isl_pw_aff *bound = isl_pw_aff_add_constant_val(symbols_constant(symbols, 0), limit);
  isl_set *bad = above ? isl_pw_aff_gt_set(isl_pw_aff_copy(aff), bound)
                       : isl_pw_aff_lt_set(isl_pw_aff_copy(aff), bound);

  bad = symbols_close(symbols, isl_set_intersect(bad, isl_set_copy(domain)));
  isl_bool empty = isl_set_is_empty(bad);
  if (empty == isl_bool_false) witness_keep(symbols, bad, domain);
  isl_set_free(bad);
  return empty != isl_bool_true;
}

static void interval(struct symbols *symbols, isl_pw_aff *aff, isl_set *domain, isl_val **low,
                     isl_val **high)
{
  isl_set *range = isl_set_from_pw_aff(isl_pw_aff_copy(aff));

  range = symbols_close(symbols, isl_set_intersect_params(range, isl_set_copy(domain)));
  range = isl_set_project_out_all_params(range);
  *low = isl_set_dim_min_val(isl_set_copy(range), 0);
  *high = isl_set_dim_max_val(range, 0);
}

/* [low, high] times the interval of `aff`. */
static void interval_times(struct symbols *symbols, isl_pw_aff *aff, isl_set *domain, isl_val **low,
                           isl_val **high)
{
  isl_val *a, *b, *best_low, *best_high;

  interval(symbols, aff, domain, &a, &b);
  isl_val *products[4] = {
      isl_val_mul(isl_val_copy(*low), isl_val_copy(a)),
      isl_val_mul(isl_val_copy(*low), isl_val_copy(b)),
      isl_val_mul(isl_val_copy(*high), isl_val_copy(a)),
      isl_val_mul(isl_val_copy(*high), isl_val_copy(b)),
  };
  best_low = isl_val_copy(products[0]);
  best_high = isl_val_copy(products[0]);
  for (unsigned i = 0; i < 4; i++) {
    best_low = isl_val_min(best_low, isl_val_copy(products[i]));
    best_high = isl_val_max(best_high, products[i]);
  }
  isl_val_free(a);
  isl_val_free(b);
  isl_val_free(*low);
  isl_val_free(*high);
  *low = best_low;
  *high = best_high;
}

void value_interval(struct symbols *symbols, const struct value *value, isl_set *domain,
                    isl_val **ret_low, isl_val **ret_high)
{
  if (!value->aff) {
    *ret_low = *ret_high = NULL;
    return;
  }
  interval(symbols, value->aff, domain, ret_low, ret_high);
  for (unsigned i = 0; i < value->term_count; i++) {
    isl_val *low, *high;
    interval(symbols, value->terms[i].coefficient, domain, &low, &high);
    for (unsigned s = 0; s < STRIDE_FACTORS && value->terms[i].stride[s]; s++) {
      isl_pw_aff *stride = symbol_aff(symbols, value->terms[i].stride[s]);
      interval_times(symbols, stride, domain, &low, &high);
      isl_pw_aff_free(stride);
    }
    *ret_low = isl_val_add(*ret_low, low);
    *ret_high = isl_val_add(*ret_high, high);
  }
}

static bool terms_within(struct symbols *symbols, const struct value *value, isl_set *domain,
                         isl_val *low, isl_val *high)
{
  isl_val *least, *greatest;

  value_interval(symbols, value, domain, &least, &greatest);
  bool within = (!low || isl_val_ge(least, low) == isl_bool_true) &&
                (!high || isl_val_le(greatest, high) == isl_bool_true);
  isl_val_free(least);
  isl_val_free(greatest);
  return within;
}

static bool aff_within(struct symbols *symbols, isl_pw_aff *aff, isl_set *domain, isl_val *low,
                       isl_val *high)
{
  bool below = low && !interval_within(symbols, aff, domain, low, NULL),
       above = high && !interval_within(symbols, aff, domain, NULL, high);

  if (below && beyond(symbols, aff, domain, isl_val_copy(low), false)) return false;
  return !above || !beyond(symbols, aff, domain, isl_val_copy(high), true);
}

/* Do the facts about whole products prove the bounds? */
static bool flat_within(struct symbols *symbols, const struct value *value, isl_set *domain,
                        isl_val *low, isl_val *high)
{
  struct value flat = value_flatten(symbols, value_copy(value));
  bool within = flat.aff && aff_within(symbols, flat.aff, domain, low, high);

  value_free(&flat);
  return within;
}

bool value_within(struct symbols *symbols, const struct value *value, isl_set *domain, isl_val *low,
                  isl_val *high)
{
  bool within = value->aff && domain;

  if (within && value->term_count)
    within = terms_within(symbols, value, domain, low, high) ||
             flat_within(symbols, value, domain, low, high);
  else if (within)
    within = aff_within(symbols, value->aff, domain, low, high);
  isl_val_free(low);
  isl_val_free(high);
  return within;
}

bool value_fits(struct symbols *symbols, const struct value *value, isl_set *domain,
                const struct ir_type *type)
{
  isl_ctx *ctx = symbols->ctx;
  unsigned bits = type->kind == IR_TYPE_BOOL          ? 1
                  : type->size > 0 && type->size <= 8 ? (unsigned)type->size * 8
                                                      : 0;

  if (!bits) return false;
  isl_val *range = isl_val_2exp(isl_val_int_from_ui(ctx, type->is_signed ? bits - 1 : bits));
  isl_val *low = type->is_signed ? isl_val_neg(isl_val_copy(range)) : isl_val_zero(ctx);
  return value_within(symbols, value, domain, low, isl_val_sub_ui(range, 1));
}
