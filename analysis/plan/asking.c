/* SPDX-License-Identifier: MIT */
/* asking.c - the conditions that a launch checks before it takes a changed kernel.
 *
 *     f<<<g, b>>>(out, in, n)     =>     do `out` and `in` overlap? is n at most the stride of
 *                                        rows? do rows reach as far as the grid?
 *
 * Requires: facts of the launch, which evaluates its arguments twice. Where the conditions are
 * assumed to hold, a kernel may gain more. Launches that fail them take it as written (unit.c).
 */
#include "analysis/plan/asking.h"

#include "analysis/plan/transforms.h"
#include "analysis/transform/block_digits/block_digits.h"
#include "analysis/transform/block_rows/block_rows.h"
#include "analysis/transform/byte_rows/byte_rows.h"
#include "analysis/transform/product24/product24.h"
#include "analysis/transform/stride_loops/stride_loops.h"
#include "analysis/transform/untile/untile.h"
#include "runtime/seeded.h"

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

/* Builds the code whose rows the conditions are about: a copy with the rewrites and forms, which
 * computes the same. *steps: of its blocks; no tile: they go through none. */
static void asking_code(struct draft *draft, struct unit *unit, struct effects *effects,
                        const struct kernel_facts *facts, struct remarks *remarks,
                        struct block_steps *steps)
{
  static const struct plan_options options = {.level = PLAN_O2};

  *draft = (struct draft){.options = &options};
  code_init(&draft->code, unit, effects, facts, remarks);
  for (unsigned i = 0; i < transform_count; i++)
    if (transforms[i].slot == SLOT_REWRITE || transforms[i].slot == SLOT_FORM)
      transforms[i].plan(draft);
  *steps = (struct block_steps){.tile = NULL};
  block_steps_form(&draft->code, steps);
}

/* The condition that the grid ends where rows do, for kernels whose ids have no guard. */
static struct ir_expr *ask_grid(struct unit *unit, struct effects *effects,
                                struct kernel_facts *facts)
{
  struct ir_expr **within = arena_alloc(unit->arena, 2 * sizeof *within), *all = NULL;
  struct row_bound bounds[2];
  struct remarks remarks = {0};
  struct block_steps steps;
  struct draft draft;

  asking_code(&draft, unit, effects, facts, &remarks, &steps);
  unsigned count = code_ask_grid(&draft.code, bounds);
  code_finish(&draft.code);
  for (unsigned i = 0; i < count; i++) {
    if (draft.extents && draft.extents->digits[0]) {
      bounds[i].asked = block_digits_written(unit->arena, draft.extents, bounds[i].asked);
      bounds[i].within = block_digits_written(unit->arena, draft.extents, bounds[i].within);
    }
    if (steps.tile && !SEEDED(STEPS_GRID_UNASKED))
      bounds[i].asked = block_steps_written(unit->arena, &steps, bounds[i].asked);
    within[i] = bounds[i].within;
    all = ir_build_both(unit->arena, all, bounds[i].asked);
  }
  facts->within = within;
  facts->within_count = count;
  return all;
}

/* The number of flat arrays without rows in some launch, where all ids are `within`. */
static unsigned missing_rows(struct unit *unit, struct effects *effects,
                             const struct kernel_facts *facts, struct ir_expr **within)
{
  struct kernel_facts asked = *facts;
  struct remarks remarks = {0};
  struct block_steps steps;
  struct draft draft;

  asked.within = within;
  asked.within_count = within != NULL;
  asking_code(&draft, unit, effects, &asked, &remarks, &steps);
  unsigned count = block_rows_may(&draft.code) ? code_missing_rows(&draft.code) : 0;
  code_finish(&draft.code);
  return count;
}

/* The condition that a block has no more threads than a row has elements, where each block has a
 * row and a thread each of its elements: the parameter that gives all arrays their rows. */
static struct ir_expr *ask_block(struct unit *unit, struct effects *effects,
                                 struct kernel_facts *facts)
{
  struct arena *arena = unit->arena;
  struct ir_expr **within = arena_alloc(arena, sizeof *within);
  const struct ir_function *kernel = facts->kernel;

  if (facts->within_count || facts->block[0] > 0 || !missing_rows(unit, effects, facts, NULL))
    return NULL;
  for (unsigned i = 0; i < kernel->param_count; i++) {
    struct ir_var *param = kernel->params[i];
    if (param->type->kind != IR_TYPE_INT || param->write_count) continue;
    *within =
        ir_build_binary(arena, IR_OP_LT,
                        ir_build_cast(arena, ir_int_type(), ir_build_builtin(arena, IR_THREAD_IDX)),
                        ir_build_var(arena, param));
    if (missing_rows(unit, effects, facts, within)) continue;
    facts->within = within;
    facts->within_count = 1;
    struct ir_expr *size = ir_build_builtin(arena, IR_BLOCK_DIM);
    return ir_build_binary(arena, IR_OP_LE, ir_build_cast(arena, ir_int_type(), size),
                           ir_build_var(arena, param));
  }
  return NULL;
}

/* Adds the conditions to the context. */
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
  struct block_steps steps;
  struct draft draft;

  asking_code(&draft, unit, effects, facts, &remarks, &steps);
  unsigned count = code_ask_rows(&draft.code, asked, MOST_ASKED);
  code_finish(&draft.code);
  return take_for_granted(unit, facts, asked, count);
}

/* Do the functions of device code step through elements by bytes? */
static bool steps_by_bytes(const struct unit *unit)
{
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_function *function = unit->functions.items[i];
    if ((function->is_kernel || function->is_device) &&
        (byte_rows_may(function) ||
         (function->as_function && byte_rows_may(function->as_function))))
      return true;
  }
  return false;
}

/* What the row asks about the code that the rows of forms in front of it leave. */
static unsigned ask_formed(struct unit *unit, struct effects *effects, struct kernel_facts *facts,
                           unsigned row, struct ir_expr **ret, unsigned most)
{
  static const struct plan_options options = {.level = PLAN_O2};
  struct remarks remarks = {0};
  struct draft draft = {.options = &options};

  if (!steps_by_bytes(unit)) return 0;
  code_init(&draft.code, unit, effects, facts, &remarks);
  for (unsigned i = 0; i < row; i++)
    if (transforms[i].slot == SLOT_FORM) transforms[i].plan(&draft);
  unsigned count = transforms[row].ask(&draft.code, ret, most);
  code_finish(&draft.code);
  return count;
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
    if (transforms[i].ask && !transforms[i].asks_formed)
      count += transforms[i].ask(&code, asked + count, MOST_ASKED - count);
  code_finish(&code);
  for (unsigned i = 0; i < transform_count; i++)
    if (transforms[i].asks_formed)
      count += ask_formed(unit, effects, facts, i, asked + count, MOST_ASKED - count);
  return take_for_granted(unit, facts, asked, count);
}

/* ---- unsigned arithmetic ---- */

#define LARGE INT32_MAX /* 64 bits multiply it without wrapping; 32 bits add it to an index */
#define SMALL 32767     /* 32 bits multiply it, and add to the product */

struct unsigned_search {
  bool uses; /* unsigned arithmetic, or a comparison, with numbers of the launch or of loops */
  bool multiplies; /* 32 bits multiply two numbers that are no constants */
};

static bool is_unsigned(const struct ir_expr *expr)
{
  return expr->type && expr->type->kind == IR_TYPE_INT && !expr->type->is_signed &&
         expr->type->size >= 4;
}

static void note_number(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_VAR && !expr->var->has_value &&
                      (expr->var->kind == IR_VAR_PARAM || expr->var->write_count > 1);
}

static void note_unsigned(struct ir_expr *expr, void *context)
{
  struct unsigned_search *s = context;
  int64_t value;

  bool product = product24_is(expr);
  if ((expr->kind != IR_EXPR_BINARY && !product) || expr->operand_count != 2) return;
  struct ir_expr *left = expr->operands[0], *right = expr->operands[1];
  if (!is_unsigned(left) && !is_unsigned(right)) return;
  ir_visit_expr(expr, note_number, &s->uses);
  s->multiplies |= (product || expr->op == IR_OP_MUL) && is_unsigned(expr) &&
                   expr->type->size == 4 && !ir_constant(left, &value) &&
                   !ir_constant(right, &value) && ir_strip(left)->kind != IR_EXPR_BUILTIN &&
                   ir_strip(right)->kind != IR_EXPR_BUILTIN;
}

static bool is_size(const struct ir_function *kernel, const struct ir_var *param)
{
  return param->type->kind == IR_TYPE_INT && param->type->size >= 4 && !param->write_count &&
         param->name && ir_stmt_has_var(kernel->body, param);
}

struct taken_away {
  const struct ir_var *from;
  int64_t most;
};

/* from - 1, as in x < from - 1: at 0 it wraps around */
static void note_taken_away(struct ir_expr *expr, void *context)
{
  struct taken_away *t = context;
  int64_t value;

  if (expr->kind != IR_EXPR_BINARY || expr->op != IR_OP_SUB || !is_unsigned(expr)) return;
  const struct ir_expr *left = ir_strip(expr->operands[0]);
  if (left->kind == IR_EXPR_VAR && left->var == t->from &&
      ir_constant(ir_strip(expr->operands[1]), &value) && value > t->most && value <= SMALL)
    t->most = value;
}

static int64_t least_of(const struct ir_function *kernel, const struct ir_var *param)
{
  struct taken_away t = {param, 0};

  ir_visit_stmt_exprs(kernel->body, note_taken_away, &t);
  return t.most;
}

/* low <= param <= high, without the parts that the parameter's type implies */
static struct ir_expr *between(struct arena *arena, struct ir_var *param, int64_t low, int64_t high)
{
  struct ir_expr *self = ir_build_var(arena, param), *least = NULL;

  if (param->type->is_signed || low)
    least = ir_build_binary(arena, IR_OP_GE, self, ir_build_int(arena, low));
  if (param->type->is_signed && param->type->size == 4 && high == LARGE) return least;
  return ir_build_both(arena, least,
                       ir_build_binary(arena, IR_OP_LE, self, ir_build_int(arena, high)));
}

/* Does the code multiply them that other rows get? An element takes the place of id * chunk + i. */
static bool multiplies_in_form(struct unit *unit, struct effects *effects,
                               const struct kernel_facts *facts)
{
  struct unsigned_search s = {0};
  struct remarks remarks = {0};
  struct block_steps steps;
  struct draft draft;

  asking_code(&draft, unit, effects, facts, &remarks, &steps);
  if (steps.tile) ir_visit_stmt_exprs(draft.code.facts.kernel->body, note_unsigned, &s);
  code_finish(&draft.code);
  return !steps.tile || s.multiplies;
}

/* The condition that sizes are small enough for unsigned indices not to wrap around. */
static struct ir_expr *ask_sizes(struct unit *unit, struct effects *effects,
                                 struct kernel_facts *facts)
{
  const struct ir_function *kernel = facts->kernel;
  struct scalar_fact *scalars =
      arena_alloc(unit->arena, (kernel->param_count + 1) * sizeof *scalars);
  struct unsigned_search s = {0};
  struct ir_expr *all = NULL;

  ir_visit_stmt_exprs(kernel->body, note_unsigned, &s);
  if (s.multiplies) s.multiplies = multiplies_in_form(unit, effects, facts);
  if (untile_walks(kernel)) s.uses = s.multiplies = true;
  for (unsigned i = 0; i < kernel->param_count; i++) {
    scalars[i] = facts->scalars[i];
    if (!s.uses || scalars[i].known || !is_size(kernel, kernel->params[i])) continue;
    scalars[i].bounded = true;
    scalars[i].low = least_of(kernel, kernel->params[i]);
    scalars[i].high = s.multiplies ? SMALL : LARGE;
    all = ir_build_both(unit->arena, all,
                        between(unit->arena, kernel->params[i], scalars[i].low, scalars[i].high));
  }
  if (all) facts->scalars = scalars;
  return SEEDED(SIZES_UNASKED) && all ? ir_build_int(unit->arena, 1) : all;
}

struct ir_expr *asking_rows(struct unit *unit, struct effects *effects, struct kernel_facts *facts)
{
  struct ir_expr *sizes = ask_sizes(unit, effects, facts);
  struct ir_expr *rewrites = ask_for_rewrites(unit, effects, facts),
                 *grid = ask_grid(unit, effects, facts), *block = ask_block(unit, effects, facts),
                 *rows = ask_rows(unit, effects, facts);

  grid = ir_build_both(unit->arena, grid, block);
  rewrites = ir_build_both(unit->arena, sizes, rewrites);
  return ir_build_both(unit->arena, rewrites, ir_build_both(unit->arena, grid, rows));
}
