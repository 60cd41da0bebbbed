/* SPDX-License-Identifier: MIT */
/* vs_name.c - how host code and the tables at the end of the file name a VS variable.
 *
 *     __global__ int a[8];                                    a, where nothing else has the name;
 *         else ::a
 *     namespace phys { __global__ int a[8]; }                 ::phys::a
 *     __global__ int a[8]; namespace { __global__ int b[8]; } b
 *     int a; namespace { __global__ int a[8];
 *         }               _h_a, a reference that stands behind its declaration
 *
 * What is inserted stands in functions of any scope, behind any using: a name of one word may mean
 * something else there, one from the global scope down does not, unless the variable stands in an
 * anonymous namespace beside others of its name.
 */
#include <string.h>

#include "codegen/variable/variable.h"
#include "runtime/seeded.h"

static bool text_qualifies(const char *text, const char *name)
{
  size_t length = strlen(name);
  for (const char *at = text; (at = strstr(at, "::"));) {
    at += 2;
    at += strspn(at, " \t\r\n");
    if (!strncmp(at, name, length) && token_is(at, scan_token(at, 0, (unsigned)length + 1), name))
      return true;
  }
  return false;
}

static bool has_namesake(const struct unit *unit, const struct vs_var *vs)
{
  for (unsigned i = 0; i < unit->vs_vars.count; i++)
    if (unit->vs_vars.items[i]->var != vs->var && !strcmp(unit->vs_vars.items[i]->name, vs->name))
      return true;
  for (unsigned i = 0; i < unit->globals.count; i++)
    if (unit->globals.items[i] != vs->var && unit->globals.items[i]->name &&
        !strcmp(unit->globals.items[i]->name, vs->name))
      return true;
  for (unsigned i = 0; i < unit->functions.count; i++)
    if (!strcmp(unit->functions.items[i]->name, vs->name)) return true;
  return false;
}

/* Whether something else has the name, or may: the source tells it apart. */
void find_namesakes(struct codegen *cg, struct vs_names *names)
{
  const struct vs_var *vs = names->definition;
  names->namesake = has_namesake(cg->unit, vs);
  if (names->namesake && vs->in_anonymous_namespace)
    names->alias = unit_fresh_name(
        cg->unit, arena_format(cg->arena, "_h_%s", ascii_name(cg->arena, vs->name)));
  for (unsigned i = 0; i < cg->unit->files.count && !names->namesake; i++)
    names->namesake = text_qualifies(cg->unit->files.items[i].text, vs->name);
}

const char *vs_global_name(struct codegen *cg, const struct vs_var *vs)
{
  const struct vs_names *names = vs_names_of(cg, vs->var);
  if (names->alias)
    return arena_format(cg->arena, "%s%s%s", *vs->scope ? "::" : "", vs->scope, names->alias);
  return arena_format(cg->arena, "%s%s%s",
                      (*vs->scope || names->namesake) && !SEEDED(NAMESAKE_MISSED) ? "::" : "",
                      vs->scope, vs->name);
}

const char *vs_type_text(struct codegen *cg, const struct vs_var *vs)
{
  const struct vs_names *names = vs_names_of(cg, vs->var);
  if (!names->alias) return arena_format(cg->arena, "decltype(%s)", vs_global_name(cg, vs));
  return arena_format(cg->arena, "std::remove_reference<decltype(%s)>::type",
                      vs_global_name(cg, vs));
}
