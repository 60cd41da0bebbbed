/* SPDX-License-Identifier: MIT */
/* device_stores.c - may device code put the address of an object into memory?
 *
 *     list[i].next = &list[i + 1];      yes: a pointer is assigned to memory
 *     float *row = a + i; row[j] = 0;   no
 *
 * Looks at every kernel and device function. Code that is not lowered, calls unknown functions, or
 * turns a pointer into a number counts as such.
 */
#include "analysis/host/device_stores.h"

static bool is_pointer(const struct ir_type *type)
{
  return type->kind == IR_TYPE_POINTER || type->kind == IR_TYPE_ARRAY;
}

static bool is_local(const struct ir_expr *target)
{
  while (target->kind == IR_EXPR_PAREN ||
         (target->kind == IR_EXPR_MEMBER && !target->is_arrow && target->operand_count))
    target = target->operands[0];
  return target->kind == IR_EXPR_VAR &&
         (target->var->kind == IR_VAR_LOCAL || target->var->kind == IR_VAR_PARAM) &&
         target->var->type->kind != IR_TYPE_REFERENCE;
}

static bool takes_pointers(const struct ir_expr *call)
{
  for (unsigned i = 0; i < call->operand_count; i++)
    if (ir_type_holds_pointers(call->operands[i]->type)) return true;
  return false;
}

static void find_store(struct ir_expr *expr, void *context)
{
  bool *found = context;
  switch (expr->kind) {
  case IR_EXPR_ASSIGN:
    *found |= ir_type_holds_pointers(expr->type) && !is_local(expr->operands[0]);
    break;
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
    *found |= is_pointer(expr->operands[0]->type) && expr->type->kind == IR_TYPE_INT;
    break;
  case IR_EXPR_CALL: *found |= expr->effect == IR_EFFECT_UNKNOWN && takes_pointers(expr); break;
  case IR_EXPR_OPAQUE: *found = true; break;
  default: break;
  }
}

bool device_stores_pointers(const struct unit *unit)
{
  bool found = false;
  for (unsigned i = 0; i < unit->launches.count; i++)
    if (!unit->launches.items[i]->kernel) return true;
  for (unsigned i = 0; i < unit->functions.count && !found; i++) {
    const struct ir_function *function = unit->functions.items[i];
    if (!(function->is_kernel || function->is_device)) continue;
    if (!function->body) return true;
    ir_visit_stmt_exprs(function->body, find_store, &found);
  }
  return found;
}
