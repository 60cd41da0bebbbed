/* SPDX-License-Identifier: MIT */
/* launch_plan.c - access bits of launches.
 *
 *     __global__ void f(const float *a, float *b) { b[i] = a[i]; }
 *         =>   a: read, b: read and write
 *
 * Memory that a kernel writes counts as read as well: the kernel need not write all of an object,
 * and the rest must survive. Requires: effects. An unknown kernel may use every VS variable that
 * some kernel or device function names.
 */
#include "analysis/plan/launch/launch_plan.h"
#include "runtime/seeded.h"

static unsigned whole(unsigned access)
{
  return access & EFFECT_WRITE ? EFFECT_READ | EFFECT_WRITE : access;
}

/* The use of memory that is reached through the pointers in an object of `type`. The object is
 * announced with it. */
static unsigned reached(const struct function_effects *effects, const struct ir_type *type)
{
  if (!ir_type_holds_pointers(type) || SEEDED(REACHED_WRITE_MISSED)) return 0;
  return (effects->unknown_read ? EFFECT_READ : 0u) |
         (effects->unknown_write ? EFFECT_READ | EFFECT_WRITE : 0u);
}

static void plan_args(struct unit *unit, struct effects *effects, const struct launch *launch,
                      struct launch_plan *plan)
{
  const struct function_effects *known =
      launch->kernel ? effects_of(effects, launch->kernel) : NULL;

  plan->args = arena_alloc(unit->arena, (launch->arg_count + 1) * sizeof *plan->args);
  for (unsigned i = 0; i < launch_text_args(launch); i++) {
    struct arg_plan *arg = &plan->args[i];
    const struct ir_var *param = launch_param(launch, i);
    const struct ir_type *type = param                  ? param->type
                                 : launch->args[i].expr ? launch->args[i].expr->type
                                                        : NULL;
    if (!type || launch->args[i].is_pack || type->kind == IR_TYPE_OTHER) {
      arg->is_unknown = true;
      arg->access = EFFECT_READ | EFFECT_WRITE;
      continue;
    }
    arg->is_pointer = type->kind == IR_TYPE_POINTER || type->kind == IR_TYPE_ARRAY;
    arg->is_record = type->kind == IR_TYPE_RECORD && type->pointer_count > 0;
    if (arg->is_record || (arg->is_pointer && !param))
      arg->access = EFFECT_READ | EFFECT_WRITE;
    else if (arg->is_pointer)
      arg->access = (SEEDED(ACCESS_READ_ONLY) ? EFFECT_READ : whole(known->params[i])) |
                    reached(known, type->element);
  }
}

static void add_use(struct unit *unit, struct launch_plan *plan, struct vs_var *vs, unsigned access)
{
  vs = unit_vs_definition(unit, vs->var);
  for (unsigned i = 0; i < plan->use_count; i++)
    if (plan->uses[i]->var == vs->var) {
      plan->use_access[i] |= whole(access);
      return;
    }
  plan->uses[plan->use_count] = vs;
  plan->use_access[plan->use_count++] = whole(access);
}

/* Adds the VS variables that the text of a kernel names. An unknown kernel has those that any
 * device code names. */
static void add_named(struct unit *unit, struct launch_plan *plan,
                      const struct ir_function *function)
{
  for (unsigned i = 0; i < function->vs_use_count; i++)
    add_use(unit, plan, function->vs_uses[i],
            function->vs_uses[i]->is_const ? EFFECT_READ : EFFECT_READ | EFFECT_WRITE);
}

static bool all_known(const struct function_effects *effects) { return !effects->unknown_call; }

static void plan_uses(struct unit *unit, struct effects *effects, const struct launch *launch,
                      struct launch_plan *plan)
{
  plan->uses = arena_alloc(unit->arena, (unit->vs_vars.count + 1) * sizeof *plan->uses);
  plan->use_access = arena_alloc(unit->arena, (unit->vs_vars.count + 1) * sizeof *plan->use_access);
  plan->use_ranges = arena_alloc(unit->arena, (unit->vs_vars.count + 1) * sizeof *plan->use_ranges);
  const struct function_effects *known =
      launch->kernel ? effects_of(effects, launch->kernel) : NULL;
  for (unsigned i = 0; known && i < known->uses.count; i++)
    if (known->uses.items[i].var->vs)
      add_use(unit, plan, known->uses.items[i].var->vs,
              known->uses.items[i].access | reached(known, known->uses.items[i].var->type));
  if (launch->kernel && !launch->kernel->body) add_named(unit, plan, launch->kernel);
  if (known && all_known(known)) return;
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_function *function = unit->functions.items[i];
    bool reachable = function->is_device || (!launch->kernel && function->is_kernel);
    if (reachable) add_named(unit, plan, function);
  }
}

void plan_launch(struct unit *unit, struct effects *effects, const struct launch *launch,
                 struct plan *plan)
{
  struct launch_plan *out = &plan->launches[launch->id];

  out->hooked = plan->hooked;
  out->uses_all = !launch->kernel || !launch->kernel->has_definition;
  plan_args(unit, effects, launch, out);
  plan_uses(unit, effects, launch, out);
}
