/* SPDX-License-Identifier: MIT */
/* unit.c - fresh names and look-ups over a unit. */
#include "translator/ir/unit.h"

#include <string.h>

const char *unit_fresh_name(struct unit *unit, const char *wanted)
{
  const char *name = arena_string(unit->arena, wanted);
  for (unsigned number = 2; name_map_has(&unit->identifiers, name); number++)
    name = arena_format(unit->arena, "%s_%u", wanted, number);
  name_map_put(unit->arena, &unit->identifiers, name, NULL);
  return name;
}

const char *unit_local_name(struct unit *unit, const char *wanted)
{
  for (unsigned i = 0; i < unit->local_names.count; i++)
    if (!strcmp(unit->local_names.items[i].wanted, wanted)) return unit->local_names.items[i].name;
  struct local_name *local = ARENA_PUSH(unit->arena, &unit->local_names);
  local->wanted = arena_string(unit->arena, wanted);
  local->name = unit_fresh_name(unit, wanted);
  return local->name;
}

struct vs_var *unit_vs_definition(struct unit *unit, const struct ir_var *var)
{
  (void)unit;
  return var->vs; /* the frontend keeps the defining declarator there, otherwise the first */
}

/* Does the scope enclose the function? */
static bool stands_in(const struct ir_function *function, const char *scope)
{
  return !strncmp(function->qualified, scope, strlen(scope));
}

bool unit_renames(const struct unit *unit, const struct ir_function *from,
                  const struct ir_function *at)
{
  bool open = false; /* names of other namespaces may be visible, too */

  for (unsigned i = 0; i < at->names_before || i < from->names_before; i++) {
    const struct declared_name *declared = &unit->declared.items[i];
    bool at_has = open || stands_in(at, declared->scope),
         from_has = open || stands_in(from, declared->scope);
    at_has &= i < at->names_before;
    from_has &= i < from->names_before;
    open |= !*declared->name;
    if (at_has != from_has && (!*declared->name || ir_names_other(from, declared->name, NULL)))
      return true;
  }
  return false;
}

static const struct ir_function *source_of(const struct ir_function *function)
{
  return function->instance_of ? function->instance_of : function;
}

bool unit_same_source(const struct ir_function *a, const struct ir_function *b)
{
  return source_of(a) == source_of(b);
}

bool launch_is_pinned(const struct launch *launch)
{
  const struct ir_function *kernel = launch->kernel;
  return !launch->callee_is_template ||
         (kernel && kernel->instance_of && kernel->body && launch->callee_type);
}

const struct ir_var *launch_param(const struct launch *launch, unsigned arg)
{
  if (!launch->kernel || arg >= launch->kernel->param_count) return NULL;
  for (unsigned i = 0; i <= arg; i++)
    if (launch->args[i].is_pack) return NULL;
  return launch->kernel->params[arg];
}

bool launch_has_pack(const struct launch *launch)
{
  for (unsigned i = 0; i < launch->arg_count; i++)
    if (launch->args[i].is_pack) return true;
  return false;
}

unsigned launch_text_args(const struct launch *launch)
{
  unsigned count = launch->arg_count;
  while (count && launch->args[count - 1].part) count--;
  return count;
}

bool launch_gives_all(const struct launch *launch)
{
  return launch->kernel && launch->arg_count >= launch->kernel->param_count &&
         !launch_has_pack(launch);
}
