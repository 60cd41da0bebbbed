/* SPDX-License-Identifier: MIT */
/* strip_plan.c - decides whether a kernel's segments go through shared memory, and in strips of how
 * many elements.
 *
 *     512 threads, 16 bytes an element   =>   strips of 512 elements,
 *         8192 bytes: four blocks of a multiprocessor have 32 KB
 *
 * A strip has an element for each thread, so that all of them copy, and at least STRIP of them, so
 * that its barriers are rare. It has fewer where blocks would not be resident for lack of shared
 * memory. The gate is the model of tiles (model.c): a loop over a segment is a tiled loop, in the
 * launch's own shape. The gain comes from loads that each warp makes for itself as written.
 * Requires: promoted code. Gives up with a remark: no such loops, no gain, threads that cannot be
 * brought together.
 */
#include "analysis/transform/segment_stage/strip.h"
#include "analysis/code/converge.h"
#include "translator/base/diag.h"
#include "analysis/data/options.h"
#include "runtime/seeded.h"

#define GAIN_NEEDED 1.05

/* The segments that a warp finds, if all are empty, in the time of a batch: 3.3 cycles of an H200's
 * multiprocessor each, and 66 for the batch (model.c). */
enum { FEW_SEGMENTS = 20, FEWEST_SEGMENTS = 2 /* where the gate is off */ };
enum {
  STRIP = 256,
  LEAST_STRIP = 64,
  MOST_BATCH = 256,
  BLOCKS_PER_SM = 32,
  ASSUMED_THREADS = 128,
  STATIC_SHARED = 49152,
  OWN_SHARED = 1024,
  ASYNCHRONOUS_FROM = 80,
  MOST_EXPRESSIONS = 10000 /* the analysis takes time in proportion to their square */
};

struct choosing {
  struct code code; /* a copy, with a normal body */
  const struct code *from;
  const struct plan_options *options;
  const struct target *target;
  struct uniform uniform;
  struct strips strips;
  struct geometry geometry; /* the launch's block as one row of threads */
  uint64_t capacity;
  double gain;
};

static bool decline(struct choosing *c, const char *reason, const struct ir_place *place)
{
  code_decide(&c->code, (struct decision){.kind = DECISION_TILES, .place = *place, .why = reason});
  code_remark(&c->code, DIAG_NOT_STAGED, place,
              "nothing is staged in strips of a segment in '%s': %s", c->from->kernel->name,
              reason);
  return false;
}

/* ---- sizes ---- */

static int64_t block_of(const struct code *code)
{
  const int64_t *block = code->facts.block;
  return block[0] > 0 && block[1] > 0 && block[2] > 0 ? block[0] * block[1] * block[2] : -1;
}

static uint64_t slot_bytes(const struct strip *strip)
{
  uint64_t bytes = 0;

  for (unsigned i = 0; i < strip->array_count; i++)
    bytes += (uint64_t)(strip->arrays[i].array->element->size * strip->arrays[i].row_trips);
  for (unsigned i = 0; i < strip->carried_count; i++)
    bytes += (uint64_t)strip->carried[i]->type->size;
  return bytes;
}

/* The bytes of the tables of segments. */
static uint64_t batch_bytes(const struct strip *strip)
{
  uint64_t each = sizeof(int64_t) + (uint64_t)strip->segment->loop->iterator->type->size;

  for (unsigned i = 0; i < strip->place_count; i++) each += (uint64_t)strip->places[i]->type->size;
  return strip->nest == strip->segment ? 0 : (uint64_t)strip->batch * each + sizeof(int64_t);
}

static void choose_slots(struct choosing *c, struct strip *strip)
{
  int64_t threads = c->geometry.threads[0], slots = STRIP,
          resident = c->target->threads_per_sm / threads;
  uint64_t each = slot_bytes(strip),
           share = c->target->shared_per_sm /
                   (uint64_t)((resident < BLOCKS_PER_SM ? resident : BLOCKS_PER_SM) + 1);
  uint64_t own = OWN_SHARED + batch_bytes(strip);

  while (slots < threads) slots *= 2;
  if (share > c->capacity / c->strips.count) share = c->capacity / c->strips.count;
  while (slots > LEAST_STRIP && (uint64_t)slots * each + own > share) slots /= 2;
  strip->slots = slots;
  strip->bytes = (uint64_t)slots * each + batch_bytes(strip);
  strip->asynchronous = c->options->tuned_for >= ASYNCHRONOUS_FROM;
}

/* ---- time ---- */

/* Describes the strip as a tile, for the model. */
static void describe(struct choosing *c, const struct strip *strip, struct tile *ret)
{
  struct arena *arena = c->code.arena;

  *ret = (struct tile){.loop = strip->segment,
                       .size = strip->slots,
                       .array_count = strip->array_count,
                       .bytes = strip->bytes};
  ret->arrays = arena_alloc(arena, (strip->array_count + 1) * sizeof *ret->arrays);
  for (unsigned i = 0; i < strip->array_count; i++) {
    const struct strip_array *array = &strip->arrays[i];
    struct stage *stage = &ret->arrays[i].stage;
    ret->arrays[i] = (struct tile_array){
        .array = (struct array *)array->array, .count = array->count, .vector = 1};
    ret->arrays[i].bytes =
        (uint64_t)(strip->slots * array->array->element->size * array->row_trips);
    stage->dim_count = 1;
    stage->accesses = arena_alloc(arena, (strip->access_count + 1) * sizeof *stage->accesses);
    for (unsigned k = 0; k < strip->access_count; k++)
      if (strip->accesses[k].array == i)
        stage->accesses[stage->access_count++] =
            (struct stage_access){.expr = strip->accesses[k].expr};
  }
}

static double gain_of(struct choosing *c, struct prediction *ret)
{
  struct tiles tiles = {.count = c->strips.count};
  struct workload load;

  for (unsigned i = 0; i < c->strips.count; i++) describe(c, &c->strips.items[i], &tiles.items[i]);
  model_measure(&c->code, &c->uniform.in, &c->geometry, &tiles, &load);
  for (unsigned i = 0; i < c->strips.count; i++)
    load.nested[i] = c->strips.items[i].nest != c->strips.items[i].segment;
  load.shared += (double)c->from->kernel->static_shared_bytes;
  return model_gain_in_place(&load, c->target, ret);
}

/* ---- the kernel ---- */

static bool has_room(struct choosing *c)
{
  const struct ir_function *kernel = c->from->kernel;
  uint64_t own = (uint64_t)kernel->static_shared_bytes,
           all = c->options->shared_memory < STATIC_SHARED ? c->options->shared_memory
                                                           : STATIC_SHARED;
  int64_t dynamic = c->from->facts.dynamic_shared;

  if (dynamic < 0)
    return decline(c, "the size of the kernel's dynamic shared memory is not constant",
                   &kernel->name_place);
  own += (uint64_t)dynamic;
  c->capacity = own < all ? all - own : 0;
  uint64_t bytes = 0;
  for (unsigned i = 0; i < c->strips.count; i++) {
    choose_slots(c, &c->strips.items[i]);
    bytes += c->strips.items[i].bytes;
  }
  return bytes <= c->capacity
             ? true
             : decline(c, "its copies do not fit shared memory besides the kernel's own arrays",
                       &kernel->name_place);
}

static const char *names_of(struct choosing *c, const struct strip *strip)
{
  const char *text = "";

  for (unsigned i = 0; i < strip->array_count; i++) {
    bool again = false;
    for (unsigned k = 0; k < i; k++)
      again |= strip->arrays[k].array->var == strip->arrays[i].array->var;
    if (!again)
      text = arena_format(c->code.arena, "%s%s%s", text, *text ? ", " : "",
                          strip->arrays[i].array->var->name);
  }
  return text;
}

static const char *what_of(struct choosing *c, const struct strip *strip)
{
  return arena_format(c->code.arena, "%lld elements at a time of %s, %llu bytes",
                      (long long)strip->slots,
                      strip->nest == strip->segment ? "a segment of more than 32"
                                                    : "all segments of the loops around it",
                      (unsigned long long)strip->bytes);
}

static void report(struct choosing *c, struct text *dump, struct strip_plan *ret)
{
  int64_t threads = block_of(&c->code);
  const char *users = threads > 0
                          ? arena_format(c->code.arena, "the block's %lld threads use each element",
                                         (long long)threads)
                          : "all threads of a block use each element";

  ret->note = "with strips of segments in shared memory:";
  for (unsigned i = 0; i < c->strips.count; i++) {
    const struct strip *strip = &c->strips.items[i];
    const char *names = names_of(c, strip), *what = what_of(c, strip);
    for (unsigned k = 0; k < strip->array_count; k++)
      ret->arrays[ret->array_count++] = strip->arrays[k].array->var;
    code_decide(&c->code, (struct decision){.kind = DECISION_TILES,
                                            .taken = true,
                                            .place = strip->segment->place,
                                            .array = names,
                                            .what = what,
                                            .why = users,
                                            .gain = c->gain});
    code_remark(&c->code, DIAG_STAGED, &strip->segment->place,
                "'%s' is staged in strips of a segment in '%s': %s; %s; predicted gain %.2f", names,
                c->from->kernel->name, what, users, c->gain);
    text_format(dump, "  plan strips %s %lld elements %llu bytes%s\n", names,
                (long long)strip->slots, (unsigned long long)strip->bytes,
                strip->nest == strip->segment ? "" : " of a nest");
    ret->note = arena_format(c->code.arena, "%s%s %s, %s", ret->note, i ? ";" : "", names, what);
  }
}

bool strip_stages(const struct strip_plan *plan, const struct ir_var *array)
{
  for (unsigned i = 0; i < plan->array_count; i++)
    if (plan->arrays[i] == array) return true;
  return false;
}

static bool is_wanted(const struct plan_options *options)
{
  return options->level >= PLAN_O2 && options->mapping != MAPPING_NEVER &&
         options->mapping != MAPPING_TEAM && options->staging != STAGING_NEVER;
}

/* Keeps the strips whose threads can be brought together; the others are reported. */
static void keep_reachable(struct choosing *c)
{
  int64_t threads = c->geometry.threads[0];
  unsigned kept = 0;

  for (unsigned i = 0; i < c->strips.count; i++) {
    c->strips.items[i].batch = threads < MOST_BATCH ? threads : MOST_BATCH;
    c->strips.items[i].few = c->options->mapping == MAPPING_ALWAYS ? FEWEST_SEGMENTS : FEW_SEGMENTS;
  }
  for (unsigned i = 0; i < c->strips.count; i++) {
    struct strips one = {.items = {c->strips.items[i]}, .count = 1};
    struct code trial = c->code;
    const char *reason;
    struct ir_place place;
    trial.facts.kernel = ir_copy_function(c->code.arena, c->code.facts.kernel);
    one.items[0].slots = LEAST_STRIP;
    if (strip_build(&trial, &c->uniform, &one, &reason, &place))
      c->strips.items[kept++] = c->strips.items[i];
    else
      decline(c, reason, &place);
  }
  c->strips.count = kept;
}

static bool plan(struct choosing *c, struct text *dump, struct strip_plan *ret)
{
  struct prediction prediction;
  const char *reason;
  struct ir_place place = c->from->kernel->name_place;

  if (c->code.access.meet_reject && !SEEDED(STRIP_MEETING))
    return decline(c, c->code.access.meet_reject, &c->code.access.meet_place);
  keep_reachable(c);
  if (!c->strips.count || !has_room(c)) return false;
  c->gain = gain_of(c, &prediction);
  if (c->options->mapping != MAPPING_ALWAYS && c->gain < GAIN_NEEDED)
    return decline(
        c,
        arena_format(c->code.arena,
                     "strips in shared memory are predicted to gain a factor of %.2f only",
                     c->gain),
        &place);
  struct ir_stmt *body = strip_build(&c->code, &c->uniform, &c->strips, &reason, &place);
  if (!body) return decline(c, reason, &place);
  report(c, dump, ret);
  code_ask_no_alias(&c->code, &ret->no_alias);
  c->code.facts.kernel->body = body;
  ret->code = c->code.facts.kernel;
  return true;
}

bool plan_strips(struct code *code, const struct plan_options *options, struct text *dump,
                 struct strip_plan *ret)
{
  struct choosing c = {
      .code = *code, .from = code, .options = options, .target = target_of(options->tuned_for)};
  int64_t threads = block_of(code);

  *ret = (struct strip_plan){0};
  if (!is_wanted(options)) return false;
  if (code->facts.kernel->expr_count > MOST_EXPRESSIONS)
    return decline(&c, "the kernel is too large to look for segments", &code->kernel->name_place);
  threads = threads > 0 ? threads : ASSUMED_THREADS;
  c.geometry = (struct geometry){{threads, 1}, {threads, 1}, {1, 1}, 0, false};
  c.code.scanned = false;
  c.code.no_alias = code->facts.repeatable;
  c.code.facts.kernel = ir_copy_function(code->arena, code->facts.kernel);
  c.code.facts.kernel->body = converge_normal(&c.code);
  code_scan(&c.code);
  bool taken = false;
  if (!c.code.access.reject) {
    uniform_analyze(&c.code, &c.uniform);
    strip_find(&c.code, &c.uniform, &c.strips);
    taken = c.strips.count && plan(&c, dump, ret);
  }
  code_drop_scan(&c.code);
  return taken;
}

static bool covers(const void *context, const struct ir_var *array)
{
  return strip_stages(context, array);
}

bool plan_segment_stage(struct draft *draft)
{
  struct strip_plan strips;
  struct remarks remarks = {0}, *all = draft->code.remarks;
  struct text dump = {0};

  draft->code.remarks = &remarks;
  bool taken = plan_strips(&draft->code, draft->options, &dump, &strips);
  draft->code.remarks = all;
  if (taken && draft->options->mapping != MAPPING_ALWAYS &&
      draft->stages_others(draft, covers, &strips)) {
    remarks = (struct remarks){0};
    taken = false;
  }
  remarks_append(draft->code.arena, all, &remarks);
  text_add(draft->dump, text_string(&dump));
  text_finish(&dump);
  if (!taken) return false;
  draft->suffix = "strips";
  draft->note = strips.note;
  draft->no_alias = strips.no_alias;
  draft->changed = strips.code;
  ir_own_body(draft->code.arena, strips.code);
  return true;
}
