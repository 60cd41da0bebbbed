/* plan_map.c - chooses the block shape, the elements of a thread and the tiles of a shape-free kernel.
 *
 *     matmul<<<dim3(N / 128, N), 128>>>   =>   blocks of 64 x 64 elements for 16 x 16 threads, 4 x 4 elements a thread,
 *                                              a and b staged for 16 iterations of k at a time
 *
 * Every shape of a small table is planned, and predicted by the model; the best one is built when it is predicted to gain
 * GAIN_NEEDED at least. Where the launch's size is not constant a middle size is assumed. There may be several versions:
 *
 *     exact      for launches that fulfil a condition (n % 16 == 0 && n >= totals && mesi_aligned(a)): no guards, 16-byte copies.
 *                Where the facts prove the condition it is the only version.
 *     aligned    in the general one's shape, for launches whose rows are multiples of 16 bytes (n % 4 == 0 && mesi_aligned(a)): 16-byte copies
 *     by size    where sizes are not constant: one shape for small launches, one for large ones; exact where possible
 *     general    right for every launch
 *
 * Requires: promoted code. Gives up with a remark: not shape-free, nothing to stage, no gain, no expanded form.
 */
#include "analysis/plan/mapping/plan_map_parts.h"

#include <math.h>
#include <string.h>

#include "analysis/code/assume.h"
#include "analysis/transform/coarsen/expand.h"
#include "analysis/transform/tile/product.h"
#include "analysis/data/options.h"
#include "runtime/seeded.h"

#define GAIN_NEEDED 2.0 /* the model is coarse: it has to see a clear gain */
#define GAIN_NEEDED_BRANCHES 1.5 /* where code branches it takes its elements one by one, as the kernel as written does */
#define STATIC_SHARED UINT64_C(49152)

enum { ASSUMED_2D = 1536, ASSUMED_1D = 1 << 17 /* 2^k or 3 * 2^k */, SMALL_1D = 1 << 13, SIZES_APART = 4 /* the smallest and the largest size, from the assumed one */ };
enum { MANY_REGISTERS = 96, MOST_ACCESSES = 200 }; /* every shape walks the kernel again for each loop */

struct code map_copy(const struct mapping *m, struct remarks *remarks)
{
  struct code copy = *m->from;

  copy.scanned = false;
  copy.remarks = remarks;
  copy.facts.kernel = ir_copy_function(copy.arena, m->from->facts.kernel);
  return copy;
}

static uint64_t capacity_of(const struct mapping *m)
{
  uint64_t all = m->options->shared_memory < STATIC_SHARED ? m->options->shared_memory : STATIC_SHARED, own = (uint64_t)m->from->facts.kernel->static_shared_bytes;
  return own < all ? all - own : 0;
}

static bool streams(const struct tiles *tiles)
{
  for (unsigned i = 0; i < tiles->count; i++)
    for (unsigned k = 0; k < tiles->items[i].array_count; k++)
      if (tiles->items[i].arrays[k].streamed)
        return true;
  return false;
}

static bool share(const struct mapping *m, struct attempt *attempt)
{
  attempt->split = ARENA_NEW(m->from->arena, struct split);
  return split_prepare(&attempt->code, m->options->associative, &attempt->shared, &attempt->reason, &attempt->place);
}

/* Is the loop that blocks share the one that goes tile by tile? An inner one is not. */
static bool shares_tiles(struct attempt *attempt)
{
  struct tile *tile = &attempt->tiles.items[0];

  tile->shared = attempt->tiles.count == 1 && (tile->loop == attempt->shared.loop || SEEDED(SPLIT_INNER_LOOP)) && !tile->only;
  return tile->shared;
}

bool map_try_shape(const struct mapping *m, unsigned number, enum granted granted, bool split, struct attempt *attempt, struct instances *in)
{
  const struct shape *shape = &m->shapes[number];

  memset(attempt, 0, sizeof *attempt);
  attempt->code = map_copy(m, &attempt->remarks);
  attempt->code.assume = granted ? &attempt->assume : NULL;
  attempt->assume.only_aligned = granted == GRANTED_ALIGNED;
  attempt->geometry = map_fitted(m, shape);
  if (!shape_virtual(&attempt->code, &attempt->geometry, attempt->totals, &attempt->reason, &attempt->place))
    return false;
  if (granted == GRANTED_ALL)
    assume_guards(&attempt->code);
  if (split && !share(m, attempt))
    return false;
  instances_analyze(&attempt->code, in);
  tile_plan(&attempt->code, in, &attempt->geometry, m->stager, shape->tile, capacity_of(m), &m->buffering[number], &attempt->tiles);
  if (!attempt->tiles.count || (shape->streams && !streams(&attempt->tiles)))
    attempt->reason = "no loop reads the same elements again and again";
  else if (shape->geometry.fragments && !products_plan(in, &attempt->tiles))
    attempt->reason = "no loop does nothing but add products of doubles, of a row's factor and a column's";
  if (split && !attempt->reason && !shares_tiles(attempt)) {
    attempt->reason = "it is not the loop whose tiles are staged";
    attempt->place = attempt->shared.loop->place;
  }
  return !attempt->reason;
}

static bool try_shape(const struct mapping *m, unsigned number, enum granted granted, struct attempt *attempt, struct instances *in)
{
  return map_try_shape(m, number, granted, false, attempt, in);
}

void map_decline(const struct mapping *m, const char *reason, const struct ir_place *place)
{
  struct code *code = (struct code *)m->from;
  code_decide(code, (struct decision){ .kind = DECISION_MAPPING, .place = place ? *place : code->kernel->name_place, .why = reason });
  code_remark(code, DIAG_NOT_MAPPED, place, "'%s' keeps its mapping to threads: %s", code->kernel->name, reason);
}

void map_take(const struct mapping *m, double gain, const char *what)
{
  code_decide((struct code *)m->from, (struct decision){ .kind = DECISION_MAPPING, .taken = true, .what = what, .gain = gain });
}

void map_add_remarks(const struct mapping *m, const struct remarks *remarks)
{
  remarks_append(m->from->arena, m->from->remarks, remarks);
}

/* ---- sizes ---- */

/* The launch's elements by axis, with `side` for each that is not constant. */
static void sized(const struct mapping *m, int64_t side, int64_t ret[2])
{
  for (int axis = 0; axis < 2; axis++)
    ret[axis] = m->totals[axis] > 0 ? m->totals[axis] : side > 0 ? side : 1;
}

static int64_t assumed_side(const struct mapping *m)
{
  return m->assumed;
}

static bool predict(const struct mapping *m, unsigned shape, int64_t side, struct prediction *ret)
{
  int64_t totals[2];

  sized(m, side, totals);
  return m->loads[shape].count && model_predict(&m->loads[shape], totals, m->target, ret);
}

/* Launches of unknown size: from small ones to large ones, around the assumed one. Work comes in waves of blocks, so that one size says
 * little. */
struct sizes { int64_t from, to; };

static struct sizes all_sizes(const struct mapping *m)
{
  return (struct sizes){ assumed_side(m) / SIZES_APART, assumed_side(m) * SIZES_APART };
}

/* As programs have them: 2^k and 3 * 2^k. */
static int64_t next_size(int64_t side)
{
  return side & (side - 1) ? side / 3 * 4 : side / 2 * 3;
}

/* The mean of the logarithms of the predicted times; below zero: the shape does not fit. */
static double mean_time(const struct mapping *m, unsigned shape, struct sizes sizes)
{
  struct prediction prediction;
  double sum = 0, count = 0;

  for (int64_t side = sizes.from; side <= sizes.to; side = next_size(side), count++) {
    if (!predict(m, shape, side, &prediction))
      return -1;
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
  bool branches = m->loads[shape].count > 0;

  for (unsigned i = 0; i < m->loads[shape].count; i++)
    branches &= m->loads[shape].work[i].branches || m->loads[shape].work[i].waits;
  return branches ? GAIN_NEEDED_BRANCHES : GAIN_NEEDED;
}

/* From how many elements on the shape gains over the kernel as written. */
static int64_t least_elements(const struct mapping *m, unsigned shape)
{
  struct prediction prediction;

  for (int64_t side = 1; side < ASSUMED_1D; side += (side + 3) / 4) {
    int64_t totals[2];
    sized(m, side, totals);
    if (predict(m, shape, side, &prediction) && prediction.written >= gain_needed(m, shape) * prediction.mapped)
      return totals[0] * totals[1];
  }
  return 1;
}

/* From how many elements on the large shape is better than the small one: below, the sum of what is lost is least. */
static int64_t large_elements(const struct mapping *m, unsigned small, unsigned large)
{
  struct sizes sizes = all_sizes(m);
  double lost = 0, least = 0;
  int64_t from = sizes.from, totals[2];
  struct prediction a, b;

  for (int64_t side = sizes.from; side <= sizes.to; side = next_size(side)) {
    if (!predict(m, small, side, &a) || !predict(m, large, side, &b))
      break;
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

/* Parameters for totals are the same for all versions. */
static bool take_totals(struct kernel_mapping *out, struct ir_var *const totals[2])
{
  for (int axis = 0; axis < 2; axis++)
    if (totals[axis] && !out->has_total[axis]) {
      out->has_total[axis] = true;
      out->totals[axis] = totals[axis];
    }
  return true;
}

static bool multiplies(const struct tiles *tiles)
{
  for (unsigned i = 0; i < tiles->count; i++)
    if (tiles->items[i].multiplied)
      return true;
  return false;
}

bool map_build_version(const struct mapping *m, struct attempt *attempt, const struct prediction *prediction, int64_t least)
{
  struct kernel_mapping *out = m->out;
  struct mapped_version *version = &out->versions[out->version_count];

  tile_build(&attempt->code, &attempt->geometry, &attempt->tiles);
  struct ir_var *parts = attempt->split ? split_param(&attempt->code) : NULL;
  if (parts)
    split_finish(&attempt->code, &attempt->geometry, &attempt->tiles, &attempt->shared, parts);
  if (!expand_instances(&attempt->code, &attempt->geometry, &attempt->tiles, &attempt->reason, &attempt->place))
    return false;
  if (attempt->geometry.fragments && !multiplies(&attempt->tiles)) {
    attempt->reason = "its sums belong to threads that do not all add to them";
    return false;
  }
  *version = (struct mapped_version){ .code = attempt->code.facts.kernel, .exact = attempt->code.assume != NULL, .products = attempt->geometry.fragments,
                                      .split = attempt->split, .least = least, .registers = prediction->registers };
  for (int axis = 0; axis < 2; axis++) {
    version->block[axis] = attempt->geometry.block[axis];
    version->threads[axis] = attempt->geometry.threads[axis];
  }
  take_totals(out, attempt->totals);
  out->split = parts ? parts : out->split;
  for (unsigned i = 0; i < attempt->tiles.count; i++) {
    const struct tile *tile = &attempt->tiles.items[i];
    version->shared_bytes += tile->bytes;
    version->held = tile->held > version->held ? tile->held : version->held;
  }
  version->resident = prediction->registers >= MANY_REGISTERS && prediction->blocks_per_sm > 1 ? prediction->blocks_per_sm : 0;
  out->version_count++;
  return true;
}

/* Something to check has to pay off: no copy has a guard left. */
static bool is_worth(const struct attempt *attempt)
{
  const struct assumptions *assume = &attempt->assume;
  bool guarded = false;

  for (unsigned i = 0; i < attempt->tiles.count; i++)
    for (unsigned k = 0; k < attempt->tiles.items[i].array_count; k++)
      guarded |= attempt->tiles.items[i].arrays[k].stage.load_guard != NULL;
  return !guarded || !(assume->guard_count || assume->multiple_count || assume->aligned_count);
}

/* A version for launches that fulfil a condition; `staged` arrays are staged in the general one. */
static bool add_exact(const struct mapping *m, unsigned shape, unsigned staged, int64_t least)
{
  struct attempt attempt;
  struct instances in;
  struct prediction prediction;
  bool built = try_shape(m, shape, GRANTED_ALL, &attempt, &in) && map_describe(m, &attempt.tiles).staged >= staged && is_worth(&attempt) &&
               predict(m, shape, assumed_side(m), &prediction) && take_totals(m->out, attempt.totals) &&
               assume_also(m->from->arena, m->assume, &attempt.assume, &attempt.geometry, attempt.totals, m->out->totals) &&
               map_build_version(m, &attempt, &prediction, least);

  code_drop_scan(&attempt.code);
  return built;
}

/* A number that only a launch knows. */
static bool has_unknown(const struct mapping *m)
{
  const struct kernel_facts *facts = &m->from->facts;

  for (unsigned i = 0; i < facts->kernel->param_count; i++)
    if (facts->kernel->params[i]->type->kind == IR_TYPE_INT && !facts->scalars[i].known)
      return true;
  return false;
}

bool map_build_aligned(const struct mapping *m, struct attempt *attempt, const struct prediction *prediction, int64_t least, const char *suffix)
{
  struct assumptions assume = { 0 };
  bool built = m->out->version_count < MOST_VERSIONS && take_totals(m->out, attempt->totals) &&
               assume_also(m->from->arena, &assume, &attempt->assume, &attempt->geometry, attempt->totals, m->out->totals) &&
               map_build_version(m, attempt, prediction, least);

  if (built) {
    struct mapped_version *version = &m->out->versions[m->out->version_count - 1];
    version->exact = false;
    version->suffix = suffix;
    version->when = assume_condition(m->from->arena, &assume);
  }
  return built;
}

/* A version in the general one's shape for launches whose rows are whole numbers of 16 bytes, where it copies more of them at once. */
static bool add_aligned(const struct mapping *m, unsigned shape, const struct described *general, int64_t least)
{
  struct attempt attempt;
  struct instances in;
  struct prediction prediction;
  bool built = try_shape(m, shape, GRANTED_ALIGNED, &attempt, &in) && map_describe(m, &attempt.tiles).staged >= general->staged &&
               map_describe(m, &attempt.tiles).wide > general->wide && predict(m, shape, assumed_side(m), &prediction) &&
               map_build_aligned(m, &attempt, &prediction, least, "aligned");

  code_drop_scan(&attempt.code);
  return built;
}

static bool add_general(const struct mapping *m, unsigned shape, int64_t least, struct described *ret)
{
  struct attempt attempt;
  struct instances in;
  struct prediction prediction;
  bool fits = try_shape(m, shape, GRANTED_NOTHING, &attempt, &in) && predict(m, shape, assumed_side(m), &prediction);

  if (fits)
    *ret = map_describe(m, &attempt.tiles);
  bool built = fits && map_build_version(m, &attempt, &prediction, least), other = !built && attempt.geometry.fragments;
  if (fits && !other)
    map_note_tiles(m, &attempt.tiles);
  if (built)
    map_add_remarks(m, &attempt.remarks);
  else if (!other)
    map_decline(m, attempt.reason, &attempt.place);
  code_drop_scan(&attempt.code);
  return built;
}

/* The exact version takes the general one's place where nothing has to be checked. */
static void keep_exact_only(struct kernel_mapping *out)
{
  if (out->version_count != 2 || !out->versions[1].exact || out->condition || out->has_total[0] || out->has_total[1])
    return;
  out->versions[0] = out->versions[1];
  out->version_count = 1;
}

bool map_is_constant(const struct mapping *m)
{
  return m->totals[0] > 0 && m->totals[1] > 0;
}

/* The general version in the shape for middle sizes; exact ones for small and for large launches; where there are none, a general
 * one for large launches. */
static bool add_versions(const struct mapping *m, unsigned middle, struct described *ret)
{
  bool sizes = !map_is_constant(m), gated = sizes && m->options->mapping == MAPPING_AUTO;
  struct sizes all = all_sizes(m);
  int64_t middle_side = assumed_side(m) / 2;
  while (middle_side & (middle_side - 1))
    middle_side = next_size(middle_side);
  unsigned small = sizes ? (unsigned)best_shape(m, (struct sizes){ all.from, middle_side }) : middle;
  unsigned large = sizes ? (unsigned)best_shape(m, (struct sizes){ middle_side, all.to }) : middle;
  struct described other;

  if (!add_general(m, middle, gated ? least_elements(m, middle) : 0, ret))
    return false;
  if ((sizes || has_unknown(m)) && ret->narrow && m->totals[1] != 1) /* in one dimension rows are for teams (cooperate_plan.c) */
    add_aligned(m, middle, ret, m->out->versions[0].least);
  bool exact = add_exact(m, small, ret->staged, gated ? least_elements(m, small) : 0);
  if (exact && large != small)
    add_exact(m, large, ret->staged, large_elements(m, small, large));
  if (!exact && large != middle)
    add_general(m, large, large_elements(m, middle, large), &other);
  if (exact)
    m->out->condition = assume_condition(m->from->arena, m->assume);
  keep_exact_only(m->out);
  map_add_split(m);
  return true;
}

void map_finish(struct mapping *m)
{
  struct kernel_mapping *out = m->out;

  for (int axis = 0; axis < 2; axis++)
    out->grid[axis] = m->totals[axis] < 0 ? -1 : (m->totals[axis] + out->versions[0].block[axis] - 1) / out->versions[0].block[axis];
  out->grid[2] = m->from->facts.grid[2];
  out->least = out->versions[0].least;
  if (out->least > 1 || out->most)
    out->plain = m->from->facts.kernel;
}

static bool find_totals(struct mapping *m)
{
  const struct kernel_facts *facts = &m->from->facts;

  for (int axis = 0; axis < 2; axis++) {
    bool known = facts->block[axis] > 0 && facts->grid[axis] > 0;
    m->totals[axis] = known ? facts->block[axis] * facts->grid[axis] : -1;
    if (m->totals[axis] > INT32_MAX)
      return false;
  }
  return true;
}

/* Plans every shape and measures what its code would do. */
static void measure_shapes(struct mapping *m, const char **ret_reason, struct ir_place *ret_place)
{
  for (unsigned i = 0; i < m->shape_count; i++) {
    struct attempt attempt;
    struct instances in;
    int64_t totals[2];
    m->loads[i].count = 0;
    if (!map_tries(m, &m->shapes[i]))
      continue;
    map_first_buffering(m, i);
    if (try_shape(m, i, GRANTED_NOTHING, &attempt, &in)) {
      model_measure(&attempt.code, &in, &attempt.geometry, &attempt.tiles, &m->loads[i]);
      sized(m, m->totals[1] == 1 ? ASSUMED_1D : ASSUMED_2D, totals);
      map_choose_buffering(m, i, &attempt, capacity_of(m), totals);
    } else {
      map_rank_unfit(m, i, attempt.reason);
      if (!i) /* why not: the same for the others */
        map_add_remarks(m, &attempt.remarks);
      *ret_reason = attempt.reason;
      *ret_place = attempt.place.line ? attempt.place : *ret_place;
    }
    code_drop_scan(&attempt.code);
  }
  map_prefer_products(m);
}

static bool gains(const struct mapping *m, unsigned shape, int64_t side, struct prediction *ret)
{
  return predict(m, shape, side, ret) && ret->written >= gain_needed(m, shape) * ret->mapped;
}

/* The shape to begin with, and its prediction; -1: none fits. Large launches may fill the device as they are, and small ones gain:
 * where none gains at the size that is assumed, a smaller one is. */
static int first_shape(struct mapping *m, struct prediction *ret)
{
  m->assumed = m->totals[1] == 1 ? ASSUMED_1D : ASSUMED_2D;
  int shape = best_shape(m, map_is_constant(m) ? (struct sizes){ 2, 2 } : (struct sizes){ m->assumed / 3, m->assumed * SIZES_APART });
  if (shape < 0 || gains(m, (unsigned)shape, m->assumed, ret) || map_is_constant(m) || m->totals[1] != 1)
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

/* From how many elements on the kernel as written is as good; 0: there is no such number. */
static int64_t most_elements(const struct mapping *m, unsigned shape)
{
  struct prediction prediction;
  int64_t side = m->assumed, totals[2];

  while (side < ASSUMED_1D && gains(m, shape, side, &prediction))
    side = next_size(side);
  sized(m, side, totals);
  return side < ASSUMED_1D ? totals[0] * totals[1] : 0;
}

static struct kernel_mapping *choose(struct mapping *m, struct text *dump, struct ir_function **ret_code)
{
  const char *reason = m->options->mapping == MAPPING_UNTILED || m->from->carries ? "its elements share too few requests" : "no shape fits";
  struct ir_place place = m->from->kernel->name_place;
  struct prediction prediction;
  struct described staged;
  struct assumptions assume = { 0 };

  bool tiles = m->options->mapping != MAPPING_UNTILED && !(m->options->mapping == MAPPING_AUTO && m->from->carries);
  if (tiles) /* registers hold what tiles would */
    measure_shapes(m, &reason, &place);
  int middle = first_shape(m, &prediction);
  if (middle < 0) {
    map_rank(m, -1, reason);
    struct kernel_mapping *shared = plan_untiled(m, dump, ret_code);
    if (!shared)
      map_decline(m, reason, &place);
    return shared;
  }
  bool alone = m->options->mapping == MAPPING_AUTO && prediction.written < gain_needed(m, (unsigned)middle) * prediction.mapped;
  if (alone && map_split_alone(m, &staged)) {
    *ret_code = m->out->versions[0].code;
    return m->out;
  }
  if (alone) {
    map_rank(m, -1, arena_format(m->from->arena, "it is predicted to gain less than a factor of %g", gain_needed(m, (unsigned)middle)));
    struct kernel_mapping *untiled = plan_untiled(m, dump, ret_code);
    if (untiled)
      return untiled;
    map_decline(m, arena_format(m->from->arena, "the best other mapping is predicted to gain a factor of %.2f only",
                            prediction.written / prediction.mapped), &place);
    return NULL;
  }
  struct kernel_mapping *out = m->out = ARENA_NEW(m->from->arena, struct kernel_mapping);
  m->assume = &assume;
  out->gain = prediction.written / prediction.mapped;
  if (m->options->mapping == MAPPING_AUTO && m->totals[1] == 1 && !map_is_constant(m))
    out->most = most_elements(m, (unsigned)middle);
  if (!add_versions(m, (unsigned)middle, &staged)) {
    if (!m->shapes[middle].geometry.fragments)
      return NULL;
    m->no_products = true;
    return choose(m, dump, ret_code);
  }
  map_finish(m);
  map_rank(m, middle, NULL);
  map_report(m, &staged, dump);
  *ret_code = out->versions[0].code;
  return out;
}

struct kernel_mapping *plan_map(const struct code *code, struct stager *stager, const struct plan_options *options,
                                struct text *dump, struct ir_function **ret_code)
{
  struct mapping m = { .from = code, .stager = stager, .options = options, .target = target_of(options->tuned_for) };
  struct code looked = map_copy(&m, code->remarks);
  const char *reason;
  struct ir_place place;

  if (options->mapping == MAPPING_NEVER || options->mapping == MAPPING_TEAM)
    return NULL;
  if (!shape_free(&looked, &reason, &place)) {
    map_decline(&m, reason, &place);
    return NULL;
  }
  for (unsigned i = 0; i < code->kernel->param_count; i++)
    if (code->kernel->params[i]->type->is_unnamed || !code->kernel->params[i]->name) {
      map_decline(&m, "a parameter of it, or its type, has no name", &code->kernel->name_place);
      return NULL;
    }
  if (!find_totals(&m)) {
    map_decline(&m, "its grid is too large", &code->kernel->name_place);
    return NULL;
  }
  code_scan((struct code *)code);
  if (code->access_count > MOST_ACCESSES) {
    map_decline(&m, "it has too many accesses", &code->kernel->name_place);
    return NULL;
  }
  if (code->access.reject) {
    map_decline(&m, code->access.reject, &code->access.reject_place);
    return NULL;
  }
  map_shapes(&m);
  return choose(&m, dump, ret_code);
}
