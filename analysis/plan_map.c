/* plan_map.c - chooses the block shape, the elements of a thread and the tiles of a shape-free kernel.
 *
 *     matmul<<<dim3(N / 128, N), 128>>>   =>   blocks of 64 x 64 elements for 16 x 16 threads, 4 x 4 elements a thread,
 *                                              a and b staged for 16 iterations of k at a time
 *
 * Every shape of a small table is planned, and predicted by the model; the best one is built when it is predicted to gain
 * GAIN_NEEDED at least. Where the launch's size is not constant a middle size is assumed. Requires: promoted code. Gives up
 * with a remark: not shape-free, nothing to stage, no gain, no expanded form.
 */
#include "analysis/plan_map.h"

#include <string.h>

#include "analysis/expand.h"
#include "analysis/model.h"

#define GAIN_NEEDED 2.0 /* the model is coarse: it has to see a clear gain */
#define STATIC_SHARED UINT64_C(49152)

enum { ASSUMED_2D = 1536, ASSUMED_1D = 1 << 17, ASYNCHRONOUS_FROM = 80, MANY_REGISTERS = 96, MOST_ACCESSES = 200 }; /* every shape walks the kernel again for each loop */

struct shape {
  struct geometry geometry;
  int64_t tile;              /* iterations */
  bool streams;              /* only for kernels with arrays that are streamed through tiles */
};

static const struct shape shapes_2d[] = {
  { { { 128, 64 }, { 16, 8 }, { 4, 4 } }, 16, false },
  { { { 256, 64 }, { 32, 8 }, { 4, 4 } }, 16, false },
  { { { 128, 128 }, { 16, 16 }, { 4, 4 } }, 16, false },
  { { { 64, 64 }, { 8, 8 }, { 4, 4 } }, 16, false },
  { { { 64, 64 }, { 16, 16 }, { 4, 4 } }, 16, false },
  { { { 128, 32 }, { 16, 8 }, { 4, 4 } }, 16, false },
  { { { 64, 32 }, { 8, 8 }, { 4, 4 } }, 16, false },
  { { { 32, 32 }, { 8, 8 }, { 4, 4 } }, 32, false },
  { { { 32, 32 }, { 16, 16 }, { 2, 2 } }, 32, false },
  { { { 64, 16 }, { 32, 8 }, { 1, 1 } }, 16, false },
};

static const struct shape shapes_1d[] = {
  { { { 128, 1 }, { 128, 1 }, { 1, 1 } }, 128, false },
  { { { 256, 1 }, { 128, 1 }, { 1, 1 } }, 128, false },
  { { { 512, 1 }, { 128, 1 }, { 1, 1 } }, 128, false },
  { { { 32, 1 }, { 32, 1 }, { 1, 1 } }, 128, true },
  { { { 32, 1 }, { 32, 1 }, { 1, 1 } }, 64, true },
  { { { 64, 1 }, { 64, 1 }, { 1, 1 } }, 64, true },
  { { { 64, 1 }, { 64, 1 }, { 1, 1 } }, 32, true },
  { { { 128, 1 }, { 128, 1 }, { 1, 1 } }, 32, true },
};

struct mapping {
  const struct code *from;
  struct stager *stager;
  const struct plan_options *options;
  int64_t totals[2];         /* -1: not constant */
  int64_t assumed[2];
};

static struct code copy_of(const struct mapping *m, struct remarks *remarks)
{
  struct code copy = *m->from;

  copy.scanned = false;
  copy.remarks = remarks;
  copy.facts.kernel = ir_copy_function(copy.arena, m->from->facts.kernel);
  return copy;
}

static struct geometry fitted(const struct shape *shape, int64_t element)
{
  struct geometry geometry = shape->geometry;

  for (int axis = 0; axis < 2; axis++)
    while (geometry.vector[axis] > 1 && geometry.vector[axis] * element > 16)
      geometry.vector[axis] /= 2;
  return geometry;
}

/* Bytes of the widest number in the kernel's arrays: how many neighbours fit 16 bytes. */
static int64_t widest_element(const struct code *code)
{
  int64_t widest = 4;

  for (unsigned i = 0; i < code->access.arrays.count; i++) {
    int64_t size = code->access.arrays.items[i]->element->size;
    widest = size == 8 || size == 16 ? (size > widest ? size : widest) : widest;
  }
  return widest;
}

static uint64_t capacity_of(const struct mapping *m)
{
  return m->options->shared_memory < STATIC_SHARED ? m->options->shared_memory : STATIC_SHARED;
}

struct attempt {
  struct code code;
  struct geometry geometry;
  struct tiles tiles;
  struct ir_var *totals[2];
  struct remarks remarks;
  const char *reason;
  struct ir_place place;
};

static bool streams(const struct tiles *tiles)
{
  for (unsigned i = 0; i < tiles->count; i++)
    for (unsigned k = 0; k < tiles->items[i].array_count; k++)
      if (tiles->items[i].arrays[k].streamed)
        return true;
  return false;
}

/* Shapes and tiles the code; false: attempt->reason. The caller drops the scan. */
static bool try_shape(const struct mapping *m, const struct shape *shape, int64_t element, struct attempt *attempt,
                      struct instances *in)
{
  memset(attempt, 0, sizeof *attempt);
  attempt->code = copy_of(m, &attempt->remarks);
  attempt->geometry = fitted(shape, element);
  if (!shape_virtual(&attempt->code, &attempt->geometry, attempt->totals, &attempt->reason, &attempt->place))
    return false;
  instances_analyze(&attempt->code, in);
  tile_plan(&attempt->code, in, &attempt->geometry, m->stager, shape->tile, capacity_of(m), m->options->tuned_for >= ASYNCHRONOUS_FROM, &attempt->tiles);
  if (!attempt->tiles.count || (shape->streams && !streams(&attempt->tiles)))
    attempt->reason = "no loop reads the same elements again and again";
  return !attempt->reason;
}

static void decline(const struct mapping *m, const char *reason, const struct ir_place *place)
{
  struct code *code = (struct code *)m->from;
  code_remark(code, DIAG_NOT_MAPPED, place, "'%s' keeps its mapping to threads: %s", code->kernel->name, reason);
}

static struct kernel_mapping *build(const struct mapping *m, struct attempt *best, const struct prediction *prediction,
                                    struct ir_function **ret_code)
{
  struct kernel_mapping *mapping = ARENA_NEW(m->from->arena, struct kernel_mapping);
  const char *reason;
  struct ir_place place;

  tile_build(&best->code, &best->geometry, &best->tiles);
  if (!expand_instances(&best->code, &best->geometry, &best->tiles, &reason, &place)) {
    decline(m, reason, &place);
    return NULL;
  }
  for (int axis = 0; axis < 2; axis++) {
    mapping->block[axis] = best->geometry.block[axis];
    mapping->threads[axis] = best->geometry.threads[axis];
    mapping->grid[axis] = m->totals[axis] < 0 ? -1 : (m->totals[axis] + mapping->block[axis] - 1) / mapping->block[axis];
    mapping->has_total[axis] = best->totals[axis] != NULL;
    mapping->totals[axis] = best->totals[axis];
  }
  mapping->grid[2] = m->from->facts.grid[2];
  for (unsigned i = 0; i < best->tiles.count; i++)
    mapping->shared_bytes += best->tiles.items[i].bytes;
  mapping->gain = prediction->written / prediction->mapped;
  mapping->registers = prediction->registers;
  mapping->resident = prediction->registers >= MANY_REGISTERS && prediction->blocks_per_sm > 1 ? prediction->blocks_per_sm : 0;
  *ret_code = best->code.facts.kernel;
  return mapping;
}

/* Where the launch's size is not constant: from how many elements on the mapping gains. */
static int64_t least_elements(const struct mapping *m, struct attempt *best, const struct instances *in)
{
  struct prediction prediction;

  for (int64_t side = 1; side < ASSUMED_1D; side *= 2) {
    int64_t totals[2];
    for (int axis = 0; axis < 2; axis++)
      totals[axis] = m->totals[axis] > 0 ? m->totals[axis] : side;
    if (model_predict(&best->code, in, &best->geometry, &best->tiles, totals, target_of(m->options->tuned_for), &prediction) &&
        prediction.written >= GAIN_NEEDED * prediction.mapped)
      return totals[0] * totals[1];
  }
  return 1;
}

static void report(const struct mapping *m, const struct attempt *best, const struct kernel_mapping *mapping, struct text *dump)
{
  struct code *code = (struct code *)m->from;
  struct text staged = { 0 };

  for (unsigned i = 0; i < best->tiles.count; i++)
    for (unsigned k = 0; k < best->tiles.items[i].array_count; k++)
      text_format(&staged, "%s%s", staged.length ? ", " : "", best->tiles.items[i].arrays[k].stage.array->name);
  code_remark(code, DIAG_MAPPED, NULL,
              "'%s' gets blocks of %lld x %lld elements for %lld x %lld threads; %s staged tile by tile, %llu bytes; predicted gain %.1f",
              code->kernel->name, (long long)mapping->block[0], (long long)mapping->block[1], (long long)mapping->threads[0],
              (long long)mapping->threads[1], text_string(&staged), (unsigned long long)mapping->shared_bytes, mapping->gain);
  text_format(dump, "  plan map %lldx%lld threads %lldx%lld tile %lld staged %s bytes %llu gain %.1f\n",
              (long long)mapping->block[0], (long long)mapping->block[1], (long long)mapping->threads[0],
              (long long)mapping->threads[1], (long long)best->tiles.items[0].size, text_string(&staged),
              (unsigned long long)mapping->shared_bytes, mapping->gain);
  text_finish(&staged);
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
  bool flat = m->totals[1] == 1;
  for (int axis = 0; axis < 2; axis++)
    m->assumed[axis] = m->totals[axis] > 0 ? m->totals[axis] : flat ? ASSUMED_1D : ASSUMED_2D;
  return true;
}

static void add_remarks(const struct mapping *m, const struct remarks *remarks)
{
  for (unsigned i = 0; i < remarks->items.count; i++)
    *ARENA_PUSH(m->from->arena, &m->from->remarks->items) = remarks->items.items[i];
}

static bool is_wanted(const struct mapping *m, const struct shape *shape)
{
  const struct mapping_shape *wanted = &m->options->mapping_shape;

  for (int axis = 0; axis < 2; axis++)
    if (shape->geometry.block[axis] != wanted->block[axis])
      return false;
  return true;
}

/* The user's shape, for measurements. */
static struct shape shape_given(const struct mapping_shape *given)
{
  struct shape shape = { .tile = given->tile ? given->tile : 16 };

  for (int axis = 0; axis < 2; axis++) {
    int64_t factor = given->block[axis] / given->threads[axis];
    shape.geometry.block[axis] = given->block[axis];
    shape.geometry.threads[axis] = given->threads[axis];
    shape.geometry.vector[axis] = factor % 4 == 0 ? 4 : factor % 2 == 0 ? 2 : 1;
  }
  return shape;
}

static struct kernel_mapping *choose(struct mapping *m, const struct shape *shapes, unsigned count, struct text *dump,
                                     struct ir_function **ret_code)
{
  struct attempt best = { 0 };
  struct prediction best_prediction = { 0 };
  struct instances best_in = { 0 };
  const char *reason = "no shape fits";
  struct ir_place place = m->from->kernel->name_place;
  int64_t element = widest_element(m->from);
  bool found = false;

  for (unsigned i = 0; i < count; i++) {
    struct attempt attempt;
    struct instances in;
    struct prediction prediction;
    if (m->options->mapping == MAPPING_BLOCK && !is_wanted(m, &shapes[i]))
      continue;
    bool fits = try_shape(m, &shapes[i], element, &attempt, &in);
    if (!fits) {
      if (!i) /* why not: the same for the others */
        add_remarks(m, &attempt.remarks);
      reason = attempt.reason;
      place = attempt.place.line ? attempt.place : place;
    }
    if (fits && model_predict(&attempt.code, &in, &attempt.geometry, &attempt.tiles, m->assumed, target_of(m->options->tuned_for), &prediction) &&
        (!found || prediction.mapped < best_prediction.mapped)) {
      if (found)
        code_drop_scan(&best.code);
      found = true;
      best_in = in;
      best_in.code = &best.code;
      best = attempt;
      best.code.remarks = &best.remarks;
      best_prediction = prediction;
      continue;
    }
    code_drop_scan(&attempt.code);
  }
  if (!found) {
    decline(m, reason, &place);
    return NULL;
  }
  struct kernel_mapping *mapping = NULL;
  bool constant = m->totals[0] > 0 && m->totals[1] > 0;
  int64_t least = constant || m->options->mapping != MAPPING_AUTO ? 1 : least_elements(m, &best, &best_in);
  if (m->options->mapping == MAPPING_AUTO && best_prediction.written < GAIN_NEEDED * best_prediction.mapped)
    decline(m, arena_format(m->from->arena, "the best other mapping is predicted to gain a factor of %.2f only",
                            best_prediction.written / best_prediction.mapped), &place);
  else
    mapping = build(m, &best, &best_prediction, ret_code);
  if (mapping && least > 1) {
    mapping->plain = m->from->facts.kernel;
    mapping->least = least;
  }
  if (mapping) {
    add_remarks(m, &best.remarks);
    report(m, &best, mapping, dump);
  }
  code_drop_scan(&best.code);
  return mapping;
}

struct kernel_mapping *plan_map(const struct code *code, struct stager *stager, const struct plan_options *options,
                                struct text *dump, struct ir_function **ret_code)
{
  struct mapping m = { .from = code, .stager = stager, .options = options };
  struct code looked = copy_of(&m, code->remarks);
  const char *reason;
  struct ir_place place;

  if (options->mapping == MAPPING_NEVER)
    return NULL;
  if (!shape_free(&looked, &reason, &place)) {
    decline(&m, reason, &place);
    return NULL;
  }
  for (unsigned i = 0; i < code->kernel->param_count; i++)
    if (code->kernel->params[i]->type->is_unnamed || !code->kernel->params[i]->name) {
      decline(&m, "a parameter of it, or its type, has no name", &code->kernel->name_place);
      return NULL;
    }
  if (!find_totals(&m)) {
    decline(&m, "its grid is too large", &code->kernel->name_place);
    return NULL;
  }
  code_scan((struct code *)code);
  if (code->access_count > MOST_ACCESSES) {
    decline(&m, "it has too many accesses", &code->kernel->name_place);
    return NULL;
  }
  if (code->access.reject) {
    decline(&m, code->access.reject, &code->access.reject_place);
    return NULL;
  }
  bool flat = m.totals[1] == 1;
  if (options->mapping == MAPPING_BLOCK && options->mapping_shape.threads[0]) {
    struct shape given = shape_given(&options->mapping_shape);
    return choose(&m, &given, 1, dump, ret_code);
  }
  return choose(&m, flat ? shapes_1d : shapes_2d,
                flat ? sizeof shapes_1d / sizeof *shapes_1d : sizeof shapes_2d / sizeof *shapes_2d, dump, ret_code);
}
