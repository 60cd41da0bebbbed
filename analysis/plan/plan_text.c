/* SPDX-License-Identifier: MIT */
/* plan_text.c - a kernel's plan as text: plans with the same text are one. */
#include "analysis/plan/plan_text.h"

#include "runtime/seeded.h"

static void add_conditions(struct text *text, const struct no_alias *no_alias, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    text_format(text, "no_alias %u %u %d\n", no_alias[i].param, no_alias[i].other,
                no_alias[i].objects);
}

void plan_print_code(struct text *text, const struct kernel_facts *facts,
                     const struct ir_function *code, const struct kernel_plan *plan)
{
  if (code != facts->kernel && !SEEDED(STEPS_SHARED)) ir_print_function(text, code);
  if (plan->mapping)
    text_format(text, "%lld %lld, %lld %lld %lld\n", (long long)plan->mapping->least,
                (long long)plan->mapping->most, (long long)plan->mapping->grid[0],
                (long long)plan->mapping->grid[1], (long long)plan->mapping->grid[2]);
  for (unsigned i = 0; plan->mapping && i < plan->mapping->version_count; i++)
    if (plan->mapping->versions[i].when) ir_print_expr(text, plan->mapping->versions[i].when);
  for (unsigned i = 1; plan->mapping && i < plan->mapping->version_count; i++)
    ir_print_function(text, plan->mapping->versions[i].code);
  if (plan->choice && plan->choice->several) {
    ir_print_function(text, plan->choice->several->code);
    add_conditions(text, plan->choice->several->no_alias, plan->choice->several->no_alias_count);
  }
  for (unsigned i = 0; i < plan->added.count; i++) ir_print_expr(text, plan->added.items[i].value);
  add_conditions(text, plan->no_alias.items, plan->no_alias.count);
  if (plan->asks) ir_print_expr(text, plan->asks);
  if (plan->mapping && plan->mapping->condition) ir_print_expr(text, plan->mapping->condition);
  if (plan->mapping && plan->mapping->plain) ir_print_function(text, plan->mapping->plain);
  const struct extents *extents = plan->mapping ? plan->mapping->extents : NULL;
  for (unsigned axis = 0; extents && axis < 3; axis++) {
    text_format(text, "extent %u %d %d %d\n", axis, extents->derived,
                (int)extents->digits[axis % 2],
                extents->turned + 2 * extents->given + 4 * extents->of_block);
    if (extents->permuted)
      text_format(text, "from %d %d\n", extents->from[axis], (int)extents->run);
    if (extents->along[axis]) ir_print_expr(text, extents->along[axis]);
  }
  if (extents && extents->count) ir_print_expr(text, extents->count);
}
