/* SPDX-License-Identifier: MIT */
/* explain.c - collects the decisions about the kernels of a unit.
 *
 *     launch -> facts -> explained_kernel: launches, decisions, variant;
 *         its arrays come from explain_ranges.c
 *
 * Requires: planning in its usual order, so that the result is the same from run to run.
 */
#include "analysis/plan/report/explain.h"

#include "analysis/host/launch_facts.h"
#include "analysis/plan/plan.h"
#include "analysis/plan/tuned.h"
#include "analysis/data/options.h"

static const char *const patterns[PATTERN_COUNT] = {"one element", "neighbours", "apart",
                                                    "through a table"};

const char *pattern_name(enum pattern pattern) { return patterns[pattern]; }

struct explanation *explain_begin(struct unit *unit, const struct plan_options *options)
{
  if (!options->explain) return NULL;
  struct explanation *e = ARENA_NEW(unit->arena, struct explanation);
  e->unit = unit;
  struct plan_options *kept = ARENA_NEW(unit->arena, struct plan_options);
  *kept = *options;
  e->options = kept;
  e->launches =
      arena_alloc(unit->arena, (unit->launches.count + 1) * sizeof(struct explained_launch *));
  return e;
}

static struct explained_kernel *kernel_of(struct explanation *e, struct ir_function *kernel,
                                          const struct kernel_facts *facts)
{
  for (unsigned i = 0; i < e->kernels.count; i++) {
    struct explained_kernel *other = e->kernels.items[i];
    if (other->kernel == kernel && other->has_facts == (facts != NULL) &&
        (!facts || facts_equal(&other->facts, facts)))
      return other;
  }
  struct explained_kernel *made = ARENA_NEW(e->unit->arena, struct explained_kernel);
  made->kernel = kernel;
  made->arena = e->unit->arena;
  made->has_facts = facts != NULL;
  if (facts) made->facts = *facts;
  if (facts) made->code = tuned_code_of(e->unit->arena, kernel);
  *ARENA_PUSH(e->unit->arena, &e->kernels) = made;
  return made;
}

static struct explained_launch *launch_of(struct explanation *e, const struct launch *launch)
{
  struct explained_launch **found = &e->launches[launch->id];

  if (!*found) {
    *found = ARENA_NEW(e->unit->arena, struct explained_launch);
    (*found)->launch = launch;
  }
  return *found;
}

struct explained_kernel *explain_launch(struct explanation *e, const struct launch *launch,
                                        struct ir_function *kernel,
                                        const struct kernel_facts *facts)
{
  if (!e) return NULL;
  struct explained_kernel *explained = kernel_of(e, kernel, facts);
  *ARENA_PUSH(e->unit->arena, &explained->launches) = launch_of(e, launch);
  return explained;
}

void explain_plan(struct explained_kernel *kernel, const struct remarks *found,
                  const struct kernel_variant *variant)
{
  if (!kernel) return;
  kernel->found = *found;
  kernel->variant = variant;
}

void explain_same(struct explained_kernel *kernel, const struct explained_kernel *as)
{
  if (!kernel || kernel == as) return;
  explain_plan(kernel, &as->found, as->variant);
  kernel->result = as->result;
  kernel->tuned = as->tuned;
}

void explain_tuned(struct explained_kernel *kernel, const char *key)
{
  if (kernel) kernel->tuned = key;
}

void explain_result(struct explained_kernel *kernel, const char *text)
{
  if (kernel) kernel->result = tuned_hash(kernel->arena, text);
}

void explain_decide_launch(struct explanation *e, const struct launch *launch,
                           enum decision_kind kind, bool taken, const char *text)
{
  if (!e) return;
  *ARENA_PUSH(e->unit->arena, &launch_of(e, launch)->decisions) =
      (struct decision){.kind = kind,
                        .taken = taken,
                        .place = launch->place,
                        .what = taken ? text : NULL,
                        .why = taken ? NULL : text};
}

void explain_close(struct explanation *e, const struct launch_plan *plans)
{
  for (unsigned i = 0; e && i < e->kernels.count; i++) {
    struct explained_kernel *kernel = e->kernels.items[i];
    bool used = false;
    for (unsigned k = 0; k < kernel->launches.count; k++) {
      struct explained_launch *launch = kernel->launches.items[k];
      const struct launch_plan *plan = &plans[launch->launch->id];
      launch->changed = plan->variant != NULL;
      launch->parted = plan->parts && !plan->only_devices;
      launch->spread = plan->on_devices;
      launch->stepped = plan->steps != NULL;
      used |= launch->changed;
    }
    if (!used) kernel->variant = NULL;
  }
}

static const char *shape_text(struct arena *arena, const int64_t shape[3])
{
  const char *text = "";

  for (int axis = 0; axis < 3; axis++)
    text = shape[axis] > 0
               ? arena_format(arena, "%s%s%lld", text, axis ? "x" : "", (long long)shape[axis])
               : arena_format(arena, "%s%s?", text, axis ? "x" : "");
  return text;
}

const char *explain_shape(struct arena *arena, const struct kernel_facts *facts)
{
  return arena_format(arena, "block %s grid %s", shape_text(arena, facts->block),
                      shape_text(arena, facts->grid));
}
