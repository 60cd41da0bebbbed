/* SPDX-License-Identifier: MIT */
/* emit_check_tables.c - the tables of a file for the checker at run time: places, device variables,
 * functions that are not instrumented.
 *
 *     extern "C" { extern MESI_HIDDEN struct mesi_check_site _mesi_1f00ab_places[]; }
 *     ...
 *     extern "C" { MESI_HIDDEN struct mesi_check_site _mesi_1f00ab_places[] = {
 *       {"in.mcu", 12, 5, "s[t + 1]", "s", MESI_CHECK_IN_SHARED, 0},
 *     }; }
 *     static const struct mesi_check_var _mesi_1f00ab_device[] = {
 *       {"table", (const void *)&table, sizeof(table)},
 *     };
 *     static const struct mesi_check_kept _mesi_1f00ab_kept[] = {{"k", "it is a template", 1}};
 *     static struct mesi_check_file _mesi_1f00ab_check = {...};
 *     MESI_CHECK_REGISTER(_mesi_1f00ab_check)
 *
 * MESI_CHECK_ASAN in the first lines tells `mesicc run` to build with AddressSanitizer.
 */
#include "codegen/check/check.h"

static bool any_kept(const struct codegen *cg)
{
  for (unsigned i = 0; i < cg->unit->functions.count; i++)
    if (cg->check->kept[i]) return true;
  return false;
}

void emit_check_head(struct codegen *cg, struct text *out)
{
  if (!cg->check) return;
  text_add(out, "#include <mesi/check.h>\n");
  if (any_kept(cg))
    text_add(out, "#define MESI_CHECK_ASAN 1 /* kernels that are kept as written: build with "
                  "-fsanitize=address */\n");
  text_format(out, "extern \"C\" { extern MESI_HIDDEN struct mesi_check_site %s[]; }\n",
              cg->check->table);
}

static void emit_site(struct codegen *cg, const struct check_site *site, struct text *out)
{
  const char *path = cg->unit->files.items[site->place->file].path;
  text_format(out, "  {%s, %u, %u, %s, ", quoted(cg->arena, path), site->place->line,
              site->place->column, quoted(cg->arena, site->text));
  text_format(out, "%s, %s, 0},\n", quoted(cg->arena, site->variable ? site->variable : ""),
              site->shared ? "MESI_CHECK_IN_SHARED" : "0");
}

static void emit_sites(struct codegen *cg, struct text *out)
{
  text_format(out, "extern \"C\" { MESI_HIDDEN struct mesi_check_site %s[] = {\n",
              cg->check->table);
  for (unsigned i = 0; i < cg->check->sites.count; i++)
    emit_site(cg, &cg->check->sites.items[i], out);
  if (!cg->check->sites.count) text_add(out, "  {\"\", 0, 0, \"\", \"\", 0, 0},\n");
  text_add(out, "}; }\n");
}

static bool is_listed(const struct ir_var *var)
{
  bool sized = var->type->kind != IR_TYPE_REFERENCE && var->type->size > 0;
  return var->kind == IR_VAR_DEVICE && !var->is_constant_memory && sized && var->qualified;
}

static unsigned emit_vars(struct codegen *cg, struct text *out)
{
  unsigned count = 0;
  for (unsigned i = 0; i < cg->unit->globals.count; i++) {
    const struct ir_var *var = cg->unit->globals.items[i];
    if (!is_listed(var)) continue;
    if (!count++)
      text_format(out, "static const struct mesi_check_var %s_device[] = {\n", cg->table);
    text_format(out, "  {%s, (const void *)&::%s, sizeof(::%s)},\n", quoted(cg->arena, var->name),
                var->qualified, var->qualified);
  }
  if (count) text_add(out, "};\n");
  return count;
}

static unsigned emit_kept(struct codegen *cg, struct text *out)
{
  unsigned count = 0;
  for (unsigned i = 0; i < cg->unit->functions.count; i++) {
    if (!cg->check->kept[i]) continue;
    const struct ir_function *function = cg->unit->functions.items[i];
    if (!count++)
      text_format(out, "static const struct mesi_check_kept %s_kept[] = {\n", cg->table);
    text_format(out, "  {%s, %s, %d},\n", quoted(cg->arena, function->qualified),
                quoted(cg->arena, cg->check->kept[i]), function->is_kernel);
  }
  if (count) text_add(out, "};\n");
  return count;
}

void emit_check_epilogue(struct codegen *cg, struct text *out)
{
  if (!cg->check) return;
  text_add(out, "\n/* ---- for the checker ---- */\n");
  emit_sites(cg, out);
  unsigned vars = emit_vars(cg, out), kept = emit_kept(cg, out);
  text_format(out, "static struct mesi_check_file %s_check = {%s, %u, ", cg->table,
              cg->check->table, cg->check->sites.count);
  if (vars)
    text_format(out, "%s_device, %u, ", cg->table, vars);
  else
    text_add(out, "0, 0, ");
  if (kept)
    text_format(out, "%s_kept, %u, ", cg->table, kept);
  else
    text_add(out, "0, 0, ");
  text_format(out, "0};\nMESI_CHECK_REGISTER(%s_check)\n", cg->table);
}
