/* SPDX-License-Identifier: MIT */
/* unit.c - decides everything for a unit.
 *
 *     launches -> facts -> (memo) plan_kernel -> variants; launch plans; host_plan
 *
 * Launches with equal facts, or whose plans and changed code read the same, share a variant.
 * Requires: the frontend's unit. Produces: struct plan. A launch keeps the original kernel when
 * nothing is staged or its block shape is not constant, with a remark.
 */
#include <string.h>

#include "analysis/sets/budget.h"
#include "analysis/plan/verify/emitted.h"
#include "analysis/plan/verify/mistakes.h"
#include "analysis/plan/report/explain.h"
#include "analysis/plan/report/unfinished.h"
#include "analysis/host/host_plan.h"
#include "analysis/host/launch_facts.h"
#include "analysis/plan/asking.h"
#include "analysis/plan/launch/launch_keep.h"
#include "analysis/plan/launch/launch_devices.h"
#include "analysis/plan/launch/launch_outcome.h"
#include "analysis/plan/launch/launch_parts.h"
#include "analysis/plan/plan_text.h"
#include "analysis/plan/launch/launch_plan.h"
#include "analysis/plan/launch/launch_range.h"
#include "analysis/plan/kernel.h"
#include "analysis/plan/staging/enumerate.h"
#include "analysis/plan/staging/plan_kernel.h"
#include "analysis/plan/transforms.h"
#include "analysis/plan/tuned.h"
#include "analysis/transform/inline/inline.h"
#include "analysis/transform/powers/powers.h"

struct planned {                            /* one set of facts, planned */
  const struct explained_kernel *explained; /* NULL: no report is wanted */
  struct kernel_facts facts;
  struct kernel_variant *variant; /* NULL: nothing is staged */
  const char *text;               /* the text of the plan, and the changed code */
};

struct unit_planning {
  struct unit *unit;
  const struct plan_options *options;
  struct diag *diag;
  struct effects effects;
  struct stager stager;
  struct constants *constants;
  struct plan *plan;
  LIST_OF(struct planned) done;
  LIST_OF(struct remark) remarks;     /* reported so far */
  struct explained_kernel *explained; /* the one that is being planned; NULL: no report is wanted */
  /* By launch id: the axis along which its ranges tell blocks apart and parts may pay; -1: none. */
  int *part_axes;
};

static void report(struct unit_planning *p, enum diag_id id, const struct ir_place *place,
                   const char *text)
{
  for (unsigned i = 0; i < p->remarks.count; i++)
    if (p->remarks.items[i].id == id && p->remarks.items[i].place.file == place->file &&
        p->remarks.items[i].place.begin == place->begin && !strcmp(p->remarks.items[i].text, text))
      return;
  *ARENA_PUSH(p->unit->arena, &p->remarks) = (struct remark){id, *place, text, false};

  struct diag_place where = {0};
  if (place->line && place->file < p->unit->files.count) {
    where.file = p->unit->files.items[place->file].path;
    where.source = p->unit->files.items[place->file].text;
    where.line = place->line;
    where.column = place->column;
  }
  diag_report(p->diag, id, &where, "%s", text);
}

static void report_all(struct unit_planning *p, const struct remarks *remarks)
{
  for (unsigned i = 0; i < remarks->items.count; i++)
    report(p, remarks->items.items[i].id, &remarks->items.items[i].place,
           remarks->items.items[i].text);
}

static void dump(const struct unit_planning *p, const struct kernel_facts *facts,
                 const struct kernel_plan *plan)
{
  struct {
    struct text *to;
    const struct text *from;
  } dumps[] = {
      {p->options->dump_access, &plan->access},
      {p->options->dump_range, &plan->range},
      {p->options->dump_plan, &plan->plan},
  };

  for (unsigned i = 0; i < 3; i++)
    if (dumps[i].to) {
      dump_kernel(dumps[i].to, facts);
      text_add(dumps[i].to, text_string(dumps[i].from));
    }
}

static struct kernel_variant *new_variant(struct unit_planning *p, const struct kernel_facts *facts,
                                          struct ir_function *code, const struct kernel_plan *plan)
{
  struct kernel_variant *variant = ARENA_NEW(p->unit->arena, struct kernel_variant);

  variant->kernel = facts->kernel;
  variant->code = code;
  variant->promoted = plan->promoted;
  variant->mapping = plan->mapping;
  variant->choice = plan->choice;
  variant->suffix = plan->suffix;
  variant->note = plan->note;
  variant->restricted = plan->restricted;
  variant->added = plan->added;
  variant->no_alias = plan->no_alias.items;
  variant->no_alias_count = plan->no_alias.count;
  variant->asks = plan->asks;
  variant->number = 1;
  for (unsigned i = 0; i < p->plan->variants.count; i++)
    variant->number += p->plan->variants.items[i]->kernel == facts->kernel;
  memcpy(variant->block, facts->block, sizeof variant->block);
  variant->stages = plan->stages;
  variant->stage_count = plan->stage_count;
  variant->bytes = plan->bytes;
  variant->dynamic = plan->dynamic;
  variant->runs_axis = -1;
  enumerate_kernels(p->unit, p->options, variant);
  *ARENA_PUSH(p->unit->arena, &p->plan->variants) = variant;
  return variant;
}

/* The variant from other facts whose plan has the same text. */
static struct kernel_variant *same_plan(struct unit_planning *p, const struct kernel_facts *facts,
                                        const char *text)
{
  for (unsigned i = 0; i < p->done.count; i++) {
    const struct planned *other = &p->done.items[i];
    if (other->variant && other->facts.kernel == facts->kernel && !strcmp(other->text, text) &&
        !memcmp(other->facts.block, facts->block, sizeof facts->block))
      return other->variant;
  }
  return NULL;
}

static struct ir_function *kernel_code(struct unit_planning *p, const struct kernel_facts *facts,
                                       struct kernel_plan *plan)
{
  return plan_kernel_code(p->unit, &p->effects, &p->stager, facts, p->options, plan);
}

static void warn_tuned(struct unit_planning *p, const struct kernel_facts *facts,
                       const struct tuned_plan *tuned, const char *text)
{
  if (tuned->tried) return;
  report(p, DIAG_TUNED_IGNORED, &facts->kernel->name_place,
         arena_format(p->unit->arena, "'%s', %s: %s", facts->kernel->name,
                      explain_shape(p->unit->arena, facts), text));
}

/* Plans the kernel by its best measured plan. NULL: there is none, or it does not come out. */
static struct ir_function *plan_tuned(struct unit_planning *p, const struct kernel_facts *facts,
                                      struct kernel_plan *plan)
{
  const struct plan_options *usual = p->options;
  struct plan_options options;
  const struct tuned_plan *tuned = NULL;
  enum tuned_match match = tuned_plan_of(p->unit->arena, usual, facts, &tuned);

  if (match == TUNED_STALE)
    warn_tuned(p, facts, tuned,
               "the kernel has changed since it was tuned, so that its tuned plan is not taken");
  if (match != TUNED_FOUND) return NULL;
  if (!tuned_options(usual, tuned->key, &options)) {
    warn_tuned(p, facts, tuned,
               arena_format(p->unit->arena, "there is no plan '%s' at this level", tuned->key));
    return NULL;
  }
  p->options = &options;
  struct ir_function *code = kernel_code(p, facts, plan);
  p->options = usual;
  if (tuned_is_taken(tuned->key, plan)) {
    explain_tuned(p->explained, tuned->key);
    return code;
  }
  kernel_plan_finish(plan);
  warn_tuned(p, facts, tuned,
             arena_format(p->unit->arena, "its tuned plan '%s' has no form any more", tuned->key));
  return NULL;
}

static const char *kept_text(struct unit_planning *p, struct text *text)
{
  const char *copy = arena_string(p->unit->arena, text_string(text));

  text_finish(text);
  return copy;
}

/* The text of a plan. Under other facts a launch may get other code by the same steps, so the code
 * is part of it. */
static const char *text_of(struct unit_planning *p, const struct kernel_facts *facts,
                           const struct ir_function *code, const struct kernel_plan *plan)
{
  struct text text = {0};

  text_add(&text, text_string(&plan->plan));
  plan_print_code(&text, facts, code, plan);
  return kept_text(p, &text);
}

/* Records the result, without the declined attempts. */
static void explain_outcome(struct unit_planning *p, const struct kernel_facts *facts,
                            const struct ir_function *code, const struct kernel_plan *plan)
{
  struct text text = {0};

  if (!p->explained) return;
  for (unsigned i = 0; i < plan->stage_count; i++) dump_stage(&text, &plan->stages[i]);
  for (unsigned i = 0; plan->mapping && i < plan->mapping->version_count; i++) {
    const struct mapped_version *v = &plan->mapping->versions[i];
    text_format(&text, "%lld %lld %lld %lld %d %lld %lld %lld\n", (long long)v->block[0],
                (long long)v->block[1], (long long)v->threads[0], (long long)v->threads[1],
                v->specialised, (long long)v->least, (long long)v->most, (long long)v->most_blocks);
  }
  plan_print_code(&text, facts, code, plan);
  explain_result(p->explained, kept_text(p, &text));
}

static bool is_better(const struct kernel_plan *plan, const struct kernel_plan *than)
{
  if (plan->mapping) return !than->mapping || plan->mapping->gain > 1.15 * than->mapping->gain;
  if (than->mapping || than->note || plan->stage_count) return false;
  return plan->note || (plan->promoted > than->promoted && !than->stage_count);
}

/* Drops the widening to long long in the launch's arithmetic, which does not interest readers. */
static struct ir_expr *drop_cast(struct ir_rewriter *r, struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_CAST ? ir_rewrite_expr(r, expr->operands[0]) : NULL;
}

static void report_asked(struct unit_planning *p, const struct kernel_facts *facts,
                         const struct kernel_plan *plan)
{
  struct arena *arena = p->unit->arena;
  const char *name = facts->kernel->name;
  struct text text = {0};

  struct ir_rewriter plain = {arena, drop_cast, NULL};
  if (plan->asks) explain_expr(&text, arena, ir_rewrite_expr(&plain, plan->asks));
  if (plan->no_alias.count)
    report(p, DIAG_APART, &facts->kernel->name_place,
           arena_format(arena,
                        "'%s' is changed for launches whose arguments do not overlap: each launch "
                        "compares %u pair%s of ranges",
                        name, plan->no_alias.count, plan->no_alias.count > 1 ? "s" : ""));
  if (plan->asks)
    report(p, DIAG_APART, &facts->kernel->name_place,
           arena_format(arena, "'%s' is changed for launches with %s", name, text_string(&text)));
  text_finish(&text);
}

static bool changes_nothing(const struct kernel_plan *plan)
{
  return !plan->mapping && !plan->note && !plan->promoted && !plan->stage_count;
}

/* Plans for launches that check that their arguments do not overlap and that rows are as long as
 * their strides, if that allows more. If even the kernel's shape allows nothing, the reasons are
 * its own. A plan that was cut off, its steps used up, takes the place only of one without a
 * mapping, where it has one. */
static struct ir_function *plan_asking(struct unit_planning *p, const struct kernel_facts *facts,
                                       struct ir_function *code, struct kernel_plan *plan)
{
  struct kernel_facts asked = *facts;
  struct kernel_plan other;
  bool assumed = false;

  if (p->options->level < PLAN_O2 || !facts->repeatable || budget_is_spent()) return code;
  if (asking_overlap(&p->effects, facts)) asked.assumed = &assumed;
  struct arena *arena = p->unit->arena;
  struct ir_expr *shape = asking_shape(p->unit, &asked), *layers = asking_layers(p->unit, &asked),
                 *rows = asking_rows(p->unit, &p->effects, &asked);
  struct ir_expr *asks = ir_build_both(arena, shape, ir_build_both(arena, layers, rows));
  if (!asks && !asked.assumed) return code;
  asked.asked = true;
  struct ir_function *changed = kernel_code(p, &asked, &other);
  bool whole = !budget_is_spent() || changes_nothing(plan) || (other.mapping && !plan->mapping);
  bool taken = (asks || (assumed && other.no_alias.count)) && is_better(&other, plan) &&
               (!shape || !other.stage_count) && whole;
  bool told = taken || (changes_nothing(plan) && changes_nothing(&other));
  kernel_plan_finish(told ? plan : &other);
  if (told) *plan = other;
  if (!told && budget_is_spent()) unfinished_doubt(&plan->remarks);
  if (!taken) return code;
  plan->asks = asks;
  if (plan->mapping) plan->mapping->written = facts->kernel;
  report_asked(p, facts, plan);
  return changed;
}

/* Was the plan made for these facts? Repeatable launches and others share a mapping. */
static bool planned_for(const struct planned *done, const struct kernel_facts *facts)
{
  struct kernel_facts same = *facts;

  if (done->variant && done->variant->mapping && !done->variant->mapping->written &&
      !done->variant->added.count)
    same.repeatable = done->facts.repeatable;
  return facts_equal(&done->facts, &same);
}

/* Where parameters may overlap the plan that asks gets most of the steps. */
static struct ir_function *plan_as_known(struct unit_planning *p, const struct kernel_facts *facts,
                                         struct kernel_plan *plan)
{
  bool asks =
      p->options->level >= PLAN_O2 && facts->repeatable && asking_overlap(&p->effects, facts);
  unsigned long steps = budget_begin_part(asks ? 3 : 1);
  struct ir_function *code = kernel_code(p, facts, plan);
  return budget_end_part(steps), code;
}

static struct kernel_variant *plan_facts(struct unit_planning *p, const struct kernel_facts *facts)
{
  struct kernel_plan plan;

  for (unsigned i = 0; i < p->done.count; i++)
    if (planned_for(&p->done.items[i], facts)) {
      explain_same(p->explained, p->done.items[i].explained);
      return p->done.items[i].variant;
    }
  struct ir_function *code = plan_tuned(p, facts, &plan);
  if (!code) code = plan_asking(p, facts, plan_as_known(p, facts, &plan), &plan);
  struct planned *planned = ARENA_PUSH(p->unit->arena, &p->done);
  planned->facts = *facts;
  planned->text = text_of(p, facts, code, &plan);
  if (plan.stage_count || plan.promoted || plan.mapping || plan.note) {
    struct kernel_variant *same = same_plan(p, facts, planned->text);
    planned->variant = same ? same : new_variant(p, facts, code, &plan);
  }
  dump(p, facts, &plan);
  unfinished_tell(p->unit->arena, facts, p->options->effort, planned->variant != NULL,
                  &plan.remarks);
  planned->explained = p->explained;
  explain_plan(p->explained, &plan.remarks, planned->variant);
  explain_outcome(p, facts, code, &plan);
  report_all(p, &plan.remarks);
  kernel_plan_finish(&plan);
  return planned->variant;
}

static void plan_ranges(struct unit_planning *p, struct kernel_facts *facts,
                        const struct launch *launch)
{
  int axis = p->options->parts == PARTS_NEVER ? -1 : parts_axis(facts, launch);
  struct launch_plan *plan = &p->plan->launches[launch->id];

  plan_launch_ranges(&p->effects, facts, launch, axis, p->options->level >= PLAN_O1, plan);
  bool any = axis >= 0 && plan->hooked &&
             (parts_may_pay(facts, plan, p->options->parts == PARTS_ALWAYS) ||
              devices_may_pay(&p->effects, launch, plan, p->options->level >= PLAN_O3));
  p->part_axes[launch->id] = any ? axis : -1;
}

/* Plans a launch's parts, once batches are known. */
static void plan_parts(struct unit_planning *p, const struct launch *launch)
{
  int axis = p->part_axes[launch->id];
  enum diag_id id;

  if (axis < 0) return;
  const char *remark = plan_parted_launch(p->plan, p->unit, &p->effects, launch, axis,
                                          p->options->level >= PLAN_O3, &id);
  report(p, id, &launch->place, remark);
}

static void keep_launch(struct unit_planning *p, const struct launch *launch, const char *reason)
{
  explain_launch(p->plan->explanation, launch, launch->kernel, NULL);
  explain_decide_launch(p->plan->explanation, launch, DECISION_KERNEL, false, reason);
  report(p, DIAG_LAUNCH_KEPT, &launch->place, reason);
}

/* The planned kernel, unless the launch's text has no place for it. NULL: the kernel as written. */
static const struct kernel_variant *
take_variant(struct unit_planning *p, const struct launch *launch, struct kernel_variant *variant)
{
  struct launch_plan *plan = &p->plan->launches[launch->id];
  const char *reason =
      variant ? launch_keeps_kernel(p->unit, p->options, launch, variant, &plan->declared) : NULL;

  if (!reason) return plan->variant = variant;
  explain_decide_launch(p->plan->explanation, launch, DECISION_KERNEL, false, reason);
  report(p, DIAG_LAUNCH_KEPT, &launch->place,
         arena_format(p->unit->arena, "this launch keeps the original '%s': %s",
                      launch->callee_text, reason));
  return NULL;
}

/* Plans the launch's ranges and, at -O1 and above, the changed kernel. */
static void plan_kernel_of(struct unit_planning *p, const struct launch *launch)
{
  struct ir_function *kernel = launch->kernel;
  struct kernel_facts facts;

  if (p->options->level < PLAN_O1 && !(kernel && kernel->body)) return;
  if (launch->is_general) return; /* its specialisations have plans of their own */
  if (!kernel) {
    keep_launch(p, launch, "the kernel of this launch is not known");
    return;
  }
  if (!kernel->body) {
    const char *reason = kernel->is_template ? "it is a template" : "it is not defined here";
    if (kernel->verbatim) reason = kernel->verbatim;
    explain_launch(p->plan->explanation, launch, kernel, NULL);
    explain_decide_launch(p->plan->explanation, launch, DECISION_KERNEL, false, reason);
    report(
        p, DIAG_VERBATIM, &kernel->name_place,
        arena_format(p->unit->arena, "the kernel '%s' is kept as it is: %s", kernel->name, reason));
    return;
  }
  if (launch_has_pack(launch)) {
    keep_launch(p, launch, "its arguments are a pack");
    return;
  }
  p->plan->launches[launch->id].repeatable = launch_repeats_arguments(launch);
  facts_of_launch(p->unit->arena, p->constants, effects_of(&p->effects, kernel), launch, &facts);
  facts.repeatable = launch_is_repeatable(launch);
  if (facts_shape_is_refused(&facts)) {
    keep_launch(p, launch, "CUDA does not take its grid or its block");
    return;
  }
  p->explained = explain_launch(p->plan->explanation, launch, kernel, &facts);
  plan_ranges(p, &facts, launch);
  bool parted = p->part_axes[launch->id] >= 0 && (p->unit->vs_vars.count || p->unit->uses_mesi_api);
  facts.adds_params = facts.repeatable && !parted;
  if (p->options->level < PLAN_O1) return;
  if (!facts_block_is_constant(&facts)) {
    const struct kernel_variant *variant = NULL;
    if (p->options->level >= PLAN_O2 || facts.repeatable)
      variant = take_variant(p, launch, plan_facts(p, &facts));
    if (variant && variant->choice) return;
    explain_decide_launch(p->plan->explanation, launch, DECISION_STAGING, false,
                          "its block shape is not constant");
    report(p, DIAG_LAUNCH_KEPT, &launch->place,
           arena_format(p->unit->arena, "%s '%s': its block shape is not constant",
                        variant ? "nothing is staged for this launch of"
                                : "the launch keeps the original",
                        kernel->name));
    return;
  }
  take_variant(p, launch, plan_facts(p, &facts));
}

/* Finds the launches of loops that may be put together. */
static void plan_steps(struct unit_planning *p)
{
  struct remarks remarks = {0};

  unsigned count = p->unit->launches.count;
  bool *held = arena_alloc(p->unit->arena, (count + 1) * sizeof *held);
  p->plan->steps.held = held;
  p->plan->steps.launches =
      arena_alloc(p->unit->arena, (count + 1) * sizeof *p->plan->steps.launches);
  for (unsigned i = 0; i < count; i++) {
    const struct launch_plan *launch = &p->plan->launches[i];
    held[i] = launch->hooked &&
              !(launch->variant && (launch->variant->choice || launch->variant->dynamic));
  }
  for (unsigned i = 0; i < transform_count; i++)
    if (transforms[i].launches && p->options->level >= transforms[i].level)
      transforms[i].launches(p->unit, &p->effects, p->constants, p->options, &p->plan->steps,
                             &remarks);
  for (unsigned i = 0; i < count; i++) p->plan->launches[i].steps = p->plan->steps.launches[i];
  report_all(p, &remarks);
}

static void begin_budget(const struct unit_planning *p, unsigned kernels)
{
  unsigned long effort = p->options->effort > 0 ? p->options->effort : 1;
  budget_begin(effort * BUDGET_KERNEL, effort * budget_of_unit(kernels), kernels);
}

/* Checks the emitted code, after everything is planned: the plan does not depend on it, and it has
 * a budget of its own. */
static void check_emitted(struct unit_planning *p)
{
  struct emitted_report *report = p->plan->emitted =
      ARENA_NEW(p->unit->arena, struct emitted_report);

  begin_budget(p, p->done.count + p->plan->steps.steps.count);
  for (unsigned i = 0; i < p->done.count; i++) {
    const struct planned *done = &p->done.items[i];
    budget_begin_kernel();
    if (done->variant)
      emitted_check_variant(p->unit, &p->effects, p->options->arch, done->variant, &done->facts,
                            report);
    budget_end_kernel();
  }
  for (unsigned i = 0; i < p->plan->steps.steps.count; i++) {
    budget_begin_kernel();
    emitted_check_steps(p->unit, &p->effects, p->options->arch, p->plan->steps.steps.items[i],
                        report);
    budget_end_kernel();
  }
  budget_end();
}

/* Checks a launch that may be put together with others, once batches are known: only they can hold
 * it back. */
static void check_steps(struct unit_planning *p, const struct launch *launch)
{
  struct launch_plan *plan = &p->plan->launches[launch->id];

  if (!plan->steps) return;
  const char *obstacle = plan->batched ? launch_refuses_steps(p->unit, launch, plan->steps)
                                       : "something in the loop may notice";
  report(p, obstacle ? DIAG_NOT_STEPPED : DIAG_STEPPED, &launch->place,
         obstacle ? arena_format(p->unit->arena, "launches of '%s' are not put together: %s",
                                 launch->kernel->name, obstacle)
                  : plan->steps->note);
  if (obstacle) plan->steps = NULL;
  if (obstacle || !plan->variant || !plan->variant->added.count) return;
  const char *reason = "launches of the loop become one, with the kernel's own parameters";
  explain_decide_launch(p->plan->explanation, launch, DECISION_KERNEL, false, reason);
  plan->variant = NULL;
}

/* Plans announcements and batches of host code, after the launches are planned. */
static int plan_host(struct unit_planning *p)
{
  struct plan *plan = p->plan;

  plan->host.launches =
      arena_alloc(plan->arena, (p->unit->launches.count + 1) * sizeof *plan->host.launches);
  for (unsigned i = 0; i < p->unit->launches.count; i++)
    plan->host.launches[i] = (struct host_launch){.hooked = plan->launches[i].hooked,
                                                  .steps = plan->launches[i].steps != NULL};
  int failed = host_plan(p->unit, &plan->host, p->constants, p->options, p->diag);
  for (unsigned i = 0; i < p->unit->launches.count; i++)
    plan->launches[i].batched = plan->host.launches[i].batched;
  return failed;
}

/* Drops the variants that no launch takes. */
static void drop_unused(struct plan *plan, unsigned launch_count)
{
  unsigned kept = 0;

  for (unsigned i = 0; i < plan->variants.count; i++) {
    bool used = false;
    for (unsigned k = 0; k < launch_count; k++)
      used |= plan->launches[k].variant == plan->variants.items[i];
    if (used) plan->variants.items[kept++] = plan->variants.items[i];
  }
  plan->variants.count = kept;
}

struct plan *plan_unit(struct unit *unit, const struct plan_options *options, struct diag *diag)
{
  struct unit_planning p = {.unit = unit, .options = options, .diag = diag};
  struct remarks texts = {0};

  p.plan = ARENA_NEW(unit->arena, struct plan);
  if (options->associative) powers_in_text(unit, &p.plan->texts, &texts);
  report_all(&p, &texts);
  if (!options->checked) inline_methods(unit);
  p.plan->arena = p.plan->host.arena = unit->arena;
  p.plan->hooked = unit->vs_vars.count > 0 || unit->uses_mesi_api || options->hook_launches;
  p.plan->launches =
      arena_alloc(unit->arena, (unit->launches.count + 1) * sizeof *p.plan->launches);
  p.plan->host.vs = arena_alloc(unit->arena, (unit->vs_vars.count + 1) * sizeof *p.plan->host.vs);
  p.part_axes = arena_alloc(unit->arena, (unit->launches.count + 1) * sizeof *p.part_axes);
  for (unsigned i = 0; i < unit->launches.count; i++) p.part_axes[i] = -1;
  p.stager.unit = unit;
  p.constants = constants_create(unit);
  p.plan->explanation = explain_begin(unit, options);
  effects_init(&p.effects, unit);
  begin_budget(&p, unit->launches.count);
  for (unsigned i = 0; i < unit->launches.count; i++) {
    plan_launch(unit, &p.effects, unit->launches.items[i], p.plan);
    budget_begin_kernel();
    plan_kernel_of(&p, unit->launches.items[i]);
    budget_end_kernel();
  }
  plan_steps(&p);
  budget_end();
  int failed = plan_host(&p);
  for (unsigned i = 0; i < unit->launches.count; i++) check_steps(&p, unit->launches.items[i]);
  for (unsigned i = 0; i < unit->launches.count; i++) plan_parts(&p, unit->launches.items[i]);
  drop_unused(p.plan, unit->launches.count);
  explain_close(p.plan->explanation, p.plan->launches);
  explain_ranges(p.plan->explanation, &p.effects);
  if (options->verify_emitted) check_emitted(&p);
  mistakes_of_unit(unit, &p.effects, p.constants, options, diag);
  constants_destroy(p.constants);
  return failed < 0 ? NULL : p.plan;
}
