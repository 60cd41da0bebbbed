/* SPDX-License-Identifier: MIT */
/* plan_kernel.c - decides which arrays of a kernel are staged, by the greedy choice of the
 * explicit-cache paper, figure 5.
 *
 *     candidates by accesses per byte, descending; each is staged that fits into the rest of C
 *
 * Where sizes or the block shape are known only at run time, the launch makes this choice
 * (plan_choice.c). Requires: a kernel with IR. Produces: stages, remarks, dumps. Gives up at isl's
 * computation limit; the array (or the kernel) is left alone then, and the remark says so.
 */
#include "analysis/model/model.h"
#include "analysis/plan/staging/plan_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sets/budget.h"
#include "analysis/plan/report/explain.h"
#include "analysis/plan/staging/plan_choice.h"
#include "analysis/plan/staging/planning.h"
#include "analysis/plan/transforms.h"
#include "runtime/seeded.h"

#define STATIC_LIMIT UINT64_C(49152) /* bytes of static shared memory a kernel may have */
#define STAGE_ALIGNMENT UINT64_C(16) /* each staged copy begins at a multiple of it */

static void remark(struct planning *p, enum diag_id id, const struct ir_place *place,
                   const char *text)
{
  for (unsigned i = 0; i < p->out->remarks.items.count; i++)
    if (!strcmp(p->out->remarks.items.items[i].text, text) &&
        p->out->remarks.items.items[i].place.begin == place->begin)
      return;
  *ARENA_PUSH(arena_of(p), &p->out->remarks.items) =
      (struct remark){id, *place, text, budget_is_spent()};
}

static const int64_t *copied_elements(struct arena *arena, const struct candidate *c)
{
  int64_t *sizes = arena_alloc(arena, (c->dim_count + 1) * sizeof *sizes);

  for (unsigned d = 0; d < c->dim_count; d++) sizes[d] = c->length[d] ? -1 : c->size[d];
  return sizes;
}

static void decide(struct planning *p, const struct candidate *c, const char *what)
{
  struct decision decision = {.kind = DECISION_STAGING,
                              .taken = what != NULL,
                              .place = c->place,
                              .array = c->array->var->name,
                              .what = what,
                              .why = c->reject,
                              .copy = what && c->box ? copied_elements(arena_of(p), c) : NULL,
                              .copy_dims = what && c->box ? c->dim_count : 0};

  if (!decision.place.line) decision.place = p->facts->kernel->name_place;
  remarks_decide(arena_of(p), &p->out->remarks, &decision);
}

static void remark_skip(struct planning *p, struct candidate *c)
{
  struct ir_place place = c->place;

  if (!place.line) place = p->facts->kernel->name_place;
  decide(p, c, NULL);
  remark(p, DIAG_NOT_STAGED, &place,
         arena_format(arena_of(p), "'%s' is not staged in '%s': %s", c->array->var->name,
                      p->facts->kernel->name, c->reject));
  text_format(&p->out->plan, "  plan skip %s: %s\n", c->array->var->name, c->reject);
}

static uint64_t own_shared(const struct planning *p)
{
  return SEEDED(OWN_SHARED_MISSED) ? 0 : (uint64_t)p->facts->kernel->static_shared_bytes;
}

/* C without the user's own shared variables. 0 and a reason: their size is not known. */
static uint64_t capacity(struct planning *p, const char **ret_reason)
{
  const struct ir_function *kernel = p->facts->kernel;
  uint64_t limit = target_of(p->options->arch)->shared_bytes, own = own_shared(p);
  uint64_t c = p->options->shared_memory < limit ? p->options->shared_memory : limit;

  if (kernel->reaches_dynamic_shared && c > STATIC_LIMIT) c = STATIC_LIMIT;
  if (p->facts->dynamic_shared < 0) {
    *ret_reason = "the size of the kernel's dynamic shared memory is not constant";
    return 0;
  }
  own += (uint64_t)p->facts->dynamic_shared;
  return own < c ? c - own : 0;
}

/* ---- the choice ---- */

static double per_byte(const struct candidate *c)
{
  return c->reject || !c->bytes ? 0 : c->count / (double)c->bytes;
}

static int by_accesses_per_byte(const void *a, const void *b)
{
  const struct candidate *x = *(struct candidate *const *)a, *y = *(struct candidate *const *)b;

  if (per_byte(x) != per_byte(y)) return per_byte(x) < per_byte(y) ? 1 : -1;
  return (x->order > y->order) - (x->order < y->order);
}

/* At -O2 and above: the number of uses of an element by the block from which a copy pays for
 * itself. Measured on an H200 (docs/inside/measurements.md): dif uses an element 2 to 4 times and
 * loses up to a quarter; matmul uses it 128 times and gains 3.5 times. The time model is to replace
 * this constant. */
#define REUSE_NEEDED 8.0

/* The same number for segments that a loop fetches anew, with two barriers each time. The MPF
 * sample on an H200 (60 buckets): with 8, -O2 gains 1.26 (linear domain) and 1.22 (log) over -O0.
 * Without a copy, by the kernels for each number of segments alone, it gains 1.29 and 1.39. */
#define SEGMENT_REUSE_NEEDED 64.0

static const char in_registers[] = "each thread keeps its own elements in registers";

static bool reused(const struct planning *p, const struct candidate *c)
{
  double threads =
      (double)p->facts->block[0] * (double)p->facts->block[1] * (double)p->facts->block[2];

  return c->count * threads * (double)c->array->element->size >= REUSE_NEEDED * (double)c->bytes;
}

/* Is there a copy that pays? Where all threads of a warp access one element or neighbours, the
 * cache serves them as well as a copy: a convolution of 7 x 7 takes 1.04 times as long with its
 * image staged, a product with a staged vector 1.18 times. Beside a copy that pays, other copies
 * pay, too: k-means takes 0.72 times as long with its centres staged besides the points
 * (docs/inside/measurements.md). */
static bool pays(struct planning *p)
{
  for (unsigned i = 0; i < p->count; i++) {
    struct candidate *c = p->candidates[i];
    if (!c->reject && c->bytes <= p->left && reused(p, c) && is_scattered(p, c->array) &&
        !keeps_in_registers(p, c))
      return true;
  }
  return false;
}

/* Places the copy behind those before it. The plan's bytes and the capacity are counted up to its
 * end. */
static void take_space(struct planning *p, uint64_t bytes)
{
  uint64_t padding = (STAGE_ALIGNMENT - bytes % STAGE_ALIGNMENT) % STAGE_ALIGNMENT;
  uint64_t begin = (p->out->bytes + STAGE_ALIGNMENT - 1) / STAGE_ALIGNMENT * STAGE_ALIGNMENT;

  p->out->bytes = begin + bytes;
  p->left -= bytes;
  p->left -= padding < p->left ? padding : p->left;
}

static void choose(struct planning *p, struct candidate *c, const char *no_capacity)
{
  struct arena *arena = arena_of(p);
  struct stage *stage = &p->out->stages[p->out->stage_count];

  if (no_capacity)
    candidate_reject(c, &c->place, no_capacity);
  else if (!c->reject && c->bytes > p->left)
    candidate_reject(c, &c->place,
                     arena_format(arena, "%llu bytes do not fit %llu", (unsigned long long)c->bytes,
                                  (unsigned long long)p->left));
  else if (!c->reject && p->options->level >= PLAN_O2 && !reused(p, c))
    candidate_reject(c, &c->place, "each element is used less than 8 times in a block");
  else if (!c->reject && keeps_in_registers(p, c))
    candidate_reject(c, &c->place, in_registers);
  else if (!c->reject && p->options->level >= PLAN_O2 && !p->pays)
    candidate_reject(c, &c->place, cached_anyway);
  bool staged = !c->reject && candidate_lower(p->stager, &p->symbols, c, stage);
  if (exhausted(p) && !c->reject)
    candidate_reject(c, &c->place, budget_obstacle("its accesses are too complex"));
  if (c->reject || !staged) {
    remark_skip(p, c);
    return;
  }
  padding_wanted(p, c, stage);
  take_space(p, c->bytes);
  p->out->stage_count++;
  dump_stage(&p->out->plan, stage);
  decide(p, c,
         arena_format(arena, "%llu bytes, %g accesses per byte", (unsigned long long)c->bytes,
                      per_byte(c)));
  remark(p, DIAG_STAGED, &c->place,
         arena_format(arena, "'%s' is staged in '%s': %s, %llu bytes, %g accesses per byte",
                      c->array->var->name, p->facts->kernel->name, dump_box(&p->symbols, c),
                      (unsigned long long)c->bytes, per_byte(c)));
}

/* ---- the choice that the launch makes ---- */

static const char *segments_text(struct planning *p, const struct segmentation *segmentation)
{
  const char *what = segmentation->segment ? arena_format(arena_of(p), "a segment for each %s",
                                                          segmentation->segment->name)
                                           : "a segment";
  const char *when = segmentation->loop
                         ? arena_format(arena_of(p), "fetched anew where its base changes with %s",
                                        segmentation->iterator->name)
                         : "with a base of the block's own";
  return arena_format(arena_of(p), "%s, %s", what, when);
}

static void remark_choice(struct planning *p, struct candidate *c, uint64_t capacity)
{
  decide(p, c,
         arena_format(arena_of(p), "where it fits %llu bytes at the launch%s%s%s",
                      (unsigned long long)capacity,
                      c->no_alias_count ? " and no argument overlaps it" : "",
                      c->segmentation ? ": " : "",
                      c->segmentation ? segments_text(p, c->segmentation) : ""));
  remark(
      p, DIAG_STAGED, &c->place,
      arena_format(arena_of(p),
                   "'%s' is staged in '%s' where it fits %llu bytes at the launch%s: %s, %lld "
                   "bytes an element",
                   c->array->var->name, p->facts->kernel->name, (unsigned long long)capacity,
                   c->no_alias_count ? " and no argument overlaps it" : "",
                   c->segmentation ? segments_text(p, c->segmentation) : dump_box(&p->symbols, c),
                   (long long)c->array->element->size));
}

/* The least length that a launch can give dimension d; a fact such as low <= high of a table raises
 * it. */
static double least_length(struct planning *p, const struct candidate *c, unsigned d)
{
  if (!c->length[d]) return (double)c->size[d];
  isl_set *known = isl_set_params(symbols_close(&p->symbols, isl_set_copy(c->loose)));
  isl_val *least =
      isl_pw_aff_min_val(isl_pw_aff_intersect_params(isl_pw_aff_copy(c->length[d]), known));
  double length = least && isl_val_is_int(least) == isl_bool_true ? isl_val_get_d(least) : 1;

  isl_val_free(least);
  return length < 1 ? 1 : length;
}

enum { PARTS = 4096 }; /* of a rational factor */

/* Is length d more than `factor` times the threads along the axis, however many there are? */
static bool outgrows(struct planning *p, const struct candidate *c, unsigned d, int axis,
                     double factor)
{
  if (!c->length[d] || !(factor < INT32_MAX / PARTS)) return false;
  isl_val *parts = isl_val_int_from_si(p->symbols.ctx, (long)ceil(factor * PARTS));
  struct symbol *size = symbol_of_builtin(&p->symbols, (enum ir_builtin)(IR_BLOCK_DIM + axis));
  isl_pw_aff *threads = isl_pw_aff_scale_val(symbol_aff(&p->symbols, size), parts);
  isl_pw_aff *length = isl_pw_aff_scale_val(isl_pw_aff_copy(c->length[d]),
                                            isl_val_int_from_si(p->symbols.ctx, PARTS));
  isl_set *enough = symbols_close(&p->symbols, isl_pw_aff_ge_set(threads, length));
  bool never = isl_set_is_empty(enough) == isl_bool_true && !SEEDED(OUTGROWN_STAGED);

  isl_set_free(enough);
  return never;
}

/* ... of a block of which one axis has an unknown size: `fixed` threads along the others */
static bool is_outgrown(struct planning *p, const struct candidate *c, int axis, double fixed)
{
  for (unsigned d = 0; d < c->dim_count; d++) {
    double rest = REUSE_NEEDED;
    for (unsigned e = 0; e < c->dim_count; e++) rest *= e == d ? 1 : least_length(p, c, e);
    if (outgrows(p, c, d, axis, c->count * fixed / rest)) return true;
  }
  return false;
}

/* Are the accesses of a thread constant, and too few even for the least size that a launch can
 * give? */
static bool is_never_reused(struct planning *p, const struct candidate *c)
{
  double least = REUSE_NEEDED, threads = 1;
  int unknown = -1;

  if (p->options->level < PLAN_O2 || c->segmentation) return false;
  for (unsigned i = 0; i < c->array->accesses.count; i++)
    if (c->array->accesses.items[i].trips) return false;
  for (int axis = 0; axis < 3; axis++) {
    if (p->facts->block[axis] > 0)
      threads *= (double)p->facts->block[axis];
    else if (unknown < 0)
      unknown = axis;
    else
      return false;
  }
  if (unknown >= 0) return is_outgrown(p, c, unknown, threads);
  for (unsigned d = 0; d < c->dim_count; d++) least *= least_length(p, c, d);
  return c->count * threads < least;
}

/* The candidate for which the array only holds the bases of segments. NULL: the array has other
 * uses. */
static const struct candidate *gives_bases(struct planning *p, const struct array *array)
{
  const struct candidate *found = NULL;

  for (unsigned i = 0; i < p->count; i++) {
    const struct candidate *c = p->candidates[i];
    for (unsigned t = 0; t < c->table_count && !c->reject; t++) {
      if (c->tables[t].table == array->var && !c->tables[t].in_base) return NULL;
      if (c->tables[t].table == array->var) found = c;
    }
  }
  return found && found->array->accesses.count == array->accesses.count ? found : NULL;
}

/* Beside segments, which fill the rest of the memory, only arrays that pay for themselves are
 * staged. Then the kernel can be made for a number of segments. */
static void keep_segments_alone(struct planning *p)
{
  const struct candidate *segmented = NULL;

  for (unsigned i = 0; i < p->count; i++)
    if (p->candidates[i]->segmentation && !p->candidates[i]->reject &&
        !p->candidates[i]->only_beside)
      segmented = p->candidates[i];
  for (unsigned i = 0; i < p->count && segmented; i++)
    if (p->candidates[i]->only_beside)
      candidate_reject(p->candidates[i], &p->candidates[i]->place,
                       arena_format(arena_of(p), "the segments of '%s' take the space",
                                    segmented->array->var->name));
}

/* Further code for launches that find a property of the segments: from the first row that has
 * one. */
static const struct several *beside_segments(struct planning *p)
{
  const struct candidate *segmented = NULL;
  const struct several *found = NULL;

  for (unsigned i = 0; i < p->count && !segmented; i++)
    if (!p->candidates[i]->reject && p->candidates[i]->segmentation) segmented = p->candidates[i];
  for (unsigned i = 0; i < transform_count && segmented && !found; i++)
    if (transforms[i].beside && p->options->level >= transforms[i].level)
      found = transforms[i].beside(p->stager->unit, p->options->tuned_for, &p->symbols, &p->access,
                                   segmented, &p->out->remarks);
  return found;
}

/* Are there segments with kernels for their number, while nothing else is staged? */
static bool any_numbered(const struct planning *p)
{
  for (unsigned i = 0; i < p->count; i++) {
    const struct candidate *c = p->candidates[i];
    if (!c->reject && c->segmentation && c->segmentation->count) return true;
  }
  return false;
}

static void choose_at_launch(struct planning *p, const char *no_capacity)
{
  bool numbered = any_numbered(p);

  for (unsigned i = 0; i < p->count; i++) {
    struct candidate *c = p->candidates[i];
    if (no_capacity)
      candidate_reject(c, &c->place, no_capacity);
    else if (!c->reject && c->bytes > p->left)
      candidate_reject(c, &c->place,
                       arena_format(arena_of(p), "%llu bytes do not fit %llu",
                                    (unsigned long long)c->bytes, (unsigned long long)p->left));
    else if (!c->reject && gives_bases(p, c->array))
      candidate_reject(c, &c->place,
                       arena_format(arena_of(p), "it is read for the bases of the segments of '%s'",
                                    gives_bases(p, c->array)->array->var->name));
    else if (!c->reject && is_never_reused(p, c))
      candidate_reject(c, &c->place, "each element is used less than 8 times in a block");
    else if (!c->reject && keeps_in_registers(p, c))
      candidate_reject(c, &c->place, in_registers);
    c->only_beside = !c->reject && !is_scattered(p, c->array) &&
                     (p->options->level >= PLAN_O2 || (numbered && !c->segmentation));
    p->pays |= !c->reject && !c->only_beside;
  }
  keep_segments_alone(p);
  for (unsigned i = 0; i < p->count && !p->pays; i++)
    candidate_reject(p->candidates[i], &p->candidates[i]->place, cached_anyway);
  p->out->stage_count =
      plan_choice(p->stager, &p->symbols, p->candidates, p->count, p->out->stages);
  if (exhausted(p)) /* the expressions exist, or not: an array without one was rejected */
    p->out->stage_count = 0;
  for (unsigned i = 0; i < p->count; i++) {
    if (p->candidates[i]->reject)
      remark_skip(p, p->candidates[i]);
    else
      remark_choice(p, p->candidates[i], p->left);
  }
  bool has_segments = false;
  for (unsigned i = 0; i < p->out->stage_count; i++) {
    dump_stage(&p->out->plan, &p->out->stages[i]);
    has_segments |= p->out->stages[i].segmentation != NULL;
  }
  if (!p->out->stage_count) return;
  p->out->choice = ARENA_NEW(arena_of(p), struct kernel_choice);
  p->out->choice->has_segments = has_segments;
  p->out->choice->several = has_segments ? beside_segments(p) : NULL;
  p->out->choice->capacity = p->left;
  p->out->choice->values = p->symbols.values.items;
  p->out->choice->value_count = p->symbols.values.count;
  p->out->choice->segment_reuse = p->options->level >= PLAN_O2 ? SEGMENT_REUSE_NEEDED : 0;
  p->out->choice->reuse = p->options->level >= PLAN_O2 ? REUSE_NEEDED : 0;
}

static bool launch_has_to_choose(const struct planning *p)
{
  if (!launch_can_choose(p)) return false;
  for (unsigned i = 0; i < p->count; i++)
    if (!p->candidates[i]->reject && (candidate_at_launch(p->candidates[i]) ||
                                      p->candidates[i]->no_alias_count || p->candidates[i]->values))
      return true;
  return !has_constant_block(p);
}

/* Is there an array whose range the launch could find by a look at tables and objects? */
static bool needs_inspection(const struct planning *p)
{
  if (p->symbols.inspects || p->access.reject || !launch_can_choose(p)) return false;
  for (unsigned i = 0; i < p->count; i++) {
    const struct candidate *c = p->candidates[i];
    bool follows = c->dim_count == 1 && c->array->var->kind == IR_VAR_PARAM && !c->array->reject &&
                   !c->too_complex;
    if (follows && (c->reject || (candidate_has_unknown(c) && (c->over_all || c->bytes > p->left))))
      return true;
  }
  return false;
}

static void plan_arrays(struct planning *p)
{
  const char *no_capacity = NULL;

  access_collect(p->effects, &p->symbols, &p->access);
  if (exhausted(p) && !p->access.reject) {
    p->access.reject = budget_obstacle("the index expressions are too complex");
    p->access.reject_place = p->facts->kernel->name_place;
  }
  p->left = capacity(p, &no_capacity);
  p->out->explained.count = 0;
  p->out->reject = p->access.reject;
  find_candidates(p);
  qsort(p->candidates, p->count, sizeof *p->candidates, by_accesses_per_byte);
  p->out->stages = arena_alloc(arena_of(p), (p->count + 1) * sizeof *p->out->stages);
  if (needs_inspection(p)) {
    p->again = true;
    return;
  }
  if (p->out->looks_only) return;
  if (launch_has_to_choose(p)) {
    choose_at_launch(p, no_capacity);
    return;
  }
  p->pays = pays(p);
  for (unsigned i = 0; i < p->count; i++) choose(p, p->candidates[i], no_capacity);
  if (p->out->stage_count)
    pad_copies(p, own_shared(p) < STATIC_LIMIT ? STATIC_LIMIT - own_shared(p) : 0);
  p->out->dynamic = p->out->bytes + own_shared(p) > STATIC_LIMIT;
}

/* False: plan again, with a look at tables and objects. */
static bool plan_once(struct effects *effects, struct stager *stager,
                      const struct kernel_facts *facts, const struct plan_options *options,
                      bool inspects, struct kernel_plan *ret)
{
  struct planning p = {
      .effects = effects, .stager = stager, .facts = facts, .options = options, .out = ret};
  isl_ctx *ctx = budget_new_ctx(OPERATIONS);

  limit_operations(ctx, stager);
  symbols_init(&p.symbols, ctx, stager->unit->arena, facts);
  p.symbols.inspects = inspects;
  plan_arrays(&p);
  for (unsigned i = 0; i < p.count; i++) candidate_finish(p.candidates[i]);
  kernel_access_finish(&p.access);
  symbols_finish(&p.symbols);
  budget_free_ctx(ctx);
  return !p.again;
}

void plan_kernel(struct effects *effects, struct stager *stager, const struct kernel_facts *facts,
                 const struct plan_options *options, struct kernel_plan *ret)
{
  if (plan_once(effects, stager, facts, options, false, ret)) return;
  text_finish(&ret->access);
  text_finish(&ret->range);
  memset(&ret->access, 0, sizeof ret->access);
  memset(&ret->range, 0, sizeof ret->range);
  plan_once(effects, stager, facts, options, true, ret);
}

void kernel_plan_finish(struct kernel_plan *plan)
{
  text_finish(&plan->access);
  text_finish(&plan->range);
  text_finish(&plan->plan);
}

bool plan_stages(struct draft *draft)
{
  struct plan_options options = *draft->options;
  struct code *code = &draft->code;

  if (options.staging == STAGING_NEVER ||
      (!facts_block_is_constant(&code->facts) && !code->facts.repeatable))
    return false;
  if (options.staging == STAGING_ALWAYS) options.level = PLAN_O1;
  plan_kernel(code->effects, draft->stager, &code->facts, &options, draft->plan);
  return draft->plan->stage_count > 0;
}
