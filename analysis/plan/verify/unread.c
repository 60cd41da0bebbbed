/* SPDX-License-Identifier: MIT */
/* unread.c - results that nobody reads.
 *
 *     static __global__ float a[1000];
 *     __global__ void k() { a[threadIdx.x] = 1; }
 *     int main() { k<<<1, 128>>>(); }
 *     =>  1 launch writes 'a' (4000 bytes); no kernel and no host code reads it
 *
 * It considers virtual shared variables that no other file sees, and memory of cudaMalloc,
 * mesi_malloc and similar calls that one pointer variable holds. Requires: may_launch of host
 * functions. An object is unread under three conditions: all its uses are followed (host_use.c) and
 * none of them reads; each launch that gets it only writes it, by the effects of its kernel; and so
 * does all device code that names it. The order of events does not matter: a read anywhere in the
 * unit counts. `a[i] += x;` in a kernel does not count as a read, since the value only goes back.
 * Says nothing where device code may do things that are not in its effects: unknown calls, loads
 * through pointers from memory.
 */
#include "analysis/plan/verify/unread.h"

#include <string.h>

#include "analysis/host/host_bind.h"
#include "analysis/host/host_calls.h"
#include "analysis/host/host_use.h"
#include "runtime/seeded.h"

struct search {
  struct unit *unit;
  struct effects *effects;
  struct constants *constants;
  struct host_index *index;
  bool whole_program;
  struct unread_results *results;
};

struct object {
  struct ir_var *var;
  bool behind;  /* the memory behind the pointer `var` */
  bool *writes; /* by launch id */
  bool read;    /* by device code */
};

/* ---- device code ---- */

/* May the function have further reads, which are not in its effects? */
static bool is_dark(const struct function_effects *effects)
{
  return effects->unknown_call || effects->unknown_read;
}

/* The access to an object that a function names. For memory behind a pointer, effects only know
 * that it may be written. */
static unsigned access_by_name(const struct function_effects *effects, const struct object *object)
{
  for (unsigned i = 0; i < effects->uses.count; i++) {
    const struct effects_use *use = &effects->uses.items[i];
    if (use->var != object->var) continue;
    if (object->behind) return effects->unknown_write ? EFFECT_WRITE : 0;
    return (use->looked_at ? EFFECT_READ : 0) | (use->access & EFFECT_WRITE);
  }
  return 0;
}

static unsigned access_by_argument(struct search *s, const struct launch *launch,
                                   const struct host_node *argument)
{
  for (unsigned i = 0; i < launch->arg_count; i++) {
    const struct ir_var *param = launch_param(launch, i);
    if (launch->args[i].expr != argument->expr || !param) continue;
    if (param->type->kind != IR_TYPE_POINTER) return EFFECT_READ;
    const struct function_effects *effects = effects_of(s->effects, launch->kernel);
    for (unsigned k = 0; k < launch->kernel->param_count; k++)
      if (launch->kernel->params[k] == param)
        return (effects->params_looked_at[k] || is_dark(effects) ? EFFECT_READ : 0) |
               (effects->params[k] & EFFECT_WRITE);
  }
  return EFFECT_READ;
}

/* Counts the object as read where device code names it, unless the effects exclude that. */
static void see_device_uses(struct search *s, struct object *object)
{
  const struct host_var *entry = host_var_of(s->index, object->var);

  for (unsigned i = 0; i < entry->uses.count; i++) {
    struct ir_function *function = entry->uses.items[i]->function;
    if (function && (function->is_kernel || function->is_device) &&
        is_dark(effects_of(s->effects, function)))
      object->read = true;
  }
  for (unsigned i = 0; i < s->unit->functions.count; i++) {
    struct ir_function *function = s->unit->functions.items[i];
    if (function->is_kernel || function->is_device)
      object->read |= access_by_name(effects_of(s->effects, function), object) & EFFECT_READ;
  }
  for (unsigned i = 0; i < s->unit->launches.count; i++) {
    const struct launch *launch = s->unit->launches.items[i];
    if (launch->kernel && !launch->is_general &&
        access_by_name(effects_of(s->effects, launch->kernel), object) & EFFECT_WRITE)
      object->writes[i] = true;
  }
}

static void see_arguments(struct search *s, struct object *object, const struct host_uses *uses)
{
  for (unsigned i = 0; i < uses->launched.count; i++) {
    const struct host_node *argument = uses->launched.items[i];
    const struct launch *launch = s->unit->launches.items[argument->parent->expr->value];
    unsigned access = access_by_argument(s, launch, argument);
    object->read |= access & EFFECT_READ;
    object->writes[launch->id] |= (access & EFFECT_WRITE) != 0;
  }
}

/* ---- objects ---- */

static bool is_internal(const struct search *s, const struct vs_var *vs)
{
  if (vs->is_extern && !vs->is_definition) return false;
  return vs->is_static || vs->in_anonymous_namespace || s->whole_program;
}

static const struct ir_type *innermost(const struct ir_type *type)
{
  while (type->kind == IR_TYPE_ARRAY) type = type->element;
  return type;
}

/* Are all uses of the object seen, do kernels write it, and does nothing read it? */
static bool is_unread(struct search *s, struct object *object, const struct host_uses *uses)
{
  bool read = uses->reason != NULL;

  for (unsigned i = 0; i < uses->list.count; i++) read |= uses->list.items[i].reads;
  if (read || !host_var_of(s->index, object->var)) return false;
  object->writes = arena_alloc(s->unit->arena, s->unit->launches.count + 1);
  see_arguments(s, object, uses);
  see_device_uses(s, object);
  return !object->read || SEEDED(UNREAD_DEVICE_READS);
}

static void tell(struct search *s, const struct object *object, int64_t bytes,
                 const struct ir_place *place)
{
  struct arena *arena = s->unit->arena;
  unsigned launches = 0;

  for (unsigned i = 0; i < s->unit->launches.count; i++) launches += object->writes[i];
  if (!launches) return;
  const char *size = bytes > 0 ? arena_format(arena, " (%lld bytes)", (long long)bytes) : "";
  const char *text =
      arena_format(arena, "%u launch%s %s'%s'%s; no kernel and no host code reads it", launches,
                   launches > 1 ? "es write" : " writes", object->behind ? "the memory of " : "",
                   object->var->name, size);
  *ARENA_PUSH(arena, &s->results->list) = (struct unread_result){*place, text};
}

static void look_at_variable(struct search *s, const struct vs_var *vs)
{
  const struct ir_type *type = innermost(vs->var->type);
  struct object object = {.var = vs->var};
  struct host_uses uses;

  if (vs->is_const || type->is_const || type->is_volatile || !is_internal(s, vs) ||
      type->kind == IR_TYPE_POINTER)
    return;
  host_uses_of(s->index, vs, &uses);
  if (is_unread(s, &object, &uses)) tell(s, &object, vs->var->type->size, &vs->name_place);
}

static bool is_device_memory(const struct host_node *call)
{
  const struct host_call *known = call ? host_call_of(call->expr) : NULL;
  return known && (!strncmp(known->name, "cuda", 4) || !strncmp(known->name, "mesi_", 5));
}

static bool is_own_pointer(const struct search *s, const struct ir_var *var)
{
  if (var->type->kind != IR_TYPE_POINTER || var->type->is_volatile ||
      innermost(var->type->element)->is_volatile)
    return false;
  if (var->kind == IR_VAR_VS) {
    const struct vs_var *definition = unit_vs_definition(s->unit, var);
    return definition && is_internal(s, definition);
  }
  return var->kind == IR_VAR_LOCAL || (var->kind == IR_VAR_HOST && var->is_static);
}

static void look_at_pointer(struct search *s, struct ir_var *var)
{
  struct object object = {.var = var, .behind = true};
  const struct host_node *call;
  struct host_uses uses;
  int64_t bytes;

  if (!is_own_pointer(s, var) || !host_allocation_of(s->constants, var, &call, &bytes) ||
      !is_device_memory(call) || host_unseen_use(s->index, var))
    return;
  host_memory_uses_of(s->index, var, &uses);
  if (is_unread(s, &object, &uses)) tell(s, &object, bytes, &call->expr->place);
}

void unread_results(struct unit *unit, struct effects *effects, struct constants *constants,
                    bool whole_program, struct unread_results *ret)
{
  struct search s = {.unit = unit,
                     .effects = effects,
                     .constants = constants,
                     .index = constants_index(constants),
                     .whole_program = whole_program,
                     .results = ret};

  for (unsigned i = 0; i < unit->vs_vars.count; i++) {
    struct vs_var *vs = unit->vs_vars.items[i];
    if (unit_vs_definition(unit, vs->var) != vs) continue;
    look_at_variable(&s, vs);
    look_at_pointer(&s, vs->var);
  }
  for (unsigned i = 0; i < unit->globals.count; i++)
    if (unit->globals.items[i]->kind == IR_VAR_HOST) look_at_pointer(&s, unit->globals.items[i]);
  for (unsigned i = 0; i < unit->functions.count; i++) {
    const struct ir_function *function = unit->functions.items[i];
    bool one = function->body && function->is_host && !function->instance_of;
    for (unsigned j = 0; one && j < function->var_count; j++)
      look_at_pointer(&s, function->vars[j]);
  }
}
