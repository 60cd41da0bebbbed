/* alias.c - may another name in the kernel reach the elements of an array?
 *
 *     f<<<...>>>(ga, gb) with __global__ ga, gb:      the two parameters are different objects
 *     __global__ void f(float *__restrict__ a, ...):  a's elements, if written, are used through a only
 *
 * Requires: struct kernel_access, facts. Gives up (rejects) when one of two names that may overlap is written.
 */
#include "analysis/candidate.h"
#include "runtime/seeded.h"

bool facts_disjoint(const struct kernel_facts *facts, unsigned a, unsigned b)
{
  const struct pointer_fact *p = &facts->pointers[a], *q = &facts->pointers[b];
  return p->bound && q->bound && p->object != q->object;
}

static int param_index(const struct symbols *symbols, const struct ir_var *var)
{
  const struct ir_function *kernel = symbols->facts->kernel;

  for (unsigned i = 0; i < kernel->param_count; i++)
    if (kernel->params[i] == var)
      return (int)i;
  return -1;
}

static bool is_restrict(const struct ir_var *var)
{
  return var->kind == IR_VAR_PARAM && var->type->is_restrict;
}

/* A VS or device variable that is no pointer: its own object. */
static bool is_object(const struct ir_var *var)
{
  return var->kind != IR_VAR_PARAM && var->type->kind != IR_TYPE_POINTER;
}

bool arrays_disjoint(const struct symbols *symbols, const struct ir_var *a, const struct ir_var *b)
{
  const struct kernel_facts *facts = symbols->facts;
  int i = param_index(symbols, a), j = param_index(symbols, b);

  if (a->is_constant_memory || b->is_constant_memory || is_restrict(a) || is_restrict(b))
    return true;
  if (is_object(a) && is_object(b))
    return a != b;
  if (i >= 0 && j >= 0)
    return facts_disjoint(facts, (unsigned)i, (unsigned)j);
  if (i >= 0)
    return facts->pointers[i].bound && facts->pointers[i].object != b;
  if (j >= 0)
    return facts->pointers[j].bound && facts->pointers[j].object != a;
  return false;
}

void candidate_alias(struct symbols *symbols, const struct kernel_access *access, struct candidate *c)
{
  const struct array *array = c->array;

  for (unsigned i = 0; i < access->arrays.count; i++) {
    const struct array *other = access->arrays.items[i];
    bool matters = other != array && ((array->written && (other->read || other->written)) || other->written);
    if (matters && !SEEDED(ALIAS_SKIPPED) && !arrays_disjoint(symbols, array->var, other->var))
      candidate_reject(
          c, &c->place,
          arena_format(symbols->arena, "'%s' may overlap it, and one of them is written", other->var->name));
  }
  if (is_restrict(array->var))
    return;
  if (access->unknown_write && !SEEDED(UNKNOWN_WRITE_IGNORED))
    candidate_reject(c, &access->unknown_place, "the kernel writes through a pointer that may point into it");
  if (array->written && access->unknown_read)
    candidate_reject(c, &access->unknown_place,
                     "it is written, and the kernel reads through a pointer that may point into it");
}
