/* SPDX-License-Identifier: MIT */
/* names.c - the further names of each VS variable.
 *
 *     __global__ float a[N];            _d_a, the pointer to its device copy; _vs_a, its storage
 *     static __global__ int n;          _d_n; _vs_n_1f00, as another file may have an n too
 *     namespace { __global__ int a; }   and _h_a where another entity is named a: see vs_name.c
 */
#include <string.h>

#include "codegen/variable/variable.h"

bool vs_type_is_unnamed(const struct vs_var *vs)
{
  const struct ir_type *type = vs->var->type;
  while (type->kind == IR_TYPE_ARRAY) type = type->element;
  return type->is_unnamed;
}

/* Has the variable internal linkage? */
static bool vs_is_local(const struct vs_var *vs)
{
  return vs->is_static || (vs_type_is_unnamed(vs) && !vs->has_external_linkage) ||
         vs->in_anonymous_namespace || (vs->is_const && !vs->is_extern);
}

struct vs_names *vs_names_of(struct codegen *cg, const struct ir_var *var)
{
  return &cg->vs[unit_vs_definition(cg->unit, var)->id];
}

/* The name in ASCII: nvcc accepts other letters neither in the names of device variables nor in
 * names that only the assembler sees. */
const char *ascii_name(struct arena *arena, const char *name)
{
  const char *ascii = "";
  for (; *name; name++) {
    bool plain = (unsigned char)*name < 0x80;
    ascii = arena_format(arena, plain ? "%s%c" : "%su%02x", ascii,
                         plain ? *name : (unsigned char)*name);
  }
  return ascii;
}

void emit_vs_names(struct codegen *cg)
{
  struct namesakes namesakes;
  collect_namesakes(cg, &namesakes);
  for (unsigned i = 0; i < cg->unit->vs_vars.count; i++) {
    struct vs_names *names = vs_names_of(cg, cg->unit->vs_vars.items[i]->var);
    if (names->definition) continue;
    struct vs_var *vs = names->definition =
        unit_vs_definition(cg->unit, cg->unit->vs_vars.items[i]->var);
    names->pointer = unit_fresh_name(
        cg->unit, arena_format(cg->arena, "_d_%s", ascii_name(cg->arena, vs->name)));
    find_namesakes(cg, &namesakes, names);
    if (!vs->is_definition) continue;
    names->plain = vs->is_const;
    if (names->plain) continue;
    bool shared_name = vs_is_local(vs) || vs->in_namespace;
    const char *file = shared_name ? cg->table + strlen("_mesi") : "";
    names->store = unit_fresh_name(
        cg->unit, arena_format(cg->arena, "_vs_%s%s", ascii_name(cg->arena, vs->name), file));
  }
}
