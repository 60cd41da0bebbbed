/* SPDX-License-Identifier: MIT */
/* tile_plan.c - chooses the block shape, the elements of a thread and the tiles of a shape-free
 * kernel.
 *
 *     matmul<<<dim3(N / 128, N), 128>>>
 *         =>   blocks of 64 x 64 elements for 16 x 16 threads, 4 x 4 elements a thread,
 *                                              a and b staged for 16 iterations of k at a time
 *
 * Every shape of a small table is planned, and the model predicts its time. The best one is built
 * if its predicted gain is at least GAIN_NEEDED. If the launch's size is not constant, a middle
 * size is assumed. There may be several versions:
 *
 *     specialised  for launches that fulfil a condition (n % 16 == 0 && n >= totals
 *         && mesi_aligned(a)): no guards, 16-byte copies.
 *                Where the facts prove the condition it is the only version.
 *     aligned    in the general one's shape,
 *         for launches whose rows are multiples of 16 bytes (n % 4 == 0
 *         && mesi_aligned(a)): 16-byte copies
 *     by size    where sizes are not constant: one shape for small launches, one for large ones;
 *         specialised where possible
 *     general    right for every launch
 *
 * Requires: promoted code. Gives up with a remark: not shape-free, nothing to stage, no gain, no
 * expanded form.
 */
#include "analysis/transform/tile/tile_plan.h"

#include <math.h>

#include "analysis/code/precondition.h"
#include "analysis/data/options.h"
#include "analysis/mapping/tile/tile.h"
#include "analysis/sets/budget.h"
#include "runtime/seeded.h"

#define GAIN_NEEDED 2.0 /* the model is coarse: it has to see a clear gain */
#define GAIN_NEEDED_BRANCHES \
  1.5 /* where code branches it takes its elements one by one, as the kernel as written does */
/* rows that threads write: the least of 12 measured gains is 1.9, where 2.5 is predicted */
#define GAIN_NEEDED_STORES 1.5

enum {
  ASSUMED_2D = 1536,
  ASSUMED_1D = 1 << 17 /* 2^k or 3 * 2^k */,
  SMALL_1D = 1 << 13,
  ASSUMED_WARPS = 4,
  SIZES_APART = 4 /* ratio of the smallest and the largest size to the assumed one */
};

static bool try_shape(const struct mapping *m, unsigned number, enum precondition_set allowed,
                      struct attempt *attempt, struct instances *in)
{
  return map_try_shape(m, number, allowed, NULL, attempt, in);
}

/* ---- sizes ---- */

/* The launch's elements by axis, with `side` for each that is not constant. */
static void sized(const struct mapping *m, int64_t side, int64_t ret[2])
{
  for (int axis = 0; axis < 2; axis++)
    ret[axis] = m->totals[axis] > 0 ? m->totals[axis] : side > 0 && !(axis && m->flat) ? side : 1;
}

static int64_t assumed_side(const struct mapping *m) { return m->assumed; }

static bool predict(const struct mapping *m, unsigned shape, int64_t side, struct prediction *ret)
{
  int64_t totals[2];

  sized(m, side, totals);
  return m->loads[shape].count && model_predict(&m->loads[shape], totals, m->target, ret);
}

/* Launches of unknown size: from small to large ones, around the assumed one. Work comes in waves
 * of blocks, so a single size says little. */
struct sizes {
  int64_t from, to;
};

static struct sizes all_sizes(const struct mapping *m)
{
  return (struct sizes){assumed_side(m) / SIZES_APART, assumed_side(m) * SIZES_APART};
}

/* The usual sizes of programs: 2^k and 3 * 2^k. */
static int64_t next_size(int64_t side) { return side & (side - 1) ? side / 3 * 4 : side / 2 * 3; }

/* The mean of the logarithms of the predicted times. Below zero: the shape does not fit. */
static double mean_time(const struct mapping *m, unsigned shape, struct sizes sizes)
{
  struct prediction prediction;
  double sum = 0, count = 0;

  for (int64_t side = sizes.from; side <= sizes.to; side = next_size(side), count++) {
    if (!predict(m, shape, side, &prediction)) return -1;
    sum += log(prediction.mapped);
  }
  return sum / count;
}

/* The shape with the least predicted time; -1: none fits. */
static int best_shape(const struct mapping *m, struct sizes sizes)
{
  double best = 0;
  int found = -1;

  for (unsigned i = 0; i < m->shape_count; i++) {
    double time = mean_time(m, i, sizes);
    if (time >= 0 && (found < 0 || time < best)) {
      found = (int)i;
      best = time;
    }
  }
  return found;
}

static double gain_needed(const struct mapping *m, unsigned shape)
{
  bool branches = m->loads[shape].count > 0, stores = false;

  for (unsigned i = 0; i < m->loads[shape].count; i++) {
    branches &= m->loads[shape].work[i].branches || m->loads[shape].work[i].waits;
    stores |= m->loads[shape].work[i].stored;
  }
  return branches ? GAIN_NEEDED_BRANCHES : stores ? GAIN_NEEDED_STORES : GAIN_NEEDED;
}

/* The number of elements from which the shape gains over the kernel as written. */
static int64_t least_elements(const struct mapping *m, unsigned shape)
{
  struct prediction prediction;

  for (int64_t side = 1; side < ASSUMED_1D; side += (side + 3) / 4) {
    int64_t totals[2];
    sized(m, side, totals);
    if (predict(m, shape, side, &prediction) &&
        prediction.written >= gain_needed(m, shape) * prediction.mapped)
      return totals[0] * totals[1];
  }
  return 1;
}

/* The number of elements from which the large shape is better than the small one: the one with the
 * least total loss. */
static int64_t large_elements(const struct mapping *m, unsigned small, unsigned large)
{
  struct sizes sizes = all_sizes(m);
  double lost = 0, least = 0;
  int64_t from = sizes.from, totals[2];
  struct prediction a, b;

  for (int64_t side = sizes.from; side <= sizes.to; side = next_size(side)) {
    if (!predict(m, small, side, &a) || !predict(m, large, side, &b)) break;
    lost += log(a.mapped / b.mapped);
    if (lost < least) {
      least = lost;
      from = next_size(side);
    }
  }
  sized(m, from, totals);
  return totals[0] * totals[1];
}

/* ---- versions ---- */

/* The last version is for launches whose loops are long enough, too. */
static bool for_long_loops(const struct mapping *m, const struct attempt *attempt)
{
  struct mapped_version *version = &m->out->versions[m->out->version_count - 1];
  struct ir_expr *condition = precondition_in_totals(
      m->from->arena, tile_long_enough(m, &attempt->tiles, version->specialised), attempt->totals,
      m->out->totals);

  if (condition) version->when = ir_build_both(m->from->arena, version->when, condition);
  return true;
}

/* Is the specialised version worth its check? None of its copies may have a guard left. */
static bool is_worth(const struct attempt *attempt)
{
  const struct preconditions *preconditions = &attempt->preconditions;
  bool guarded = false;

  for (unsigned i = 0; i < attempt->tiles.count; i++)
    for (unsigned k = 0; k < attempt->tiles.items[i].array_count; k++)
      guarded |= attempt->tiles.items[i].arrays[k].stage.load_guard != NULL;
  return !guarded || !(preconditions->guard_count || preconditions->multiple_count ||
                       preconditions->aligned_count);
}

/* Adds a version for launches that satisfy a condition. `staged`: the number of arrays that the
 * general one stages. */
static bool add_specialised(struct mapping *m, unsigned shape, unsigned staged, int64_t least)
{
  struct attempt attempt;
  struct instances in;
  struct prediction prediction;
  bool built = try_shape(m, shape, PRECONDITIONS_ALL, &attempt, &in) &&
               map_describe(m, &attempt.tiles).staged >= staged && is_worth(&attempt) &&
               predict(m, shape, assumed_side(m), &prediction) &&
               map_take_totals(m->out, attempt.totals) &&
               precondition_also(m->from->arena, &m->preconditions, &attempt.preconditions,
                                 &attempt.geometry, attempt.totals, m->out->totals) &&
               map_build_version(m, &attempt, &prediction, least) && for_long_loops(m, &attempt);

  code_drop_scan(&attempt.code);
  return built;
}

/* Has the kernel a number that only a launch knows? */
static bool has_unknown(const struct mapping *m)
{
  const struct kernel_facts *facts = &m->from->facts;

  for (unsigned i = 0; i < facts->kernel->param_count; i++)
    if (facts->kernel->params[i]->type->kind == IR_TYPE_INT && !facts->scalars[i].known)
      return true;
  return false;
}

/* Adds a version in the general one's shape for launches whose rows are whole numbers of 16 bytes,
 * if it copies more of them at once. */
static bool add_aligned(const struct mapping *m, unsigned shape, const struct described *general,
                        int64_t least)
{
  struct attempt attempt;
  struct instances in;
  struct prediction prediction;
  bool built = try_shape(m, shape, PRECONDITIONS_ALIGNED, &attempt, &in) &&
               map_describe(m, &attempt.tiles).staged >= general->staged &&
               map_describe(m, &attempt.tiles).wide > general->wide &&
               predict(m, shape, assumed_side(m), &prediction) &&
               map_build_aligned(m, &attempt, &prediction, least, "aligned") &&
               for_long_loops(m, &attempt);

  code_drop_scan(&attempt.code);
  return built;
}

static bool add_general(const struct mapping *m, unsigned shape, int64_t least,
                        struct described *ret)
{
  struct attempt attempt;
  struct instances in;
  struct prediction prediction;
  bool fits = try_shape(m, shape, PRECONDITIONS_NONE, &attempt, &in) &&
              predict(m, shape, assumed_side(m), &prediction);

  if (fits) *ret = map_describe(m, &attempt.tiles);
  bool built = fits && map_build_version(m, &attempt, &prediction, least) &&
               for_long_loops(m, &attempt),
       other = !built && attempt.geometry.fragments;
  if (fits && !other) map_note_tiles(m, &attempt.tiles);
  if (built)
    map_add_remarks(m, &attempt.remarks);
  else if (!other)
    map_decline(m, attempt.reason, &attempt.place);
  code_drop_scan(&attempt.code);
  return built;
}

/* Drops the general version if the specialised one needs no check. */
static void keep_specialised_only(struct kernel_mapping *out)
{
  if (out->version_count != 2 || !out->versions[1].specialised || out->condition ||
      out->has_total[0] || out->has_total[1])
    return;
  out->versions[0] = out->versions[1];
  out->version_count = 1;
}

/* Adds the general version in the shape for middle sizes, and specialised ones for small and for
 * large launches; if there are none, a general one for large launches. */
static bool add_versions(struct mapping *m, unsigned middle, struct described *ret)
{
  bool sizes = !map_is_constant(m), gated = sizes && m->options->mapping == MAPPING_AUTO;
  struct sizes all = all_sizes(m);
  int64_t middle_side = assumed_side(m) / 2;
  while (middle_side & (middle_side - 1)) middle_side = next_size(middle_side);
  unsigned small = sizes ? (unsigned)best_shape(m, (struct sizes){all.from, middle_side}) : middle;
  unsigned large = sizes ? (unsigned)best_shape(m, (struct sizes){middle_side, all.to}) : middle;
  struct described other;

  if (!add_general(m, middle, gated ? least_elements(m, middle) : 0, ret)) return false;
  /* in one dimension rows are for teams (team_plan.c) */
  if ((sizes || has_unknown(m)) && ret->narrow && !m->flat)
    add_aligned(m, middle, ret, m->out->versions[0].least);
  bool specialised = add_specialised(m, small, ret->staged, gated ? least_elements(m, small) : 0);
  if (specialised && large != small)
    add_specialised(m, large, ret->staged, large_elements(m, small, large));
  if (!specialised && large != middle)
    add_general(m, large, large_elements(m, middle, large), &other);
  if (specialised) m->out->condition = precondition_condition(m->from->arena, &m->preconditions);
  keep_specialised_only(m->out);
  return true;
}

/* The warps of a block as written, or a usual number. */
static double written_warps(const struct mapping *m)
{
  const int64_t *block = m->from->facts.block;
  bool known = block[0] > 0 && block[1] > 0 && block[2] > 0;

  return known ? ceil((double)(block[0] * block[1] * block[2]) / 32) : ASSUMED_WARPS;
}

/* Plans every shape and measures the work of its code. */
static void measure_shapes(struct mapping *m, const char **ret_reason, struct ir_place *ret_place)
{
  bool none = false; /* one shape has failed for reasons that all share */
  struct unsized unsized = {0};

  ((struct code *)m->from)->unsized = &unsized;
  for (unsigned i = 0; i < m->shape_count; i++) {
    struct attempt attempt;
    struct instances in;
    int64_t totals[2];
    m->loads[i].count = 0;
    if ((i && budget_is_spent()) || !map_tries(m, &m->shapes[i])) continue;
    if (none) {
      map_rank_unfit(m, i, *ret_reason);
      continue;
    }
    map_first_buffering(m, i);
    if (try_shape(m, i, PRECONDITIONS_NONE, &attempt, &in)) {
      model_measure(&attempt.code, &in, &attempt.geometry, &attempt.tiles, &m->loads[i]);
      m->loads[i].written_warps = written_warps(m);
      sized(m, m->flat ? ASSUMED_1D : ASSUMED_2D, totals);
      map_choose_buffering(m, i, &attempt, map_capacity(m), totals);
    } else {
      map_rank_unfit(m, i, attempt.reason);
      none = !tile_may_be(m->from);
      if (!i) /* the reason is the same for the other shapes */
        map_add_remarks(m, &attempt.remarks);
      *ret_reason = attempt.reason;
      *ret_place = attempt.place.line ? attempt.place : *ret_place;
    }
    code_drop_scan(&attempt.code);
  }
  ((struct code *)m->from)->unsized = NULL;
  map_prefer_products(m);
}

static bool gains(const struct mapping *m, unsigned shape, int64_t side, struct prediction *ret)
{
  return predict(m, shape, side, ret) && ret->written >= gain_needed(m, shape) * ret->mapped;
}

/* The first shape, and its prediction; -1: none fits. Large launches may fill the device as written
 * while small ones gain: if no shape gains at the assumed size, a smaller one is assumed. */
static int first_shape(struct mapping *m, struct prediction *ret)
{
  m->assumed = m->flat ? ASSUMED_1D : ASSUMED_2D;
  int shape =
      best_shape(m, map_is_constant(m) ? (struct sizes){2, 2}
                                       : (struct sizes){m->assumed / 3, m->assumed * SIZES_APART});
  if (shape < 0 || gains(m, (unsigned)shape, m->assumed, ret) || map_is_constant(m) || !m->flat)
    return shape;
  m->assumed = SMALL_1D;
  int small = best_shape(m, all_sizes(m));
  struct prediction prediction;
  if (small < 0 || !gains(m, (unsigned)small, m->assumed, &prediction)) {
    m->assumed = ASSUMED_1D;
    return shape;
  }
  *ret = prediction;
  return small;
}

/* The number of elements from which the kernel as written is as good; 0: there is none. */
static int64_t most_elements(const struct mapping *m, unsigned shape)
{
  struct prediction prediction;
  int64_t side = m->assumed, totals[2];

  while (side < ASSUMED_1D && gains(m, shape, side, &prediction)) side = next_size(side);
  sized(m, side, totals);
  return side < ASSUMED_1D ? totals[0] * totals[1] : 0;
}

/* Builds the versions of a mapping with a chosen shape. */
static enum outcome build(struct mapping *m, unsigned middle, const struct prediction *prediction)
{
  m->out = ARENA_NEW(m->from->arena, struct kernel_mapping);
  m->preconditions = (struct preconditions){0};
  m->out->gain = map_over_written(m, prediction->written / prediction->mapped);
  if (m->options->mapping == MAPPING_AUTO && m->flat && !map_is_constant(m))
    m->out->most = most_elements(m, middle);
  if (add_versions(m, middle, &m->staged)) {
    m->tiled = true;
    m->middle = middle;
    return OUTCOME_TAKEN;
  }
  if (!m->shapes[middle].geometry.fragments) return OUTCOME_ENDED;
  m->no_products = true;
  return plan_tile(m);
}

enum outcome plan_tile(struct mapping *m)
{
  const char *reason = m->options->mapping == MAPPING_UNTILED || m->from->carries
                           ? "its elements share too few requests"
                           : "no shape fits";
  struct prediction prediction;

  m->place = m->from->kernel->name_place;
  bool tiles = m->options->mapping != MAPPING_UNTILED &&
               !(m->options->mapping == MAPPING_AUTO && m->from->carries);
  if (tiles && m->options->mapping == MAPPING_AUTO && map_counts_in_locals(m)) {
    reason = "data choose elements of an array of its own, whose time is not known";
    tiles = false;
  }
  if (tiles) /* registers hold the elements that tiles would hold */
    measure_shapes(m, &reason, &m->place);
  int middle = first_shape(m, &prediction);
  m->reason = reason;
  if (middle < 0) {
    map_rank(m, -1, reason);
    return OUTCOME_PASSED;
  }
  m->close = m->options->mapping == MAPPING_AUTO &&
             prediction.written < gain_needed(m, (unsigned)middle) * prediction.mapped;
  if (!m->close)
    return map_rounds_pairs(m) ? build(m, (unsigned)middle, &prediction) : OUTCOME_PASSED;
  m->needed = gain_needed(m, (unsigned)middle);
  m->reason = arena_format(m->from->arena,
                           "the best other mapping is predicted to gain a factor of %.2f only",
                           prediction.written / prediction.mapped);
  return OUTCOME_PASSED;
}

void finish_tile(struct mapping *m)
{
  map_finish(m);
  map_rank(m, (int)m->middle, NULL);
  map_report(m, &m->staged, m->dump);
}
