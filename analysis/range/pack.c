/* SPDX-License-Identifier: MIT */
/* pack.c - coordinates in which unused elements between the used ones take no room.
 *
 *     float *p:        p[4 * i + 1]            =>  (i, 1), strides 4, 1: 128 elements of 509
 *     float a[N][N]:   a[i][i]                 =>  (i, 0), strides N + 1, 1
 *                      a[2 * i][3 * k]         =>  (i, k, 0), strides 2 N, 3, 1
 *     float *p:        p[i / 8 * 64 + i % 8]   =>  (i / 8, i % 8), strides 64, 1
 *
 * The explicit-cache paper packs a subarray by its ranges (footnote 5). The array is taken as flat.
 * Let S be one of the distances between neighbouring threads or iterations. Then its index x is S *
 * q + r, q = floor(x / S), 0 <= r < S; or q is the nearest multiple, and r starts at -S / 2, for a
 * halo of -1. Every x has exactly one pair (q, r). The elements that a block uses have a box in
 * these coordinates like in any other.
 * Requires: indices of one affine form each. Produces: index, strides, valid. Gives up: a symbolic
 * stride, an index with an effect, or no expected gain: by the number of threads and iterations
 * that an index depends on, more than 3 of 5 elements of the box may be used.
 */
#include "analysis/range/candidate.h"
#include "runtime/seeded.h"

enum { MOST_STRIDES = 6 };

/* ---- the flat index ---- */

/* The elements of a row of dimension d; -1: not known. */
static int64_t row_elements(const struct array *array, unsigned d)
{
  int64_t elements = 1;

  for (unsigned k = d + 1; k < array->dim_count; k++)
    elements = array->extents[k] > 0 && elements > 0 && elements < INT32_MAX
                   ? elements * array->extents[k]
                   : -1;
  return elements;
}

/* The index of the access in the flat array. NULL: it has no affine form. */
static isl_pw_aff *flat_form(const struct array *array, const struct access *access)
{
  struct value sum = {0};

  for (unsigned d = 0; d < array->dim_count; d++) {
    int64_t row = row_elements(array, d);
    struct value part =
        row > 0 ? value_scale(value_copy(&access->index[d]), row) : (struct value){0};
    sum = d ? value_add(sum, part) : part;
  }
  if (sum.aff && !sum.term_count && !access->has_effects &&
      isl_pw_aff_isa_aff(sum.aff) == isl_bool_true)
    return sum.aff;
  value_free(&sum);
  return NULL;
}

/* ---- is there anything to gain? ---- */

bool candidate_saves(double bytes, uint64_t of) { return 5 * bytes <= 3 * (double)of; }

/* The number of values that the symbol takes in a block; 0: not known. */
static double values_of(const struct symbols *symbols, const struct symbol *symbol,
                        const struct access *access)
{
  if (symbol->kind == SYMBOL_BUILTIN && symbol->builtin < IR_BLOCK_IDX)
    return (double)symbols->facts->block[symbol->builtin];
  if (symbol->kind != SYMBOL_LOOP) return symbol_is_uniform(symbol) ? 1 : 0;
  for (const struct nest_level *level = access->nest; level; level = level->outer)
    if (level->symbol == symbol) return level->trips ? 0 : level->count;
  return 0;
}

/* The greatest number of elements that the access can name in a block; 0: not known. */
static double elements_of(const struct symbols *symbols, const struct access *access,
                          isl_pw_aff *form)
{
  isl_space *space = isl_pw_aff_get_domain_space(form);
  double elements = 1;

  for (int i = 0; i < isl_space_dim(space, isl_dim_param); i++) {
    struct symbol *symbol = symbol_of_param(space, (unsigned)i);
    if (isl_pw_aff_involves_param_id(form, symbol->id) == isl_bool_true)
      elements *= values_of(symbols, symbol, access);
  }
  isl_space_free(space);
  return elements;
}

/* ---- strides ---- */

struct strides {
  int64_t items[MOST_STRIDES]; /* descending */
  unsigned count;
  bool any;
  int64_t constant; /* of the first form */
  int64_t common;   /* the common divisor of the differences between all forms' constants; 0: they
                     * are equal */
};

static int64_t greatest_divisor(int64_t a, int64_t b)
{
  for (int64_t rest; b; b = rest) {
    rest = a % b;
    a = b;
  }
  return a < 0 ? -a : a;
}

static void add_stride(struct strides *strides, int64_t stride)
{
  unsigned at = 0;

  if (stride < 2 || stride >= INT32_MAX) return;
  while (at < strides->count && strides->items[at] > stride) at++;
  if (at < strides->count && strides->items[at] == stride) return;
  if (strides->count < MOST_STRIDES) strides->count++;
  for (unsigned i = strides->count - 1; i > at; i--) strides->items[i] = strides->items[i - 1];
  if (at < strides->count) strides->items[at] = stride;
}

static int64_t coefficient(isl_aff *aff, enum isl_dim_type type, int i)
{
  isl_val *val = isl_val_abs(isl_aff_get_coefficient_val(aff, type, i));
  int64_t ret = isl_val_is_int(val) == isl_bool_true && isl_val_cmp_si(val, INT32_MAX) < 0
                    ? isl_val_get_num_si(val)
                    : 0;

  isl_val_free(val);
  return ret;
}

/* Adds a stride for i / 8 * 64 + i % 8, which is 56 * floor(i / 8) + i: 56 + 8. */
static void add_quotient(isl_aff *aff, int i, struct strides *strides)
{
  isl_aff *div = isl_aff_get_div(aff, i);
  isl_val *by = isl_aff_get_denominator_val(div);
  int64_t step = coefficient(aff, isl_dim_div, i),
          size = isl_val_cmp_si(by, INT32_MAX) < 0 ? isl_val_get_num_si(by) : 0;

  for (int k = 0; k < isl_aff_dim(aff, isl_dim_param); k++)
    if (coefficient(aff, isl_dim_param, k) && isl_aff_involves_dims(div, isl_dim_param, k, 1))
      add_stride(strides, step + size * coefficient(aff, isl_dim_param, k));
  add_stride(strides, step);
  isl_val_free(by);
  isl_aff_free(div);
}

/* Adds a stride for 6 * i + 1 and 6 * i + 4: 3, too. */
static void add_difference(isl_aff *aff, struct strides *strides)
{
  isl_val *val = isl_aff_get_constant_val(aff);
  bool known = isl_val_is_int(val) == isl_bool_true && isl_val_cmp_si(val, INT32_MAX) < 0 &&
               isl_val_cmp_si(val, -INT32_MAX) > 0;
  int64_t constant = known ? isl_val_get_num_si(val) : 0;

  isl_val_free(val);
  if (!strides->any) strides->constant = constant;
  strides->any = true;
  strides->common = greatest_divisor(strides->common, constant - strides->constant);
}

static void add_strides(isl_pw_aff *form, struct strides *strides)
{
  isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(form));
  isl_space *space = isl_aff_get_domain_space(aff);

  for (int i = 0; i < isl_aff_dim(aff, isl_dim_param); i++)
    if (!symbol_is_uniform(symbol_of_param(space, (unsigned)i)))
      add_stride(strides, coefficient(aff, isl_dim_param, i));
  for (int i = 0; i < isl_aff_dim(aff, isl_dim_div); i++) add_quotient(aff, i, strides);
  add_difference(aff, strides);
  isl_space_free(space);
  isl_aff_free(aff);
}

static bool same_form(const struct array *array, unsigned i, isl_pw_aff *form)
{
  isl_pw_aff *other = flat_form(array, &array->accesses.items[i]);
  bool same = other && isl_pw_aff_plain_is_equal(other, form) == isl_bool_true;

  isl_pw_aff_free(other);
  return same;
}

/* The greatest number of elements that a block uses; 0: not known. */
static double elements_used(struct symbols *symbols, const struct array *array,
                            struct strides *strides)
{
  double sum = 0;

  for (unsigned i = 0; i < array->accesses.count; i++) {
    const struct access *access = &array->accesses.items[i];
    isl_pw_aff *form = flat_form(array, access);
    double some = form ? elements_of(symbols, access, form) : 0;
    bool seen = false;
    for (unsigned k = 0; k < i && some && !seen; k++) seen = same_form(array, k, form);
    if (some && !seen) add_strides(form, strides);
    isl_pw_aff_free(form);
    if (!some) return 0;
    sum += seen ? 0 : some;
  }
  for (unsigned i = strides->count; strides->common && i > 0; i--)
    add_stride(strides, greatest_divisor(strides->items[i - 1], strides->common));
  return sum;
}

static void add_packing(struct packing packing, struct packing *ret, unsigned *count)
{
  if (*count < MOST_PACKINGS) ret[(*count)++] = packing;
}

unsigned candidate_packings(struct symbols *symbols, const struct array *array, uint64_t bytes,
                            struct packing ret[MOST_PACKINGS])
{
  struct strides strides = {0};
  double elements = elements_used(symbols, array, &strides);
  unsigned count = 0;

  if (!elements || !candidate_saves(elements * (double)array->element->size, bytes)) return 0;
  for (unsigned i = 0; i < strides.count; i++) {
    for (unsigned nearest = 0; nearest < 2; nearest++)
      add_packing((struct packing){{strides.items[i]}, 1, nearest}, ret, &count);
    for (unsigned k = i + 1; k < strides.count; k++)
      if (strides.items[i] % strides.items[k] == 0)
        add_packing((struct packing){{strides.items[i], strides.items[k]}, 2, false}, ret, &count);
  }
  return count;
}

/* ---- coordinates ---- */

/* The least remainder for the only stride. */
static int64_t first_of(const struct packing *packing)
{
  return packing->nearest ? -((packing->strides[0] - 1) / 2) : 0;
}

void candidate_pack(struct symbols *symbols, struct candidate *c, const struct packing *packing)
{
  unsigned dims = packing->count + 1;

  c->dim_count = dims;
  c->is_flat = true;
  c->index = arena_alloc(symbols->arena, (c->array->accesses.count * dims + 1) * sizeof *c->index);
  for (unsigned d = 0; d < dims; d++)
    c->strides[d] = (struct stride){d + 1 < dims ? packing->strides[d] : 1, {NULL}};
  c->first[1] = first_of(packing);
  for (unsigned i = 0; i < c->array->accesses.count; i++) {
    struct value rest = value_take(flat_form(c->array, &c->array->accesses.items[i]));
    for (unsigned d = 0; d + 1 < dims; d++) {
      int64_t stride = packing->strides[d] + SEEDED(PACKED_STRIDE);
      struct value half = value_take(symbols_constant(symbols, -first_of(packing)));
      struct value quotient = value_floor_div(value_add(value_copy(&rest), half), stride);
      rest = value_sub(rest, value_scale(value_copy(&quotient), stride));
      c->index[i * dims + d] = quotient.aff;
    }
    c->index[i * dims + dims - 1] = rest.aff;
  }
  candidate_valid(symbols, c);
}
