/* SPDX-License-Identifier: MIT */
/* launch_facts.c - reads a launch: block and grid shape, scalar arguments, the objects that pointer
 * arguments point into.
 *
 *     f<<<N / 128, 128>>>(ga, n)   =>   block 128 x 1 x 1, grid 2048 x 1 x 1,
 *         a: the object ga from its start, n: not known
 *
 * Requires: host constants and bindings. Values that are not constant stay unknown.
 */
#include "analysis/host/launch_facts.h"

#include <alloca.h>
#include <string.h>

#include "analysis/host/host_bind.h"
#include "runtime/seeded.h"

static void shape_of(struct constants *constants, const struct launch *launch,
                     const struct ir_expr *expr, int64_t ret[3])
{
  int64_t value[3];
  bool known[3] = {false, false, false};

  for (unsigned i = 0; i < 3; i++) ret[i] = -1;
  if (!expr || !constants_dim3(constants, expr, launch, value, known)) return;
  for (unsigned i = 0; i < 3; i++)
    if (known[i] && value[i] > 0) ret[i] = value[SEEDED(SHAPE_COMPONENT) ? 0 : i];
}

static void pointer_of(struct constants *constants, const struct launch *launch, unsigned arg,
                       struct pointer_fact *fact)
{
  struct host_binding binding;

  memset(&binding, 0, sizeof binding);
  if (!host_bind_arg(constants, launch, arg, &binding)) return;
  fact->object = binding.vs ? (const void *)binding.vs->var : (const void *)binding.allocation;
  fact->bound = binding.unique && fact->object;
  if (binding.offset_known && binding.extent_bytes > 0 && binding.offset_bytes >= 0 &&
      binding.offset_bytes < binding.extent_bytes) {
    fact->range_known = true;
    fact->low = -binding.offset_bytes;
    fact->high = binding.extent_bytes - binding.offset_bytes;
  }
}

static bool is_used_by_name(const struct function_effects *effects, const void *object)
{
  for (unsigned i = 0; i < effects->uses.count; i++)
    if (effects->uses.items[i].var == object) return true;
  return false;
}

/* Replaces objects that the kernel does not name by the first parameter bound to them, so that
 * facts can be compared. */
static void rename_objects(struct kernel_facts *facts, const struct function_effects *effects)
{
  unsigned count = facts->kernel->param_count;
  const void **renamed = alloca((count + 1) * sizeof *renamed);

  for (unsigned i = 0; i < count; i++) {
    const struct pointer_fact *fact = &facts->pointers[i];
    unsigned first = 0;
    while (first < i && facts->pointers[first].object != fact->object) first++;
    bool keep = !fact->object || is_used_by_name(effects, fact->object);
    renamed[i] = keep ? fact->object : (const void *)facts->kernel->params[first];
  }
  for (unsigned i = 0; i < count; i++) facts->pointers[i].object = renamed[i];
}

static bool fits(int64_t value, const struct ir_type *type)
{
  if (type->size >= 8) return type->is_signed || value >= 0;
  int64_t limit = INT64_C(1) << (type->size * 8 - (type->is_signed ? 1 : 0));
  return value < limit && value >= (type->is_signed ? -limit : 0);
}

void facts_of_launch(struct arena *arena, struct constants *constants,
                     const struct function_effects *effects, const struct launch *launch,
                     struct kernel_facts *ret)
{
  struct ir_function *kernel = launch->kernel;

  memset(ret, 0, sizeof *ret);
  ret->kernel = kernel;
  shape_of(constants, launch, launch->block, ret->block);
  shape_of(constants, launch, launch->grid, ret->grid);
  ret->scalars = arena_alloc(arena, (kernel->param_count + 1) * sizeof *ret->scalars);
  ret->pointers = arena_alloc(arena, (kernel->param_count + 1) * sizeof *ret->pointers);
  for (unsigned i = 0; i < kernel->param_count && i < launch->arg_count; i++) {
    const struct ir_type *type = kernel->params[i]->type;
    if (type->kind == IR_TYPE_INT)
      ret->scalars[i].known =
          launch->args[i].expr &&
          constants_of_expr(constants, launch->args[i].expr, launch, &ret->scalars[i].value) &&
          fits(ret->scalars[i].value, type);
    else if (type->kind == IR_TYPE_POINTER)
      pointer_of(constants, launch, i, &ret->pointers[i]);
  }
  rename_objects(ret, effects);
  ret->dynamic_shared = launch->shared ? -1 : 0;
  int64_t bytes;
  if (launch->shared && constants_of_expr(constants, launch->shared, launch, &bytes) && bytes >= 0)
    ret->dynamic_shared = bytes;
}

bool facts_equal(const struct kernel_facts *a, const struct kernel_facts *b)
{
  if (a->kernel != b->kernel ||
      (memcmp(a->block, b->block, sizeof a->block) && !SEEDED(SHAPES_SHARED)) ||
      memcmp(a->grid, b->grid, sizeof a->grid) || a->dynamic_shared != b->dynamic_shared ||
      a->repeatable != b->repeatable)
    return false;
  for (unsigned i = 0; i < a->kernel->param_count; i++) {
    const struct pointer_fact *p = &a->pointers[i], *q = &b->pointers[i];
    const struct scalar_fact *s = &a->scalars[i], *t = &b->scalars[i];
    if (s->known != t->known || (s->known && s->value != t->value && !SEEDED(SCALARS_SHARED)) ||
        p->bound != q->bound || p->object != q->object || p->range_known != q->range_known ||
        (p->range_known && (p->low != q->low || p->high != q->high)))
      return false;
  }
  return true;
}
