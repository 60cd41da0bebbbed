/* SPDX-License-Identifier: MIT */
/* shape.c - the coordinates in which an array is staged.
 *
 *     int a[][N]:       a[i][j]         =>  (i, j)
 *     float *p:         p[i * n + j]    =>  (i, j) with strides n, 1,
 *         if 0 <= j < n wherever it is accessed
 *     float *p:         p[r * n * m + i * m + j]
 *                                       =>  (r, i, j), or (n, i, j) with strides r * m, m, 1
 *     float *p:         p[i * 1024 + j] =>  (i, j) with strides 1024, 1, likewise
 *     float *p:         p[k * 65536 + i * 1024 + j] =>  (k, i, j), where i < 64, too
 *     float *p:         p[h * s + i * n + j], h * s the same for all threads of a block
 *                                       =>  (h * s, i, j) with strides 1, n, 1, if may_shift
 *     float *p:         p[e]            =>  (e)
 *
 * Requires: accesses. Produces: index, strides, valid. Gives up (the array stays flat) if the
 * condition is not proved.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/range/candidate.h"
#include "analysis/sets/stride.h"
#include "runtime/seeded.h"

enum { SMALLEST_STRIDE = 8, MOST_STRIDES = 4 };

void candidate_reject(struct candidate *c, const struct ir_place *place, const char *reason)
{
  if (c->reject) return;
  c->reject = reason;
  c->place = *place;
}

static struct access *access_at(struct candidate *c, unsigned i)
{
  return &c->array->accesses.items[i];
}

static void alloc_index(struct symbols *symbols, struct candidate *c, unsigned dims)
{
  c->dim_count = dims;
  c->index = arena_alloc(symbols->arena, (c->array->accesses.count * dims + 1) * sizeof *c->index);
}

static void free_index(struct candidate *c)
{
  for (unsigned i = 0; c->index && i < c->array->accesses.count * c->dim_count; i++)
    c->index[i] = isl_pw_aff_free(c->index[i]);
}

static isl_pw_aff *any_value(struct symbols *symbols)
{
  isl_val *limit = isl_val_2exp(isl_val_int_from_ui(symbols->ctx, 62));
  struct symbol *symbol = symbol_new_unknown(symbols, isl_val_neg(isl_val_copy(limit)), limit);
  return symbol_aff(symbols, symbol);
}

static isl_pw_aff *flat_index(struct symbols *symbols, const struct value *value)
{
  struct value flat = value_flatten(symbols, value_copy(value));
  return flat.aff ? flat.aff : any_value(symbols);
}

static void shape_declared(struct symbols *symbols, struct candidate *c)
{
  alloc_index(symbols, c, c->array->dim_count);
  for (unsigned i = 0; i < c->array->accesses.count; i++)
    for (unsigned d = 0; d < c->dim_count; d++)
      c->index[i * c->dim_count + d] = flat_index(symbols, &access_at(c, i)->index[d]);
}

/* Is 0 <= aff < limit at every execution of the access? */
static bool in_row(struct symbols *symbols, struct access *access, isl_pw_aff *aff,
                   isl_pw_aff *limit)
{
  isl_set *bad =
      isl_set_union(isl_pw_aff_lt_set(isl_pw_aff_copy(aff), symbols_constant(symbols, 0)),
                    isl_pw_aff_ge_set(isl_pw_aff_copy(aff), isl_pw_aff_copy(limit)));
  bad = symbols_close(symbols, isl_set_intersect(bad, isl_set_copy(access->domain)));
  bool proved = isl_set_is_empty(bad) == isl_bool_true;
  isl_set_free(bad);
  return proved;
}

/* ---- symbolic strides ---- */

static const struct value *value_at(const struct candidate *c, unsigned i)
{
  return c->values_of ? &c->values_of[i] : &c->array->accesses.items[i].index[0];
}

static int by_factors(const void *a, const void *b)
{
  const struct stride *x = a, *y = b;
  return (int)stride_count(y->symbol) - (int)stride_count(x->symbol);
}

/* The strides of all accesses, largest first: n * m, m. False: they do not nest. */
static bool collect_strides(struct symbols *symbols, struct candidate *c, struct stride *strides,
                            unsigned *ret_count)
{
  unsigned count = 0;

  for (unsigned i = 0; i < c->array->accesses.count; i++) {
    const struct value *value = value_at(c, i);
    for (unsigned t = 0; t < value->term_count; t++) {
      struct symbol *const *symbol = value->terms[t].stride;
      unsigned s = 0;
      while (s < count && !stride_same(strides[s].symbol, symbol)) s++;
      if (s < count) continue;
      if (count == MOST_STRIDES) return false;
      strides[count].constant = 1;
      stride_copy(strides[count++].symbol, symbol);
    }
  }
  qsort(strides, count, sizeof *strides, by_factors);
  for (unsigned s = 1; s < count; s++) {
    struct symbol *extent[STRIDE_FACTORS];
    if (!stride_quotient(strides[s - 1].symbol, strides[s].symbol, extent) || !extent[0] ||
        !symbol_of_factors(symbols, extent))
      return false;
  }
  *ret_count = count;
  return count > 0;
}

static isl_pw_aff *coefficient_of(struct symbols *symbols, const struct value *value,
                                  const struct stride *stride)
{
  for (unsigned t = 0; t < value->term_count; t++)
    if (stride_same(value->terms[t].stride, stride->symbol))
      return isl_pw_aff_copy(value->terms[t].coefficient);
  return symbols_constant(symbols, 0);
}

/* The extent of dimension d > 0: stride[d - 1] / stride[d]. */
isl_pw_aff *candidate_extent(struct symbols *symbols, const struct candidate *c, unsigned d)
{
  const struct stride *outer = &c->strides[d - 1], *inner = &c->strides[d];

  if (!outer->symbol[0]) return symbols_constant(symbols, outer->constant / inner->constant);
  struct symbol *factors[STRIDE_FACTORS];
  stride_quotient(outer->symbol, inner->symbol, factors);
  const struct symbol *extent = symbol_of_factors(symbols, factors);
  return extent ? symbol_aff(symbols, extent) : NULL; /* NULL: the steps have ended */
}

/* Takes `sign` whole rows of access i from coordinate d to the coordinate in front of it: element
 * -1 - k of row r + 1 is element n - 1 - k of row r. Takes `moved`, which the coordinate becomes.
 */
static void take_rows(struct symbols *symbols, struct candidate *c, unsigned i, unsigned d,
                      isl_pw_aff *moved, int sign)
{
  isl_pw_aff **index = &c->index[i * c->dim_count + d];

  isl_pw_aff_free(index[0]);
  index[0] = moved;
  if (!SEEDED(ROW_NOT_MOVED))
    index[-1] = isl_pw_aff_add(index[-1], symbols_constant(symbols, sign));
}

static isl_pw_aff *moved_by(struct symbols *symbols, const struct candidate *c, unsigned i,
                            unsigned d, isl_pw_aff *extent, int sign)
{
  return isl_pw_aff_sub(
      isl_pw_aff_copy(c->index[i * c->dim_count + d]),
      isl_pw_aff_scale_val(isl_pw_aff_copy(extent), isl_val_int_from_si(symbols->ctx, sign)));
}

/* False: the access would be in no row, either; then nothing changes. */
static bool move_rows(struct symbols *symbols, struct candidate *c, unsigned i, unsigned d,
                      isl_pw_aff *extent, int sign)
{
  isl_pw_aff *moved = moved_by(symbols, c, i, d, extent, sign);
  bool proved = in_row(symbols, access_at(c, i), moved, extent);

  if (proved)
    take_rows(symbols, c, i, d, moved, sign);
  else
    isl_pw_aff_free(moved);
  return proved;
}

/* Is every coordinate but the first within its extent at every access? An access may be that of a
 * neighbouring row by another name. */
static bool rows_proved(struct symbols *symbols, struct candidate *c)
{
  bool proved = true;

  for (unsigned d = c->dim_count; d-- > 1 && proved && !c->shifted;) {
    isl_pw_aff *extent = candidate_extent(symbols, c, d);
    for (unsigned i = 0; i < c->array->accesses.count && proved; i++)
      proved = SEEDED(ROWS_NOT_PROVED) ||
               in_row(symbols, access_at(c, i), c->index[i * c->dim_count + d], extent) ||
               move_rows(symbols, c, i, d, extent, -1) || move_rows(symbols, c, i, d, extent, 1);
    isl_pw_aff_free(extent);
  }
  return proved;
}

static bool shape_by_strides(struct symbols *symbols, struct candidate *c)
{
  unsigned count;

  if (!collect_strides(symbols, c, c->strides, &count)) return false;
  c->strides[count] = (struct stride){1, {NULL}};
  alloc_index(symbols, c, count + 1);
  for (unsigned i = 0; i < c->array->accesses.count; i++) {
    const struct value *value = value_at(c, i);
    for (unsigned d = 0; d < count; d++)
      c->index[i * c->dim_count + d] = coefficient_of(symbols, value, &c->strides[d]);
    c->index[i * c->dim_count + count] =
        value->aff ? isl_pw_aff_copy(value->aff) : any_value(symbols);
  }
  if (rows_proved(symbols, c)) {
    c->is_flat = true;
    return true;
  }
  free_index(c);
  return false;
}

/* The k-th symbol of the term's stride becomes its coefficient. False: that is no symbol. */
static bool exchange(struct symbols *symbols, struct value_term *term, unsigned k)
{
  struct symbol *row = symbol_of_uniform(symbols, term->coefficient), *other = term->stride[1 - k];

  if (!row || row->of_block || stride_has(term->stride, row) || term->stride[2]) return false;
  isl_pw_aff_free(term->coefficient);
  term->coefficient = symbol_aff(symbols, term->stride[k]);
  term->stride[0] = row->index < other->index ? row : other;
  term->stride[1] = row->index < other->index ? other : row;
  return true;
}

/* A term r * n * m is layer r of n rows, and layer n of r rows. */
static bool shape_exchanged(struct symbols *symbols, struct candidate *c, unsigned k)
{
  unsigned count = c->array->accesses.count;
  struct value *values = arena_alloc(symbols->arena, (count + 1) * sizeof *values);
  bool works = true, any = false;

  for (unsigned i = 0; i < count; i++) {
    values[i] = value_copy(&access_at(c, i)->index[0]);
    for (unsigned t = 0; t < values[i].term_count && works; t++)
      if (values[i].terms[t].stride[1]) any = works = exchange(symbols, &values[i].terms[t], k);
  }
  c->values_of = values;
  works = works && any && shape_by_strides(symbols, c);
  c->values_of = NULL;
  for (unsigned i = 0; i < count; i++) value_free(&values[i]);
  return works;
}

static bool shape_symbolic(struct symbols *symbols, struct candidate *c)
{
  return shape_by_strides(symbols, c) || shape_exchanged(symbols, c, 0) ||
         shape_exchanged(symbols, c, 1);
}

/* ---- constant strides ---- */

/* value = quotient * stride + remainder, by coefficients; NULL: the form has several pieces or
 * divisions. */
static bool split(isl_pw_aff *form, int64_t stride, isl_pw_aff **ret_quotient,
                  isl_pw_aff **ret_remainder)
{
  if (isl_pw_aff_isa_aff(form) != isl_bool_true) return false;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  if (isl_aff_dim(aff, isl_dim_div) > 0) {
    isl_aff_free(aff);
    return false;
  }
  isl_ctx *ctx = isl_aff_get_ctx(aff);
  isl_aff *quotient = isl_aff_sub(isl_aff_copy(aff), isl_aff_copy(aff));
  for (int i = -1; i < isl_aff_dim(aff, isl_dim_param); i++) {
    isl_val *val =
        i < 0 ? isl_aff_get_constant_val(aff) : isl_aff_get_coefficient_val(aff, isl_dim_param, i);
    /* The nearest multiple, so that a halo of -1 stays in its row. Half a row (of blocks) belongs
     * to the row that it begins in. */
    isl_val *part = isl_val_floor(
        isl_val_div(isl_val_add(isl_val_copy(val), isl_val_int_from_si(ctx, (stride - 1) / 2)),
                    isl_val_int_from_si(ctx, stride)));
    isl_val_free(val);
    if (i < 0)
      quotient = isl_aff_add_constant_val(quotient, part);
    else
      quotient = isl_aff_add_coefficient_val(quotient, isl_dim_param, i, part);
  }
  isl_aff *scaled = isl_aff_scale_val(isl_aff_copy(quotient), isl_val_int_from_si(ctx, stride));
  *ret_remainder = isl_pw_aff_from_aff(isl_aff_sub(aff, scaled));
  *ret_quotient = isl_pw_aff_from_aff(quotient);
  return true;
}

static int compare_down(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* The coefficients of threads and loops in `form` that may be strides. */
static unsigned stride_choices(isl_pw_aff *form, int64_t *choices, unsigned most)
{
  unsigned count = 0;

  if (isl_pw_aff_isa_aff(form) != isl_bool_true) return 0;
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param) && count < most; i++) {
    isl_space *space = isl_aff_get_domain_space(aff);
    bool uniform = symbol_is_uniform(symbol_of_param(space, (unsigned)i));
    isl_space_free(space);
    if (uniform) continue;
    isl_val *val = isl_val_abs(isl_aff_get_coefficient_val(aff, isl_dim_param, i));
    if (isl_val_is_int(val) == isl_bool_true && isl_val_cmp_si(val, SMALLEST_STRIDE) >= 0 &&
        isl_val_cmp_si(val, INT32_MAX) < 0)
      choices[count++] = isl_val_get_num_si(val);
    isl_val_free(val);
  }
  isl_aff_free(aff);
  qsort(choices, count, sizeof *choices, compare_down);
  return count;
}

/* index = sum of index[d] * strides[d], the coordinates by `count` strides in turn. */
static bool split_access(struct candidate *c, unsigned i, const int64_t *strides, unsigned count)
{
  isl_pw_aff **index = &c->index[i * c->dim_count], *rest = NULL;
  bool works = true;

  for (unsigned d = 0; d < count && works; d++) {
    isl_pw_aff *form = d ? rest : isl_pw_aff_copy(value_at(c, i)->aff);
    works = split(form, strides[d], &index[d], &rest);
    isl_pw_aff_free(form);
  }
  if (works) index[count] = rest;
  return works;
}

/* Splits by `count` strides and a last one of 1. */
static void split_all(struct symbols *symbols, struct candidate *c, const int64_t *strides,
                      unsigned count, bool *ret_works)
{
  alloc_index(symbols, c, count + 1);
  for (unsigned d = 0; d < count; d++) c->strides[d] = (struct stride){strides[d], {NULL}};
  c->strides[count] = (struct stride){1, {NULL}};
  *ret_works = true;
  for (unsigned i = 0; i < c->array->accesses.count && *ret_works; i++)
    *ret_works = split_access(c, i, strides, count);
}

static bool split_proved(struct symbols *symbols, struct candidate *c, const int64_t *strides,
                         unsigned count)
{
  bool works;

  split_all(symbols, c, strides, count, &works);
  c->is_flat = works && rows_proved(symbols, c);
  if (!c->is_flat) free_index(c);
  return c->is_flat;
}

/* Splits into layers of rows, where a smaller stride divides the layer; else into rows, by the
 * stride that works. */
static bool split_nested(struct symbols *symbols, struct candidate *c, const int64_t *choices,
                         unsigned count)
{
  for (unsigned i = 1; i < count; i++) {
    int64_t strides[] = {choices[0], choices[i]};
    if (choices[i] != choices[i - 1] && choices[0] % choices[i] == 0 &&
        split_proved(symbols, c, strides, 2))
      return true;
  }
  return split_proved(symbols, c, choices, 1);
}

static bool shape_constant(struct symbols *symbols, struct candidate *c)
{
  int64_t choices[8];

  for (unsigned i = 0; i < c->array->accesses.count; i++)
    if (!value_at(c, i)->aff || value_at(c, i)->term_count) return false;
  unsigned count = stride_choices(value_at(c, 0)->aff, choices, 8);
  for (unsigned i = 0; i < count; i++)
    if ((!i || choices[i] != choices[i - 1]) && split_nested(symbols, c, choices + i, count - i))
      return true;
  return false;
}

/* ---- rows that begin where the block says ---- */

/* Puts the begin of the rows in front of the other coordinates. Takes `begin`. */
static void prepend(struct symbols *symbols, struct candidate *c, isl_pw_aff *begin)
{
  unsigned dims = c->dim_count;
  isl_pw_aff **index = c->index;

  memmove(&c->strides[1], &c->strides[0], dims * sizeof c->strides[0]);
  c->strides[0] = (struct stride){1, {NULL}};
  alloc_index(symbols, c, dims + 1);
  for (unsigned i = 0; i < c->array->accesses.count; i++) {
    c->index[i * (dims + 1)] = isl_pw_aff_copy(begin);
    memcpy(&c->index[i * (dims + 1) + 1], &index[i * dims], dims * sizeof *index);
  }
  isl_pw_aff_free(begin);
}

/* An index that the block's threads count from a common begin. Its rows need no length: nothing is
 * written, and each access finds its element in the copy by the same two numbers as the copy's
 * load. */
static bool shape_shifted(struct symbols *symbols, struct candidate *c, bool split_constants)
{
  unsigned count = c->array->accesses.count;
  bool works = false;

  if (!c->may_shift || c->array->written || !count) return false;
  struct value *values = arena_alloc(symbols->arena, (count + 1) * sizeof *values);
  for (unsigned i = 0; i < count; i++) values[i] = value_copy(&access_at(c, i)->index[0]);
  isl_pw_aff *begin = candidate_take_begin(symbols, values, count);
  c->values_of = values;
  c->shifted = true;
  if (begin)
    works = shape_by_strides(symbols, c) || (split_constants && shape_constant(symbols, c));
  c->values_of = NULL;
  for (unsigned i = 0; i < count; i++) value_free(&values[i]);
  c->shifted = works;
  if (works)
    prepend(symbols, c, begin);
  else
    isl_pw_aff_free(begin);
  return works;
}

/* ---- rows that are not proved ---- */

/* Is the coordinate below 0 at every execution of the access? */
static bool is_below(struct symbols *symbols, struct access *access, isl_pw_aff *index)
{
  isl_set *other = isl_pw_aff_ge_set(isl_pw_aff_copy(index), symbols_constant(symbols, 0));
  other = symbols_close(symbols, isl_set_intersect(other, isl_set_copy(access->domain)));
  bool below = isl_set_is_empty(other) == isl_bool_true;
  isl_set_free(other);
  return below;
}

/* Rows that are walked from their end: a column that is never 0 or more is one of the row before.
 */
static void settle_rows(struct symbols *symbols, struct candidate *c)
{
  for (unsigned d = c->dim_count; d-- > 1;) {
    isl_pw_aff *extent = candidate_extent(symbols, c, d);
    for (unsigned i = 0; i < c->array->accesses.count; i++)
      if (is_below(symbols, access_at(c, i), c->index[i * c->dim_count + d]))
        take_rows(symbols, c, i, d, moved_by(symbols, c, i, d, extent, -1), -1);
    isl_pw_aff_free(extent);
  }
}

/* The set where a coordinate leaves its extent, closed. */
static isl_set *outside_rows(struct symbols *symbols, struct candidate *c)
{
  isl_set *all = NULL;

  settle_rows(symbols, c);
  for (unsigned d = 1; d < c->dim_count; d++) {
    isl_pw_aff *extent = candidate_extent(symbols, c, d);
    for (unsigned i = 0; i < c->array->accesses.count; i++) {
      isl_pw_aff *index = c->index[i * c->dim_count + d];
      isl_set *bad =
          isl_set_union(isl_pw_aff_lt_set(isl_pw_aff_copy(index), symbols_constant(symbols, 0)),
                        isl_pw_aff_ge_set(isl_pw_aff_copy(index), isl_pw_aff_copy(extent)));
      bad = symbols_close(symbols, isl_set_intersect(bad, isl_set_copy(access_at(c, i)->domain)));
      all = all ? isl_set_union(all, bad) : bad;
    }
    isl_pw_aff_free(extent);
  }
  free_index(c);
  return all;
}

static bool all_known(struct candidate *c)
{
  for (unsigned i = 0; i < c->array->accesses.count; i++)
    if (!access_at(c, i)->index[0].aff) return false;
  return c->array->accesses.count > 0;
}

static isl_set *missing_symbolic(struct symbols *symbols, struct candidate *c)
{
  unsigned count;

  if (!collect_strides(symbols, c, c->strides, &count)) return NULL;
  c->strides[count] = (struct stride){1, {NULL}};
  alloc_index(symbols, c, count + 1);
  for (unsigned i = 0; i < c->array->accesses.count; i++) {
    const struct value *value = &access_at(c, i)->index[0];
    for (unsigned d = 0; d < count; d++)
      c->index[i * c->dim_count + d] = coefficient_of(symbols, value, &c->strides[d]);
    c->index[i * c->dim_count + count] = isl_pw_aff_copy(value->aff);
  }
  return outside_rows(symbols, c);
}

static isl_set *missing_constant(struct symbols *symbols, struct candidate *c)
{
  int64_t choices[8];
  bool works;

  for (unsigned i = 0; i < c->array->accesses.count; i++)
    if (access_at(c, i)->index[0].term_count) return NULL;
  if (!stride_choices(access_at(c, 0)->index[0].aff, choices, 8)) return NULL;
  split_all(symbols, c, choices, 1, &works);
  if (works) return outside_rows(symbols, c);
  free_index(c);
  return NULL;
}

isl_set *candidate_missing(struct symbols *symbols, struct array *array)
{
  struct candidate c = {.array = array};
  isl_set *missing = NULL;

  if (array->dim_count != 1 || !all_known(&c)) return NULL;
  missing = missing_symbolic(symbols, &c);
  if (!missing) missing = missing_constant(symbols, &c);
  if (missing && isl_set_is_empty(missing) != isl_bool_false) missing = isl_set_free(missing);
  return missing;
}

/* If all quantities are known, or a pointer is stepped: may an access be outside `valid`? Then the
 * kernel crosses rows on purpose. An index of a row, a[i][k], does not do that: C++ forbids it. */
static bool leaves_rows(struct symbols *symbols, struct candidate *c)
{
  bool leaves = false;

  for (unsigned i = 0; i < c->array->accesses.count && !leaves; i++) {
    struct access *access = access_at(c, i);
    for (unsigned d = 1; d < c->dim_count && !leaves && access->must; d++) {
      isl_pw_aff *limit = symbols_constant(symbols, c->array->extents[d]),
                 *index = c->index[i * c->dim_count + d];
      isl_set *bad =
          isl_set_union(isl_pw_aff_lt_set(isl_pw_aff_copy(index), symbols_constant(symbols, 0)),
                        isl_pw_aff_ge_set(isl_pw_aff_copy(index), limit));
      bad = symbols_close(symbols, isl_set_intersect(bad, isl_set_copy(access->domain)));
      isl_space *space = isl_set_get_space(bad);
      bool constant = true;
      for (int p = 0; p < isl_space_dim(space, isl_dim_param); p++) {
        struct symbol *symbol = symbol_of_param(space, (unsigned)p);
        constant &= symbol->kind == SYMBOL_LOOP ||
                    (symbol->kind == SYMBOL_BUILTIN && symbol->builtin < IR_BLOCK_DIM);
      }
      isl_space_free(space);
      leaves = (constant || access->stepped) && isl_set_is_empty(bad) == isl_bool_false;
      isl_set_free(bad);
    }
  }
  return leaves;
}

void candidate_shape(struct symbols *symbols, struct candidate *c, bool split_constants)
{
  bool one = c->array->dim_count == 1;

  if (!one || !(shape_symbolic(symbols, c) || (split_constants && shape_constant(symbols, c)) ||
                shape_shifted(symbols, c, split_constants)))
    shape_declared(symbols, c);
  if (!one && !SEEDED(ROW_LEFT) && leaves_rows(symbols, c))
    candidate_reject(c, &access_at(c, 0)->place, "an index runs out of its dimension");
  candidate_valid(symbols, c);
}
