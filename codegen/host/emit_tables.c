/* SPDX-License-Identifier: MIT */
/* emit_tables.c - the first lines of the output and its epilogue: storage of VS variables and the
 * runtime's tables.
 *
 *     #include <mesi_cuda.h>
 *     extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_1f00ab; }
 *     #line 1 "in.mcu"
 *     ...
 *     extern "C" { MESI_HIDDEN mesi_page<decltype(a)> _vs_a; }
 *     static const struct mesi_var _mesi_1f00ab_vars[] = { ... };
 *     ...
 *     MESI_REGISTER(_mesi_1f00ab)
 */
#include <string.h>

#include "codegen/check/check.h"
#include "codegen/host/host.h"
#include "codegen/launch/launch.h"
#include "codegen/variable/variable.h"
#include "runtime/seeded.h"

/* ---- the entries of the tables ---- */

static bool named_in_function(const struct codegen *cg, const struct ir_var *var)
{
  for (unsigned i = 0; i < cg->unit->functions.count; i++) {
    const struct ir_function *function = cg->unit->functions.items[i];
    for (unsigned k = 0; k < function->vs_use_count; k++)
      if (function->vs_uses[k]->var == var) return true;
  }
  return false;
}

static bool named_in_plan(const struct codegen *cg, const struct ir_var *var)
{
  for (unsigned i = 0; i < cg->unit->launches.count; i++)
    for (unsigned k = 0; k < cg->plan->launches[i].use_count; k++)
      if (cg->plan->launches[i].uses[k]->var == var) return true;
  return false;
}

struct mention {
  const struct ir_var *var;
  bool found;
};

static void find_mention(struct ir_expr *expr, void *context)
{
  struct mention *mention = context;
  mention->found |= expr->kind == IR_EXPR_VAR && expr->var == mention->var;
}

static bool named_in_initialiser(const struct codegen *cg, const struct ir_var *var)
{
  struct mention mention = {var, false};
  for (unsigned i = 0; i < cg->unit->globals.count; i++)
    if (cg->unit->globals.items[i]->init)
      ir_visit_expr(cg->unit->globals.items[i]->init, find_mention, &mention);
  return mention.found;
}

/* Is the variable in the table? One of another file that this file never uses may not exist. */
static bool is_listed(const struct codegen *cg, const struct vs_names *names)
{
  const struct ir_var *var = names->definition->var;
  return names->definition->is_definition || named_in_function(cg, var) || named_in_plan(cg, var) ||
         named_in_initialiser(cg, var);
}

static bool is_site(const struct codegen *cg, const struct launch *launch)
{
  return cg->plan->launches[launch->id].hooked && !launch_is_repeated(cg->unit, launch);
}

void plan_tables(struct codegen *cg)
{
  for (unsigned i = 0; i < cg->unit->vs_vars.count; i++) {
    struct vs_names *names = vs_names_of(cg, cg->unit->vs_vars.items[i]->var);
    if (names->in_table || !is_listed(cg, names)) continue;
    names->in_table = true;
    names->index = cg->var_count++;
  }
  for (unsigned i = 0; i < cg->unit->launches.count; i++)
    if (is_site(cg, cg->unit->launches.items[i])) cg->sites[i] = cg->site_count++;
}

/* ---- head ---- */

static void emit_select(struct codegen *cg, struct text *out)
{
  if (cg->options->target_cpu)
    text_add(
        out,
        "#define mesi_select(host, pointer) (*(mesi_cpu_in_kernel() ? (pointer) : &(host)))\n");
  else
    text_add(out, "#ifdef __CUDA_ARCH__\n#define mesi_select(host, pointer) (*(pointer))\n#else\n"
                  "#define mesi_select(host, pointer) (host)\n#endif\n");
}

void emit_head(struct codegen *cg, struct text *out)
{
  text_add(out, cg->options->target_cpu ? "#include <mesi_cpu.h>\n" : "#include <mesi_cuda.h>\n");
  emit_check_head(cg, out);
  if (cg->needs_select) emit_select(cg, out);
  if (cg->site_count)
    text_format(out, "extern \"C\" { extern MESI_HIDDEN struct mesi_file %s; }\n", cg->table);
  emit_allocation_maps(cg, out);
  text_add(out, line_directive(cg, 0, 1));
}

/* ---- storage ---- */

static void emit_stores(struct codegen *cg, struct text *out)
{
  for (unsigned i = 0; i < cg->unit->vs_vars.count; i++) {
    const struct vs_names *names = &cg->vs[i];
    if (!names->definition || !names->store || names->stored) continue;
    text_format(out, "extern \"C\" { MESI_HIDDEN mesi_page<%s> %s; }\n",
                vs_type_text(cg, names->definition), names->store);
  }
}

/* ---- variables ---- */

static const struct ir_type *element_type(const struct ir_type *type)
{
  while (type->kind == IR_TYPE_ARRAY) type = type->element;
  return type;
}

void emit_pointer_map(struct text *out, const struct ir_type *type, const char *name)
{
  type = element_type(type);
  bool record = type->kind == IR_TYPE_RECORD;
  unsigned count = record ? type->pointer_count - SEEDED(POINTER_MAP_SHORT) : 1;
  text_format(out, "static const size_t %s_offsets[] = {", name);
  for (unsigned i = 0; i < count; i++)
    text_format(out, "%s%llu", i ? ", " : "",
                record ? (unsigned long long)type->pointer_offsets[i] : 0ull);
  text_format(out, "};\nstatic const struct mesi_pointer_map %s = {%lld, %u, %s_offsets};\n", name,
              (long long)type->size, count, name);
}

static const char *map_name(struct codegen *cg, const struct vs_names *names)
{
  return arena_format(cg->arena, "%s_map_%u", cg->table, names->index);
}

static const char *var_flags(struct codegen *cg, const struct vs_names *names)
{
  const struct vs_var *vs = names->definition;
  bool guarded = cg->plan->host.vs[vs->id].guarded;
  const struct ir_type *element = element_type(vs->var->type);
  bool floating = element->kind == IR_TYPE_FLOAT;
  const char *kind = floating && element->size == 4   ? " | MESI_VAR_FLOAT"
                     : floating && element->size == 8 ? " | MESI_VAR_DOUBLE"
                                                      : "";
  const char *flags =
      arena_format(cg->arena, "%s%s%s%s", guarded && !names->plain ? " | MESI_VAR_GUARDED" : "",
                   names->store || names->plain ? "" : " | MESI_VAR_EXTERN",
                   vs->is_const ? " | MESI_VAR_CONST" : "", kind);
  return *flags ? flags + 3 : "0";
}

static const char *place_text(struct codegen *cg, const struct ir_place *place)
{
  return quoted(cg->arena, arena_format(cg->arena, "%s:%u", cg->unit->files.items[place->file].path,
                                        place->line));
}

static bool has_size(const struct vs_names *names)
{
  const struct ir_type *type = names->definition->var->type;
  return type->kind != IR_TYPE_ARRAY || type->extent >= 0;
}

static void emit_var(struct codegen *cg, struct text *out, const struct vs_names *names)
{
  const struct vs_var *vs = names->definition;
  const char *name = vs_global_name(cg, vs);
  text_format(out, "  {%s, (void *)&%s, ", quoted(cg->arena, vs->qualified), name);
  if (has_size(names))
    text_format(out, "sizeof(%s), ", name);
  else
    text_add(out, "0, ");
  text_format(out, "&%s%s%s, %s, ", *vs->scope ? "::" : "", vs->scope, names->pointer,
              var_flags(cg, names));
  if (ir_type_holds_pointers(vs->var->type))
    text_format(out, "&%s, ", map_name(cg, names));
  else
    text_add(out, "0, ");
  text_format(out, "%s},\n", place_text(cg, &vs->name_place));
}

static void emit_vars(struct codegen *cg, struct text *out)
{
  if (!cg->var_count) return;
  unsigned count = cg->unit->vs_vars.count;
  const struct vs_names **order = arena_alloc(cg->arena, count * sizeof *order);
  for (unsigned i = 0; i < count; i++)
    if (cg->vs[i].in_table) order[cg->vs[i].index] = &cg->vs[i];
  for (unsigned i = 0; i < cg->var_count; i++)
    if (ir_type_holds_pointers(order[i]->definition->var->type))
      emit_pointer_map(out, order[i]->definition->var->type, map_name(cg, order[i]));
  text_format(out, "static const struct mesi_var %s_vars[] = {\n", cg->table);
  for (unsigned i = 0; i < cg->var_count; i++) emit_var(cg, out, order[i]);
  text_add(out, "};\n");
}

/* ---- launch sites ---- */

static void emit_site_uses(struct codegen *cg, struct text *out, const struct launch *launch)
{
  const struct launch_plan *plan = &cg->plan->launches[launch->id];
  if (!plan->use_count) return;
  text_format(out, "static const struct mesi_site_use %s_uses_%u[] = {", cg->table,
              cg->sites[launch->id]);
  for (unsigned i = 0; i < plan->use_count; i++)
    text_format(out, "%s{%u, %s}", i ? ", " : "", vs_names_of(cg, plan->uses[i]->var)->index,
                access_name(SEEDED(SITE_READ_ONLY) ? 1 : plan->use_access[i]));
  text_add(out, "};\n");
}

static void emit_site(struct codegen *cg, struct text *out, const struct launch *launch)
{
  const struct launch_plan *plan = &cg->plan->launches[launch->id];
  const char *kernel = launch->kernel        ? launch->kernel->qualified
                       : launch->callee_text ? launch->callee_text
                                             : "";
  text_format(out, "  {%s, %s, ", quoted(cg->arena, kernel), place_text(cg, &launch->place));
  if (plan->use_count)
    text_format(out, "%s_uses_%u, ", cg->table, cg->sites[launch->id]);
  else
    text_add(out, "0, ");
  text_format(out, "%u%s},\n", plan->use_count, plan->uses_all ? ", MESI_READ_WRITE" : ", 0");
}

static void emit_sites(struct codegen *cg, struct text *out)
{
  if (!cg->site_count) return;
  for (unsigned i = 0; i < cg->unit->launches.count; i++)
    if (is_site(cg, cg->unit->launches.items[i]))
      emit_site_uses(cg, out, cg->unit->launches.items[i]);
  text_format(out, "static const struct mesi_site %s_sites[] = {\n", cg->table);
  for (unsigned i = 0; i < cg->unit->launches.count; i++)
    if (is_site(cg, cg->unit->launches.items[i])) emit_site(cg, out, cg->unit->launches.items[i]);
  for (unsigned i = 0; i < cg->addressed.count; i++) /* any variable */
    text_format(out, "  {%s, %s, 0, 0, MESI_READ_WRITE},\n",
                quoted(cg->arena, cg->addressed.items[i].kernel),
                place_text(cg, &cg->addressed.items[i].place));
  text_add(out, "};\n");
}

/* ---- the interface ---- */

/* Does the program copy by work in its streams? The runtime then waits for it before it moves host
 * memory. */
static bool copies_in_streams(const struct codegen *cg)
{
  for (unsigned i = 0; i < cg->unit->files.count; i++) {
    const char *at = cg->unit->files.items[i].text;
    while ((at = strstr(at, "Mem"))) {
      size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
      if (length > 8 && (!strncmp(at, "Memcpy", 6)) && !strncmp(at + length - 5, "Async", 5))
        return true;
      at += length;
    }
  }
  return false;
}

void emit_epilogue(struct codegen *cg, struct text *out)
{
  emit_check_epilogue(cg, out);
  emit_known_kernels(cg, out);
  if (!cg->var_count && !cg->site_count) return;
  text_add(out, "\n/* ---- for the runtime ---- */\n");
  emit_stores(cg, out);
  emit_vars(cg, out);
  emit_sites(cg, out);
  const char *vars = cg->var_count ? arena_format(cg->arena, "%s_vars", cg->table) : "0";
  const char *sites = cg->site_count ? arena_format(cg->arena, "%s_sites", cg->table) : "0";
  text_format(
      out, "extern \"C\" { MESI_HIDDEN struct mesi_file %s = {MESI_ABI, %s, %s, %u, %s, %u}; }\n",
      cg->table, quoted(cg->arena, cg->unit->input), vars, cg->var_count, sites, cg->site_count);
  text_format(out, "MESI_REGISTER(%s)\n", cg->table);
  if (copies_in_streams(cg)) text_format(out, "MESI_ASYNC_COPIES(%s)\n", cg->table);
}
