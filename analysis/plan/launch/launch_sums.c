/* SPDX-License-Identifier: MIT */
/* launch_sums.c - arrays of which each device may have a copy of its own to add to.
 *
 *     if (i < n) atomicAdd(&bins[v[i]], 1);      bins: sums of int
 *
 * The kernel reads none of the numbers, and every change is a sum whose result is dropped. So the
 * copies of several devices begin at 0, and their sums are added up behind the launch. Integers
 * come out bit for bit; floating-point numbers only up to the order of the additions.
 *
 * Requires: that parts_obstacle (launch_parts.h) has found none: no result of an atomic operation
 * is used. Gives up on any other mention of the variable.
 */
#include "analysis/plan/launch/launch_sums.h"

#include <string.h>

#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

struct summing {
  struct effects *effects;
  const struct ir_var *var;
  unsigned updates;
  bool other; /* a function that is called uses it */
};

static void see(struct ir_expr *expr, void *context)
{
  struct summing *s = context;

  if (expr->kind != IR_EXPR_CALL) return;
  if (expr->effect == IR_EFFECT_CALLEE) {
    const struct function_effects *known = effects_of(s->effects, expr->callee);
    for (unsigned i = 0; i < known->uses.count; i++) s->other |= known->uses.items[i].var == s->var;
  } else if (expr->effect == IR_EFFECT_ATOMIC && expr->operand_count == 2 && !expr->callee &&
             (!strcmp(expr->text, "atomicAdd") || SEEDED(EXTREME_SUMMED))) {
    s->updates += ir_updated_var(expr->operands[0]) == s->var;
  }
}

static unsigned kind_of(const struct ir_type *type, bool floats)
{
  while (type->kind == IR_TYPE_ARRAY || type->kind == IR_TYPE_POINTER) type = type->element;
  if (type->is_volatile) return 0;
  if (type->kind == IR_TYPE_INT && type->size == 4) return SUM_INT;
  if (type->kind == IR_TYPE_INT && type->size == 8) return SUM_LONG;
  if (type->kind != IR_TYPE_FLOAT || !floats) return 0;
  return type->size == 4 ? SUM_FLOAT : type->size == 8 ? SUM_DOUBLE : 0;
}

unsigned launch_sum(struct effects *effects, const struct ir_function *kernel,
                    const struct ir_var *var, bool floats)
{
  struct summing s = {effects, var, 0, false};
  bool changes = var->kind == IR_VAR_PARAM && (var->write_count || var->address_taken);

  if (!kernel->body || changes || (var->kind != IR_VAR_PARAM && var->kind != IR_VAR_VS)) return 0;
  ir_visit_stmt_exprs(kernel->body, see, &s);
  if (s.other || !s.updates || ir_count_var(kernel->body, var) != s.updates) return 0;
  return kind_of(var->type, floats);
}
