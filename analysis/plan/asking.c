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

#include "analysis/code/code.h"

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

/* The grid ends where rows do, in launches of kernels whose ids have no guard. */
static struct ir_expr *ask_grid(struct unit *unit, struct effects *effects,
                                struct kernel_facts *facts)
{
  struct ir_expr **within = arena_alloc(unit->arena, 2 * sizeof *within), *all = NULL;
  struct row_bound bounds[2];
  struct remarks remarks = {0};
  struct code code;

  code_init(&code, unit, effects, facts, &remarks);
  unsigned count = code_ask_grid(&code, bounds);
  code_finish(&code);
  for (unsigned i = 0; i < count; i++) {
    within[i] = bounds[i].within;
    all = ir_build_both(unit->arena, all, bounds[i].asked);
  }
  facts->within = within;
  facts->within_count = count;
  return all;
}

static struct ir_expr *ask_parameters(struct unit *unit, struct effects *effects,
                                      struct kernel_facts *facts)
{
  struct remarks remarks = {0};
  struct ir_expr *asked[MOST_ASKED], *all = NULL;
  struct code code;

  code_init(&code, unit, effects, facts, &remarks);
  unsigned count = code_ask_rows(&code, asked, MOST_ASKED);
  code_finish(&code);
  if (!count) return NULL;
  struct ir_expr **context =
      arena_alloc(unit->arena, (facts->context_count + count) * sizeof *context);
  for (unsigned i = 0; i < facts->context_count; i++) context[i] = facts->context[i];
  for (unsigned i = 0; i < count; i++) {
    context[facts->context_count + i] = asked[i];
    all = ir_build_both(unit->arena, all, asked[i]);
  }
  facts->context = context;
  facts->context_count += count;
  return all;
}

struct ir_expr *asking_rows(struct unit *unit, struct effects *effects, struct kernel_facts *facts)
{
  struct ir_expr *grid = ask_grid(unit, effects, facts),
                 *parameters = ask_parameters(unit, effects, facts);

  return ir_build_both(unit->arena, grid, parameters);
}
