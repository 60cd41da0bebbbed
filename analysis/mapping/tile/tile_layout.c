/* SPDX-License-Identifier: MIT */
/* tile_layout.c - the layout of a tile's copy in shared memory, and the number of elements that are
 * copied at once.
 *
 *     a[row][k], threads along x and y, k from the loop
 *         =>     order k, row: the rows of a thread lie side by side; padded
 *     b[k][col], col = 128 blockIdx.x + ...
 *         =>     order k, col; 16 bytes at once, when rows are multiples of them
 *
 * Copies of 16 bytes need an aligned base, rows and offsets that are multiples, and elements that
 * may be read all or none: bounds that are multiples. Facts prove that, or it is assumed
 * (precondition.h). Requires: a candidate with its box.
 */
#include "analysis/code/precondition.h"
#include "runtime/seeded.h"
#include "analysis/mapping/tile/tile.h"
#include "analysis/code/alignment.h"

#include <isl/constraint.h>

/* Does the index of dimension d change from thread to thread along the axis? */
static bool moves_with(struct code *scan, const struct candidate *c, unsigned d,
                       enum ir_builtin thread)
{
  struct symbol *symbol = symbol_of_builtin(&scan->symbols, thread);
  bool moves = false;

  for (unsigned i = 0; i < c->array->accesses.count; i++)
    moves |=
        isl_pw_aff_involves_param_id(c->index[i * c->dim_count + d], symbol->id) == isl_bool_true;
  return moves;
}

/* The dimension that x, else y, runs along. UINT32_MAX: none. */
static unsigned moving_dim(struct code *scan, const struct geometry *geometry,
                           const struct candidate *c)
{
  unsigned moving = UINT32_MAX;

  for (int axis = 1; axis >= 0; axis--)
    for (unsigned d = 0; d < c->dim_count; d++)
      if (geometry->block[axis] > 1 && moves_with(scan, c, d, IR_THREAD_IDX + axis)) moving = d;
  return moving;
}

/* Chooses the order of dimensions. The moving one comes last, so that a thread's instances lie side
 * by side. A streamed array keeps its order, for wide copies; so do fragments, whose elements are
 * apart. *own_rows: threads read rows of their own. */
static void choose_order(const struct geometry *geometry, const struct candidate *c,
                         unsigned moving, struct tile_array *out, bool *own_rows)
{
  unsigned last = c->dim_count - 1, count = 0;

  *own_rows = out->streamed && moving != last;
  if (out->streamed || geometry->fragments || moving == UINT32_MAX) moving = last;
  for (unsigned d = 0; d < c->dim_count; d++)
    if (d != moving) out->order[count++] = d;
  out->order[count] = moving;
}

/* The requests to a bank, for the bank with the most, to read a fragment: lane l reads place l / 4
 * of the moving dimension, l % 4 of the other. Elements of 8 bytes go by halves of a warp. */
static unsigned fragment_requests(int64_t size, int64_t moving, int64_t other)
{
  unsigned lanes = size > 4 ? 16 : 32, requests = 0;

  for (unsigned first = 0; first < 32; first += lanes) {
    unsigned banks[32] = {0}, most = 0;
    for (unsigned lane = first; lane < first + lanes; lane++) {
      unsigned bank = (unsigned)((lane / 4 * moving + lane % 4 * other) % lanes);
      most = ++banks[bank] > most ? banks[bank] : most;
    }
    requests += most;
  }
  return requests;
}

/* The least padding for which lanes that read a fragment have as few bank conflicts as possible. */
static int64_t fragment_pad(const struct candidate *c, unsigned moving, unsigned vector)
{
  unsigned last = c->dim_count - 1, other = last, least = UINT32_MAX;
  int64_t best = 0;

  for (unsigned d = 0; d < c->dim_count; d++)
    if (d != moving && c->size[d] > 1) other = d;
  for (int64_t pad = 0; pad <= 16; pad += vector) {
    int64_t steps[2] = {1, 1};
    for (unsigned d = last; d > 0; d--) {
      int64_t row = c->size[d] + (d == last ? pad : 0);
      steps[0] *= moving < d ? row : 1;
      steps[1] *= other < d ? row : 1;
    }
    unsigned requests = fragment_requests(c->array->element->size, steps[0], steps[1]);
    if (requests < least) {
      least = requests;
      best = pad;
    }
  }
  return best;
}

/* The padding. Threads that read their own rows have no bank conflict if a row is an odd number of
 * copies long. */
static int64_t pad_of(const struct geometry *geometry, const struct candidate *c, unsigned moving,
                      bool own_rows, const struct tile_array *out)
{
  unsigned last = c->dim_count - 1;

  if (geometry->fragments && moving != UINT32_MAX) return fragment_pad(c, moving, out->vector);
  if (out->order[last] != last)
    return c->array->element->size < 16 ? 16 / c->array->element->size : 1;
  return own_rows && c->size[last] / out->vector % 2 == 0 ? out->vector : 0;
}

static void pad_rows(const struct candidate *c, int64_t pad, bool two, struct tile_array *out)
{
  unsigned last = c->dim_count - 1;
  uint64_t elements = 1;

  out->pad = pad;
  for (unsigned i = 0; i < c->dim_count; i++)
    elements *= (uint64_t)(c->size[out->order[i]] + (i == last ? out->pad : 0));
  out->bytes = (two ? 2 : 1) * elements * (uint64_t)c->array->element->size;
}

/* Is a row of dimension d, the last but one or further out, a multiple of `of` elements? */
static bool row_is_multiple(struct code *scan, const struct candidate *c, unsigned d, int64_t of)
{
  const struct stride *stride = &c->strides[d];
  int64_t row = c->is_flat ? stride->constant : c->array->extents[d + 1];

  if (row > 0 && row % of == 0) return true;
  if (!c->is_flat || !stride->symbol[0]) return false;
  return stride_is_multiple(scan, stride->symbol, of);
}

/* ---- guards of several elements ---- */

struct bound_search {
  struct code *scan;
  unsigned last; /* dimension */
  int64_t of;    /* elements at once, from their multiples on */
  bool failed;
};

/* Is `by`, or its symbolic factor, a multiple? Takes `by`. */
static bool multiple_of(struct bound_search *s, isl_val *by, const struct symbol *symbol)
{
  isl_val *of = isl_val_int_from_si(isl_val_get_ctx(by), s->of);
  bool is = isl_val_is_divisible_by(by, of) == isl_bool_true;

  isl_val_free(of);
  isl_val_free(by);
  return is || (symbol && symbol_is_multiple(s->scan, symbol, s->of));
}

/* d <= rest holds for all of the elements or for none, if rest + 1 is a multiple; d >= rest, if
 * rest is one. */
static isl_stat check_bound(isl_constraint *constraint, void *user)
{
  struct bound_search *s = user;
  isl_val *by = isl_constraint_get_coefficient_val(constraint, isl_dim_set, (int)s->last);
  bool upper = isl_val_is_negone(by) == isl_bool_true,
       involved = isl_val_is_zero(by) != isl_bool_true;
  bool fits =
      (upper || isl_val_is_one(by) == isl_bool_true) && !isl_constraint_is_equality(constraint);
  isl_val *rest = isl_constraint_get_constant_val(constraint);

  isl_val_free(by);
  if (upper) rest = isl_val_add_ui(rest, 1);
  fits &= multiple_of(s, rest, NULL);
  for (int i = 0; involved && fits && i < isl_constraint_dim(constraint, isl_dim_set); i++)
    fits = i == (int)s->last ||
           multiple_of(s, isl_constraint_get_coefficient_val(constraint, isl_dim_set, i), NULL);
  isl_space *space = isl_constraint_get_space(constraint);
  for (int i = 0; involved && fits && i < isl_constraint_dim(constraint, isl_dim_param); i++) {
    isl_val *coefficient = isl_constraint_get_coefficient_val(constraint, isl_dim_param, i);
    fits = isl_val_is_zero(coefficient) == isl_bool_true
               ? (isl_val_free(coefficient), true)
               : multiple_of(s, coefficient, symbol_of_param(space, (unsigned)i));
  }
  isl_space_free(space);
  isl_constraint_free(constraint);
  s->failed |= involved && !fits;
  return isl_stat_ok;
}

static isl_stat check_bounds(isl_basic_set *part, void *user)
{
  struct bound_search *s = user;

  s->failed |= isl_basic_set_dim(part, isl_dim_div) != 0 ||
               isl_basic_set_foreach_constraint(part, check_bound, s) != isl_stat_ok;
  isl_basic_set_free(part);
  return isl_stat_ok;
}

/* May the `of` elements be read all or none? */
static bool read_together(struct code *scan, const struct candidate *c, int64_t of)
{
  struct bound_search s = {scan, c->dim_count - 1, of, false};

  return !c->load_set ||
         (isl_set_foreach_basic_set(c->load_set, check_bounds, &s) == isl_stat_ok && !s.failed);
}

/* The number of elements of 4 or 8 bytes that can be copied 16 bytes at a time; 1 if that is
 * neither proved nor assumed. `guarded`: a copy may have a condition. */
static unsigned copy_vector(struct code *scan, const struct candidate *c, bool guarded)
{
  const struct array *array = c->array;
  unsigned last = c->dim_count - 1;
  int64_t size = array->element->size, per_vector = size == 4 ? 4 : size == 8 ? 2 : 1;
  bool plain = array->element->kind == IR_TYPE_FLOAT || array->element->kind == IR_TYPE_INT;

  if (per_vector == 1 || !plain || (c->load_set && !guarded) || c->size[last] % per_vector ||
      !form_is_multiple(scan, c->offset[last], per_vector) || !array_is_aligned(scan, array) ||
      !read_together(scan, c, per_vector))
    return 1;
  if (c->shifted && !form_is_multiple(scan, c->offset[0], per_vector)) return 1;
  for (unsigned d = c->shifted ? 1 : 0; d < last; d++)
    if (!row_is_multiple(scan, c, d, per_vector)) return 1;
  return (unsigned)per_vector;
}

/* Drops the assumptions that no copy made use of. An asynchronous copy that changes the layout goes
 * element by element anyway. */
static unsigned vector_of(struct code *scan, const struct candidate *c,
                          const struct tile_array *out, const struct buffering *buffering)
{
  struct preconditions *preconditions = scan->preconditions, saved;
  unsigned last = c->dim_count - 1;
  bool transposed = out->order[last] != last;

  if (preconditions) saved = *preconditions;
  if (buffering->asynchronous && !buffering->transposed && transposed) scan->preconditions = NULL;
  /* cp.async has a guard */
  unsigned vector = copy_vector(scan, c, buffering->asynchronous && !transposed);
  scan->preconditions = preconditions;
  if (preconditions && vector == 1) *preconditions = saved;
  return vector;
}

void tile_layout(struct code *scan, const struct geometry *geometry, const struct candidate *c,
                 const struct buffering *buffering, struct tile_array *out)
{
  unsigned moving = moving_dim(scan, geometry, c);
  bool own_rows;

  choose_order(geometry, c, moving, out, &own_rows);
  out->vector = out->stored ? 1 : vector_of(scan, c, out, buffering);
  pad_rows(c, pad_of(geometry, c, moving, own_rows, out), buffering->two && !out->stored, out);
}
