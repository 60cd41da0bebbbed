/* SPDX-License-Identifier: MIT */
/* emitted_plan.c - the codes of a plan, each with the facts of its launches, for the check of
 * emitted code.
 *
 *     mapped, 128 x 32 elements for 16 x 8 threads     =>     block { 16, 8, 1 };
 *     a specialised version                                  =>     and n % 16 == 0, ...
 *
 * The conditions that the launch checks before it takes a version (mesi_choose) hold in that
 * version. The check assumes nothing that the emitted launch does not ensure.
 */
#include <string.h>

#include "analysis/code/precondition.h"
#include "analysis/plan/verify/emitted.h"
#include "translator/ir/ir_rewrite.h"

enum { MOST_CONDITIONS = 12 };

struct making {
  struct arena *arena;
  struct emitted_code code;
  struct ir_expr *conditions[MOST_CONDITIONS];
};

static void hold(struct making *m, struct ir_expr *condition)
{
  if (condition && m->code.condition_count < MOST_CONDITIONS)
    m->conditions[m->code.condition_count++] = condition;
}

static void note_shape(struct ir_expr *expr, void *context)
{
  bool *found = context;

  *found |= expr->kind == IR_EXPR_BUILTIN;
}

/* Adds a condition that the launch checks. Code in another shape knows nothing of the shape as
 * written. */
static void hold_asked(struct making *m, struct ir_expr *asked, bool as_written)
{
  bool of_shape = false;

  if (asked && asked->kind == IR_EXPR_BINARY && asked->op == IR_OP_LAND) {
    hold_asked(m, asked->operands[0], as_written);
    hold_asked(m, asked->operands[1], as_written);
    return;
  }
  if (asked && !as_written) ir_visit_expr(asked, note_shape, &of_shape);
  if (!of_shape) hold(m, asked);
}

/* Extends the facts of the launch to a code with more parameters. */
static void widen_facts(struct making *m, const struct kernel_facts *facts,
                        const struct ir_function *kernel)
{
  struct kernel_facts *own = &m->code.facts;
  unsigned count = m->code.code->param_count;

  *own = *facts;
  own->uniform_count = own->context_count = 0;
  own->scalars = arena_alloc(m->arena, (count + 1) * sizeof *own->scalars);
  own->pointers = arena_alloc(m->arena, (count + 1) * sizeof *own->pointers);
  for (unsigned i = 0; i < count && i < kernel->param_count && facts->scalars; i++) {
    own->scalars[i] = facts->scalars[i];
    own->pointers[i] = facts->pointers[i];
  }
}

static struct making make(struct arena *arena, struct ir_function *code,
                          const struct ir_function *kernel, const struct kernel_facts *facts)
{
  struct making m = {.arena = arena, .code = {.code = code, .kernel = kernel}};

  widen_facts(&m, facts, kernel);
  return m;
}

static void check(struct unit *unit, struct effects *effects, unsigned arch, struct making *m,
                  struct emitted_report *report)
{
  m->code.conditions = m->conditions;
  emitted_check_code(unit, effects, arch, &m->code, report);
}

/* ---- versions of a mapping ---- */

struct totals_named {
  const struct kernel_mapping *mapping;
  struct ir_var *own[2];
};

static struct ir_expr *replace_total(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct totals_named *t = r->context;

  for (unsigned axis = 0; axis < 2 && expr->kind == IR_EXPR_VAR; axis++)
    if (expr->var == t->mapping->totals[axis] && t->own[axis])
      return ir_build_var(r->arena, t->own[axis]);
  if (expr->kind == IR_EXPR_VAR && expr->var == &version_total_z)
    return ir_build_cast(r->arena, expr->var->type, ir_build_builtin(r->arena, IR_GRID_DIM + 2));
  return NULL;
}

/* The code's own parameters for the totals, by their names. */
static struct totals_named totals_of(const struct kernel_mapping *mapping,
                                     const struct ir_function *code)
{
  struct totals_named totals = {mapping, {NULL, NULL}};

  for (unsigned axis = 0; axis < 2; axis++)
    for (unsigned i = 0; i < code->param_count && mapping->totals[axis] && mapping->has_total[axis];
         i++)
      if (!strcmp(code->params[i]->name, mapping->totals[axis]->name))
        totals.own[axis] = code->params[i];
  return totals;
}

static struct ir_expr *number(struct making *m, int64_t value)
{
  return ir_build_int(m->arena, value);
}

static struct ir_expr *join(struct making *m, enum ir_op op, struct ir_expr *left,
                            struct ir_expr *right)
{
  return ir_build_binary(m->arena, op, left, right);
}

/* Adds the facts that gridDim blocks of so many elements cover the total and that none is empty; if
 * specialised, also that none is cut short. */
static void hold_cover(struct making *m, const struct mapped_version *v, struct ir_var *total,
                       unsigned axis)
{
  struct ir_expr *blocks = ir_build_cast(
      m->arena, ir_int_type(), ir_build_builtin(m->arena, (enum ir_builtin)(IR_GRID_DIM + axis)));
  struct ir_expr *covered = join(m, IR_OP_MUL, blocks, number(m, v->block[axis]));

  hold(m, join(m, IR_OP_GE, ir_build_var(m->arena, total), number(m, 1)));
  if (v->most_blocks || v->block[axis] <= 0) return;
  hold(m, join(m, IR_OP_LE, ir_build_var(m->arena, total), covered));
  hold(m, join(m, IR_OP_GT, ir_build_var(m->arena, total),
               join(m, IR_OP_SUB, covered, number(m, v->block[axis]))));
  if (v->specialised) hold(m, join(m, IR_OP_EQ, ir_build_var(m->arena, total), covered));
}

/* The number of blocks in a launch whose threads are known; -1: not known. */
static int64_t blocks_of(const struct mapped_version *v, const struct kernel_facts *facts,
                         bool extents, unsigned axis)
{
  bool known = !extents && facts->block[axis] > 0 && facts->grid[axis] > 0 && !v->most_blocks;

  if (axis == 2)
    return known && facts->block[2] == 1 && v->z_parts < 2 && !v->share ? facts->grid[2] : -1;
  return known && v->block[axis] > 0
             ? (facts->block[axis] * facts->grid[axis] + v->block[axis] - 1) / v->block[axis]
             : -1;
}

static void check_version(struct unit *unit, struct effects *effects, unsigned arch,
                          const struct kernel_variant *variant, const struct mapped_version *v,
                          const struct kernel_facts *facts, struct emitted_report *report)
{
  const struct kernel_mapping *mapping = variant->mapping;
  struct making m = make(unit->arena, v == &mapping->versions[0] ? variant->code : v->code,
                         variant->kernel, facts);
  struct totals_named totals = totals_of(mapping, m.code.code);
  struct ir_rewriter rewriter = {unit->arena, replace_total, &totals};

  for (unsigned axis = 0; axis < 3; axis++) {
    m.code.facts.block[axis] = axis < 2 ? v->threads[axis] : 1;
    m.code.facts.grid[axis] = blocks_of(v, facts, mapping->extents, axis);
  }
  for (unsigned axis = 0; axis < 2; axis++)
    if (totals.own[axis]) hold_cover(&m, v, totals.own[axis], axis);
  m.code.no_alias = variant->no_alias_count;
  hold_asked(&m, variant->asks, false);
  if (v->specialised) hold(&m, ir_rewrite_expr(&rewriter, mapping->condition));
  hold(&m, ir_rewrite_expr(&rewriter, v->when));
  check(unit, effects, arch, &m, report);
}

static void check_as_launched(struct unit *unit, struct effects *effects, unsigned arch,
                              const struct kernel_variant *variant, struct ir_function *code,
                              const struct kernel_facts *facts, struct emitted_report *report)
{
  struct making m = make(unit->arena, code, variant->kernel, facts);

  m.code.no_alias = code == variant->code && variant->no_alias_count;
  hold_asked(&m, variant->asks, true);
  m.code.shares =
      variant->choice && variant->choice->several && code == variant->choice->several->code;
  if (code == variant->code && !variant->mapping) {
    m.code.stages = variant->stages;
    m.code.stage_count = variant->stage_count;
    m.code.staged_bytes = variant->choice ? variant->choice->capacity : variant->bytes;
    m.code.dynamic = variant->dynamic || variant->choice;
  }
  check(unit, effects, arch, &m, report);
}

void emitted_check_variant(struct unit *unit, struct effects *effects, unsigned arch,
                           const struct kernel_variant *variant, const struct kernel_facts *facts,
                           struct emitted_report *report)
{
  const struct kernel_mapping *mapping = variant->mapping;

  for (unsigned i = 0; mapping && i < mapping->version_count; i++)
    check_version(unit, effects, arch, variant, &mapping->versions[i], facts, report);
  if (mapping && mapping->plain)
    check_as_launched(unit, effects, arch, variant, mapping->plain, facts, report);
  if (!mapping) check_as_launched(unit, effects, arch, variant, variant->code, facts, report);
  if (variant->choice && variant->choice->several)
    check_as_launched(unit, effects, arch, variant, variant->choice->several->code, facts, report);
}

void emitted_check_steps(struct unit *unit, struct effects *effects, unsigned arch,
                         const struct kernel_steps *steps, struct emitted_report *report)
{
  struct kernel_facts facts = {.kernel = steps->kernel, .grid = {-1, -1, -1}};

  for (unsigned axis = 0; axis < 3; axis++)
    facts.block[axis] = steps->threads[axis] > 0 ? steps->threads[axis] : 1;
  struct making m = make(unit->arena, steps->code, steps->kernel, &facts);
  m.code.other = steps->other;
  check(unit, effects, arch, &m, report);
}
