/* unit.c - fresh names and look-ups over a unit. */
#include "translator/ir/unit.h"

#include <string.h>

const char *unit_fresh_name(struct unit *unit, const char *wanted) {
  const char *name = arena_string(unit->arena, wanted);
  for (unsigned number = 2; name_map_has(&unit->identifiers, name); number++)
    name = arena_format(unit->arena, "%s_%u", wanted, number);
  name_map_put(unit->arena, &unit->identifiers, name, NULL);
  return name;
}

const char *unit_local_name(struct unit *unit, const char *wanted) {
  for (unsigned i = 0; i < unit->local_names.count; i++)
    if (!strcmp(unit->local_names.items[i].wanted, wanted)) return unit->local_names.items[i].name;
  struct local_name *local = ARENA_PUSH(unit->arena, &unit->local_names);
  local->wanted = arena_string(unit->arena, wanted);
  local->name = unit_fresh_name(unit, wanted);
  return local->name;
}

struct vs_var *unit_vs_definition(struct unit *unit, const struct ir_var *var) {
  (void)unit;
  return var->vs; /* the frontend keeps the defining declarator there, else the first */
}

static const struct ir_function *source_of(const struct ir_function *function) {
  return function->instance_of ? function->instance_of : function;
}

bool unit_same_source(const struct ir_function *a, const struct ir_function *b) { return source_of(a) == source_of(b); }

bool launch_is_pinned(const struct launch *launch) {
  const struct ir_function *kernel = launch->kernel;
  return !launch->callee_is_template || (kernel && kernel->instance_of && kernel->body && launch->callee_type);
}
