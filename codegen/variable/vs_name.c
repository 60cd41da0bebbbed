/* SPDX-License-Identifier: MIT */
/* vs_name.c - the name of a VS variable in host code and in the tables at the end of the file.
 *
 *     __global__ int a[8];                                    a, where no other has the name, or
 *                                                             ::a
 *     namespace phys { __global__ int a[8]; }                 ::phys::a
 *     __global__ int a[8]; namespace { __global__ int b[8]; } b
 *     int a; namespace { __global__ int a[8]; }               _h_a, a reference behind it
 *
 * Inserted names are in functions of any scope, after any using: a name of one word may mean
 * something else there. A name from the global scope down does not, unless the variable is in an
 * anonymous namespace beside others of its name.
 */
#include <stdlib.h>
#include <string.h>

#include "codegen/variable/variable.h"
#include "runtime/seeded.h"

static int compare_named(const void *left, const void *right)
{
  const struct named *a = left, *b = right;
  return strcmp(a->name, b->name);
}

void collect_namesakes(struct codegen *cg, struct namesakes *ret)
{
  const struct unit *unit = cg->unit;
  *ret = (struct namesakes){0};
  size_t most = (size_t)unit->vs_vars.count + unit->globals.count + unit->functions.count;
  ret->named = arena_alloc(cg->arena, most * sizeof *ret->named);
  struct named *end = ret->named;
  for (unsigned i = 0; i < unit->vs_vars.count; i++)
    *end++ = (struct named){unit->vs_vars.items[i]->name, unit->vs_vars.items[i]->var};
  for (unsigned i = 0; i < unit->globals.count; i++)
    if (unit->globals.items[i]->name)
      *end++ = (struct named){unit->globals.items[i]->name, unit->globals.items[i]};
  for (unsigned i = 0; i < unit->functions.count; i++)
    *end++ = (struct named){unit->functions.items[i]->name, unit->functions.items[i]};
  ret->named_count = (unsigned)(end - ret->named);
  qsort(ret->named, ret->named_count, sizeof *ret->named, compare_named);
  for (unsigned i = 0; i < unit->files.count; i++)
    for (const char *at = unit->files.items[i].text; (at = strstr(at, "::"));) {
      at += 2;
      at += strspn(at, " \t\r\n");
      *ARENA_PUSH(cg->arena, &ret->qualified) = at;
    }
}

static bool text_qualifies(const struct namesakes *all, const char *name)
{
  size_t length = strlen(name);
  for (unsigned i = 0; i < all->qualified.count; i++) {
    const char *at = all->qualified.items[i];
    if (!strncmp(at, name, length) && token_is(at, scan_token(at, 0, (unsigned)length + 1), name))
      return true;
  }
  return false;
}

static bool has_namesake(const struct namesakes *all, const struct vs_var *vs)
{
  unsigned low = 0, high = all->named_count;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (strcmp(all->named[middle].name, vs->name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < all->named_count && !strcmp(all->named[low].name, vs->name); low++)
    if (all->named[low].object != vs->var) return true;
  return false;
}

/* Has another entity the name, or may it? The source then qualifies it. */
void find_namesakes(struct codegen *cg, const struct namesakes *all, struct vs_names *names)
{
  const struct vs_var *vs = names->definition;
  names->namesake = has_namesake(all, vs);
  if (names->namesake && vs->in_anonymous_namespace)
    names->alias = unit_fresh_name(
        cg->unit, arena_format(cg->arena, "_h_%s", ascii_name(cg->arena, vs->name)));
  names->namesake = names->namesake || text_qualifies(all, vs->name);
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
