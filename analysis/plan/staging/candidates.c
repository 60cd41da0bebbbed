/* SPDX-License-Identifier: MIT */
/* candidates.c - each array of a kernel, measured and judged: may a block keep it in shared memory,
 * and in which form?
 *
 * It first tries the constant range, then one that the launch's arguments give, then segments, then
 * the object as the launch finds it. Requires: the walk. Gives up at isl's computation limit; the
 * array is left alone then, and the remark says so.
 */
#include "analysis/plan/staging/planning.h"

#include "analysis/model/model.h"
#include "analysis/plan/report/explain.h"
#include "analysis/plan/staging/plan_choice.h"
#include "analysis/sets/budget.h"

void limit_operations(isl_ctx *ctx, const struct stager *stager)
{
  unsigned halvings = stager->exhausted < HALVINGS ? stager->exhausted : HALVINGS;

  isl_ctx_reset_operations(ctx);
  isl_ctx_set_max_operations(ctx, (unsigned long)OPERATIONS >> halvings);
}

bool exhausted(struct planning *p)
{
  bool failed = budget_unanswered(p->symbols.ctx);

  p->stager->exhausted += failed;
  isl_ctx_reset_error(p->symbols.ctx);
  limit_operations(p->symbols.ctx, p->stager);
  return failed;
}

static bool is_candidate_var(const struct array *array)
{
  return array->var->kind != IR_VAR_DEVICE && array->dim_count > 0;
}

static const char *element_reason(const struct array *array)
{
  const struct ir_type *element = array->element;

  if (element->size <= 0 || element->kind == IR_TYPE_VOID || element->kind == IR_TYPE_OTHER)
    return "its element type has no known size";
  if (element->is_unnamed) return "its element type has no name";
  if (element->is_volatile) return "it is volatile";
  if (element->kind == IR_TYPE_RECORD && !element->is_trivial)
    return "its elements have a constructor or an operator= of their own";
  return NULL;
}

static void limits(struct planning *p, struct candidate *c)
{
  const struct array *array = c->array;

  c->place = *array_place(array);
  if (p->access.reject)
    candidate_reject(c, &p->access.reject_place,
                     arena_format(arena_of(p), "in the kernel %s", p->access.reject));
  if (array->reject) candidate_reject(c, &array->reject_place, array->reject);
  if (element_reason(array)) candidate_reject(c, &c->place, element_reason(array));
  if (!array->accesses.count) candidate_reject(c, &c->place, "it is not accessed");
}

static void measure_shaped(struct planning *p, struct candidate *c)
{
  if (!c->reject) candidate_footprint(&p->symbols, c);
  if (!c->reject) candidate_range(&p->symbols, c);
  if (exhausted(p)) {
    c->reject = NULL;
    c->too_complex = true;
    candidate_reject(c, &c->place, budget_obstacle("its accesses are too complex"));
  }
}

static void measure(struct planning *p, struct candidate *c, bool split_constants)
{
  candidate_shape(&p->symbols, c, split_constants);
  measure_shaped(p, c);
}

static struct candidate *new_candidate(struct planning *p, struct array *array, unsigned order,
                                       bool at_launch)
{
  struct candidate *c = ARENA_NEW(arena_of(p), struct candidate);

  c->at_launch = at_launch;
  c->measured = p->measures;
  c->array = array;
  c->order = order;
  for (unsigned i = 0; i < array->accesses.count; i++) c->count += array->accesses.items[i].count;
  limits(p, c);
  return c;
}

bool has_constant_block(const struct planning *p)
{
  const int64_t *block = p->facts->block;
  return block[0] > 0 && block[1] > 0 && block[2] > 0;
}

/* May the launch's arguments decide? Its dynamic shared memory has to be the plan's. */
bool launch_can_choose(const struct planning *p)
{
  return p->facts->repeatable && p->facts->dynamic_shared == 0 &&
         !p->facts->kernel->reaches_dynamic_shared;
}

/* The packed form, where that saves memory. */
static struct candidate *packed(struct planning *p, struct array *array, unsigned order,
                                struct candidate *c)
{
  struct packing packings[MOST_PACKINGS];
  struct candidate *best = c;
  unsigned count = c->reject || c->over_all || !c->bytes
                       ? 0
                       : candidate_packings(&p->symbols, array, c->bytes, packings);

  for (unsigned i = 0; i < count; i++) {
    struct candidate *other = new_candidate(p, array, order, false);
    candidate_pack(&p->symbols, other, &packings[i]);
    measure_shaped(p, other);
    bool better = !other->reject && !other->over_all &&
                  candidate_saves((double)other->bytes, c->bytes) && other->bytes < best->bytes;
    if (best != c || !better) candidate_finish(better ? best : other);
    best = better ? other : best;
  }
  if (best != c) candidate_finish(c);
  return best;
}

/* The range as it is, or in rows where rows need less. */
static struct candidate *ranged_rows(struct planning *p, struct array *array, unsigned order)
{
  struct candidate *c = new_candidate(p, array, order, false);

  if (c->reject) return c;
  measure(p, c, false);
  if (c->is_flat || array->dim_count > 1) return c;
  struct candidate *rows = new_candidate(p, array, order, false);
  measure(p, rows, true);
  bool better = rows->is_flat && !rows->reject && (c->reject || rows->bytes < c->bytes);
  candidate_finish(better ? c : rows);
  return better ? rows : c;
}

static struct candidate *ranged_constant(struct planning *p, struct array *array, unsigned order)
{
  return packed(p, array, order, ranged_rows(p, array, order));
}

/* The constant range, or one that the launch's arguments give. */
static struct candidate *ranged(struct planning *p, struct array *array, unsigned order)
{
  struct candidate *c = ranged_constant(p, array, order);

  for (unsigned rows = 0;
       rows < 2 && !c->too_complex && (c->reject || c->bytes > p->left || c->over_all) &&
       c->dim_count && launch_can_choose(p);
       rows++) {
    struct candidate *other = new_candidate(p, array, order, true);
    if (!other->reject) measure(p, other, rows);
    bool better = !other->reject && (candidate_at_launch(other) || c->reject);
    candidate_finish(better ? c : other);
    c = better ? other : c;
  }
  return c;
}

static struct candidate *legal(struct planning *p, struct array *array, unsigned order)
{
  struct candidate *c = ranged(p, array, order);

  if (!c->reject) {
    candidate_alias(&p->symbols, &p->access, c, launch_can_choose(p));
    candidate_inspected(&p->symbols, &p->access, c);
    candidate_legal(&p->symbols, &p->access, c);
  }
  if (exhausted(p)) {
    c->reject = NULL;
    candidate_reject(c, &c->place, budget_obstacle("its accesses are too complex"));
  }
  return c;
}

/* Segments whose bases change in a loop; NULL: the index has none. */
static struct candidate *segmented(struct planning *p, struct array *array, unsigned order,
                                   bool reused)
{
  if (!p->symbols.inspects) return NULL;
  struct candidate *c = new_candidate(p, array, order, true);
  if (!c->reject && candidate_segments(&p->symbols, &p->access, c, reused)) {
    candidate_alias(&p->symbols, &p->access, c, true);
    candidate_inspected(&p->symbols, &p->access, c);
  }
  bool found = c->segmentation && !c->reject;
  if (exhausted(p) || !found) {
    candidate_finish(c);
    return NULL;
  }
  return c;
}

/* The candidate in its best form. If it is not legal otherwise, the object as the launch finds it
 * may still be. */
static struct candidate *judged(struct planning *p, struct array *array, unsigned order)
{
  struct candidate *c = segmented(p, array, order, true);

  if (c) return c;
  c = legal(p, array, order);
  if (!p->symbols.inspects || !c->reject || c->too_complex || c->has_extents ||
      array->dim_count != 1)
    return c;
  p->measures = true;
  struct candidate *other = legal(p, array, order);
  p->measures = false;
  if (other->reject) {
    candidate_finish(other);
    other = segmented(p, array, order, false);
  }
  if (other) candidate_finish(c);
  return other ? other : c;
}

static void explain(struct planning *p, const struct array *array, const struct candidate *c)
{
  if (!p->out->looks_only) return;
  explain_array(&p->symbols, &p->access, array, c, ARENA_PUSH(arena_of(p), &p->out->explained));
  exhausted(p);
}

const char *const cached_anyway =
    "the threads of a warp access one element or neighbours, which the cache serves as well";

/* The parameters of one of the array's indices; `number` counts over all accesses and dimensions.
 * NULL: the walk does not follow the index. */
static isl_space *index_space(const struct array *array, unsigned number)
{
  const struct access *access = &array->accesses.items[number / array->dim_count];
  const struct value *index = &access->index[number % array->dim_count];

  return index->aff ? isl_pw_aff_get_domain_space(index->aff) : NULL;
}

/* Is an index an element of a table that differs between threads? */
static bool is_through_table(const struct array *array)
{
  bool through = false;

  for (unsigned i = 0; i < array->accesses.count * array->dim_count; i++) {
    isl_space *space = index_space(array, i);
    for (int k = 0; space && k < isl_space_dim(space, isl_dim_param); k++)
      through |= symbol_of_param(space, (unsigned)k)->of_thread;
    isl_space_free(space);
  }
  return through;
}

bool is_scattered(struct planning *p, const struct array *array)
{
  for (unsigned i = 0; i < array->accesses.count; i++)
    if (model_request(&p->symbols, &array->accesses.items[i]) > MODEL_NEIGHBOURS) return true;
  return is_through_table(array);
}

/* Does the walk follow each index, and is no element of a table in it? */
static bool is_followed(const struct array *array)
{
  bool followed = !array->reject;

  for (unsigned i = 0; i < array->accesses.count * array->dim_count && followed; i++) {
    isl_space *space = index_space(array, i);
    followed = space && !symbols_any_unknown(space);
    isl_space_free(space);
  }
  return followed;
}

/* Is no array worth a copy, whatever its range is? Then no range is computed, which is most of the
 * work on a kernel. Dumps and pages show ranges in any case; and where a launch looks at tables,
 * their elements are indices of another kind. */
static bool none_pays(struct planning *p)
{
  if (p->options->level < PLAN_O2 || p->out->looks_only || p->options->dump_range ||
      p->options->staging == STAGING_ALWAYS || p->symbols.inspects)
    return false;
  for (unsigned i = 0; i < p->access.arrays.count; i++)
    if (!is_followed(p->access.arrays.items[i]) || is_scattered(p, p->access.arrays.items[i]))
      return false;
  return !exhausted(p);
}

void find_candidates(struct planning *p)
{
  bool none = none_pays(p);

  p->candidates = arena_alloc(arena_of(p), (p->access.arrays.count + 1) * sizeof *p->candidates);
  for (unsigned i = 0; i < p->access.arrays.count; i++) {
    struct array *array = p->access.arrays.items[i];
    dump_accesses(&p->out->access, &p->symbols, array);
    exhausted(p);
    if (!is_candidate_var(array)) {
      explain(p, array, NULL);
      continue;
    }
    struct candidate *c = none ? new_candidate(p, array, i, false) : judged(p, array, i);
    if (none && !c->reject) candidate_reject(c, &c->place, cached_anyway);
    p->candidates[p->count++] = c;
    dump_candidate_range(&p->out->range, &p->symbols, c);
    explain(p, array, c);
  }
}
