/* SPDX-License-Identifier: MIT */
/* asking.c - questions for the launch.
 *
 *     f<<<g, b>>>(out, in, n)     =>     do `out` and `in` overlap? is n at most the stride of
 *                                        rows? do rows reach as far as the grid?
 *
 * Requires: facts of the launch, which evaluates its arguments twice. Where the answers are taken
 * for granted a kernel may get more; other launches take it as written (unit.c).
 */
#include "analysis/plan/asking.h"

#include "analysis/plan/transforms.h"

bool asking_overlap(struct effects *all, const struct kernel_facts *facts)
{
  const struct function_effects *effects = effects_of(all, facts->kernel);
  const struct ir_function *kernel = facts->kernel;

  for (unsigned i = 0; i < kernel->param_count; i++)
    for (unsigned k = 0; k < kernel->param_count; k++)
      if (i != k && kernel->params[i]->type->kind == IR_TYPE_POINTER &&
          kernel->params[k]->type->kind == IR_TYPE_POINTER && effects->params[i] & 2 &&
          effects->params[k] && !facts_disjoint(facts, i, k) &&
          !kernel->params[i]->type->is_restrict && !kernel->params[k]->type->is_restrict)
        return true;
  return false;
}

enum { MOST_ASKED = 6 }; /* conditions on parameters */

/* The code whose rows are asked for: another one that computes the same, where there is one. */
static void asking_code(struct draft *draft, struct unit *unit, struct effects *effects,
                        const struct kernel_facts *facts, struct remarks *remarks)
{
  static const struct plan_options options = {.level = PLAN_O2};

  *draft = (struct draft){.options = &options};
  code_init(&draft->code, unit, effects, facts, remarks);
  for (unsigned i = 0; i < transform_count; i++)
    if (transforms[i].slot == SLOT_REWRITE && transforms[i].plan(draft)) return;
}

/* The grid ends where rows do, in launches of kernels whose ids have no guard. */
static struct ir_expr *ask_grid(struct unit *unit, struct effects *effects,
                                struct kernel_facts *facts)
{
  struct ir_expr **within = arena_alloc(unit->arena, 2 * sizeof *within), *all = NULL;
  struct row_bound bounds[2];
  struct remarks remarks = {0};
  struct draft draft;

  asking_code(&draft, unit, effects, facts, &remarks);
  unsigned count = code_ask_grid(&draft.code, bounds);
  code_finish(&draft.code);
  for (unsigned i = 0; i < count; i++) {
    within[i] = bounds[i].within;
    all = ir_build_both(unit->arena, all, bounds[i].asked);
  }
  facts->within = within;
  facts->within_count = count;
  return all;
}

/* Adds what is asked to the context. */
static struct ir_expr *take_for_granted(struct unit *unit, struct kernel_facts *facts,
                                        struct ir_expr *const *asked, unsigned count)
{
  struct ir_expr **context =
                     arena_alloc(unit->arena, (facts->context_count + count) * sizeof *context),
                 *all = NULL;

  for (unsigned i = 0; i < facts->context_count; i++) context[i] = facts->context[i];
  for (unsigned i = 0; i < count; i++) {
    context[facts->context_count + i] = asked[i];
    all = ir_build_both(unit->arena, all, asked[i]);
  }
  facts->context = context;
  facts->context_count += count;
  return all;
}

static struct ir_expr *ask_rows(struct unit *unit, struct effects *effects,
                                struct kernel_facts *facts)
{
  struct remarks remarks = {0};
  struct ir_expr *asked[MOST_ASKED];
  struct draft draft;

  asking_code(&draft, unit, effects, facts, &remarks);
  unsigned count = code_ask_rows(&draft.code, asked, MOST_ASKED);
  code_finish(&draft.code);
  return take_for_granted(unit, facts, asked, count);
}

static struct ir_expr *ask_for_rewrites(struct unit *unit, struct effects *effects,
                                        struct kernel_facts *facts)
{
  struct remarks remarks = {0};
  struct ir_expr *asked[MOST_ASKED];
  unsigned count = 0;
  struct code code;

  code_init(&code, unit, effects, facts, &remarks);
  for (unsigned i = 0; i < transform_count; i++)
    if (transforms[i].ask) count += transforms[i].ask(&code, asked + count, MOST_ASKED - count);
  code_finish(&code);
  return take_for_granted(unit, facts, asked, count);
}

struct ir_expr *asking_rows(struct unit *unit, struct effects *effects, struct kernel_facts *facts)
{
  struct ir_expr *rewrites = ask_for_rewrites(unit, effects, facts),
                 *grid = ask_grid(unit, effects, facts), *rows = ask_rows(unit, effects, facts);

  return ir_build_both(unit->arena, rewrites, ir_build_both(unit->arena, grid, rows));
}
