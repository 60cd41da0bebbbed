/* SPDX-License-Identifier: MIT */
/* launch_devices.c - decides which launches in parts may have their parts on several devices.
 *
 *     scale<<<n / 256, 256>>>(a, b, n);     block i writes [1024 i, 1024 i + 1024) of b: yes
 *     total<<<n / 256, 256>>>(a, n);        every block adds to the variable `sum`: a sum on each
 *     last<<<n / 256, 256>>>(a, n);         every block may write the variable `found`: no
 *
 * Each device has its own memory. So each byte that is written must belong to the blocks of one
 * part, as far as the ranges tell, or be a sum (launch_sums.h). And the kernel must only reach
 * memory that the runtime moves: VS objects that it names or that it is given by pointers. Each
 * device has its own copy of a
 * __device__ variable; a texture belongs to one device, and so do the device's heap and its output.
 *
 * Requires: that parts_obstacle (launch_parts.h) has found none, so that no function calls itself,
 * and ranges along the axis. Gives up with a reason.
 */
#include "analysis/plan/launch/launch_devices.h"

#include <string.h>

#include "analysis/plan/launch/launch_sums.h"

static bool is_told_apart(unsigned access, const struct use_range *range)
{
  if (!(access & EFFECT_WRITE) || (access & SUM_ANY)) return true;
  return range && range->write_part.step;
}

void devices_take_sums(struct effects *effects, const struct launch *launch,
                       struct launch_plan *plan, bool floats)
{
  for (unsigned i = 0; i < launch->arg_count && i < launch->kernel->param_count; i++) {
    struct arg_plan *arg = &plan->args[i];
    if (arg->is_pointer && !is_told_apart(arg->access, arg->range))
      arg->access |= launch_sum(effects, launch->kernel, launch->kernel->params[i], floats);
  }
  for (unsigned i = 0; i < plan->use_count; i++)
    if (!is_told_apart(plan->use_access[i], plan->use_ranges[i]))
      plan->use_access[i] |= launch_sum(effects, launch->kernel, plan->uses[i]->var, floats);
}

static bool find_loop(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |=
      stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  return true;
}

bool devices_may_pay(struct effects *effects, const struct launch *launch, struct launch_plan *plan,
                     bool floats)
{
  bool loops = false, sums = false;

  if (!launch->kernel || !launch->kernel->body) return false;
  ir_visit_stmts(launch->kernel->body, find_loop, &loops);
  if (!loops) return false;
  devices_take_sums(effects, launch, plan, floats);
  for (unsigned i = 0; i < launch->arg_count; i++) sums |= (plan->args[i].access & SUM_ANY) != 0;
  for (unsigned i = 0; i < plan->use_count; i++) sums |= (plan->use_access[i] & SUM_ANY) != 0;
  devices_drop_sums(launch, plan);
  return sums;
}

void devices_drop_sums(const struct launch *launch, struct launch_plan *plan)
{
  for (unsigned i = 0; i < launch->arg_count; i++) plan->args[i].access &= ~(unsigned)SUM_ANY;
  for (unsigned i = 0; i < plan->use_count; i++) plan->use_access[i] &= ~(unsigned)SUM_ANY;
}

static bool writes_apart(const struct launch *launch, const struct launch_plan *plan)
{
  for (unsigned i = 0; i < launch->arg_count; i++)
    if (plan->args[i].is_pointer && !is_told_apart(plan->args[i].access, plan->args[i].range))
      return false;
  for (unsigned i = 0; i < plan->use_count; i++)
    if (!is_told_apart(plan->use_access[i], plan->use_ranges[i])) return false;
  return true;
}

static bool hides_pointers(const struct launch *launch, const struct launch_plan *plan)
{
  for (unsigned i = 0; i < launch->arg_count; i++)
    if (plan->args[i].is_record || plan->args[i].is_unknown) return true;
  for (unsigned i = 0; i < launch->kernel->param_count; i++)
    if (launch->kernel->params[i]->type->too_many_pointers) return true;
  return false;
}

/* Has each device its own value of the variable? A constant one is the same on all. */
static bool is_of_device(const struct ir_var *var)
{
  const struct ir_type *type = var->type;

  while (type->kind == IR_TYPE_ARRAY) type = type->element;
  return var->kind == IR_VAR_DEVICE && !type->is_const;
}

/* Looks for calls of functions outside the program that depend on the device, by their names; they
 * look like functions of their arguments alone. */
static void inspect(struct ir_expr *expr, void *context)
{
  static const char *const of_device[] = {"tex", "surf", "malloc", "free", "clock"};
  const char **obstacle = context;

  if (expr->kind != IR_EXPR_CALL || *obstacle) return;
  if (expr->effect == IR_EFFECT_PRINT) *obstacle = "it prints";
  if (expr->callee && expr->callee->body) {
    ir_visit_stmt_exprs(expr->callee->body, inspect, context);
    return;
  }
  for (unsigned i = 0; expr->text && i < sizeof of_device / sizeof *of_device; i++)
    if (strstr(expr->text, of_device[i]))
      *obstacle = "it uses textures, the heap or the clock of a device";
}

const char *devices_obstacle(struct effects *effects, const struct launch *launch,
                             const struct launch_plan *plan)
{
  const struct function_effects *known = effects_of(effects, launch->kernel);
  const char *obstacle = NULL;

  if (hides_pointers(launch, plan)) return "an argument may hold pointers";
  if (known->unknown_read || known->unknown_write) return "it follows pointers from memory";
  for (unsigned i = 0; i < known->uses.count; i++)
    if (is_of_device(known->uses.items[i].var)) return "it uses a __device__ variable";
  if (!writes_apart(launch, plan)) return "what its blocks write is not told apart";
  ir_visit_stmt_exprs(launch->kernel->body, inspect, &obstacle);
  return obstacle;
}
