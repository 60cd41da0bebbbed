/* SPDX-License-Identifier: MIT */
/* codegen.c - the order of code generation, and the helpers that its parts share.
 *
 * Each part records edits of the files' texts. No text is written before all edits are known:
 *
 *     VS declarations, uses in device code, staged kernels, launches with their kernels for parts,
 *         host announcements
 *       -> edits of each file -> files spliced into one text -> head + text + epilogue
 */
#include <stdio.h>
#include <string.h>

#include "codegen/check/check.h"
#include "codegen/codegen.h"
#include "codegen/cpu/cpu.h"
#include "codegen/host/host.h"
#include "codegen/kernel/kernel.h"
#include "codegen/launch/launch.h"
#include "codegen/variable/variable.h"

/* FNV-1a. */
static const char *table_name(struct unit *unit)
{
  unsigned hash = 2166136261u;
  for (const char *at = unit->input; *at; at++) hash = (hash ^ (unsigned char)*at) * 16777619u;
  for (const char *at = unit->original.text ? unit->original.text : ""; *at; at++)
    hash = (hash ^ (unsigned char)*at) * 16777619u;
  return unit_fresh_name(unit, arena_format(unit->arena, "_mesi_%08x", hash));
}

static void prepare(struct codegen *cg)
{
  struct unit *unit = cg->unit;
  cg->edits = arena_alloc(cg->arena, (unit->files.count + 1) * sizeof *cg->edits);
  for (unsigned i = 0; i < unit->files.count; i++) cg->edits[i].arena = cg->arena;
  cg->vs = arena_alloc(cg->arena, (unit->vs_vars.count + 1) * sizeof *cg->vs);
  cg->sites = arena_alloc(cg->arena, (unit->launches.count + 1) * sizeof *cg->sites);
  cg->steps = arena_alloc(cg->arena, (cg->plan->steps.steps.count + 1) * sizeof *cg->steps);
  cg->parts = arena_alloc(cg->arena, (cg->plan->parts.count + 1) * sizeof *cg->parts);
  cg->names = arena_alloc(cg->arena, (cg->plan->variants.count + 1) * sizeof *cg->names);
  cg->table = table_name(unit);
}

/* Changes the text of device code, where it is not printed from the IR. */
static void emit_text_changes(struct codegen *cg)
{
  for (unsigned i = 0; i < cg->plan->texts.list.count; i++) {
    const struct text_change *change = &cg->plan->texts.list.items[i];
    if (!is_check_printed(cg, change->function))
      edit_replace(&cg->edits[change->file], change->begin, change->end, change->text);
  }
}

static void record_edits(struct codegen *cg)
{
  emit_vs_names(cg);
  plan_tables(cg);
  emit_vs_declarations(cg);
  if (cg->options->target_cpu) find_waits(cg);
  if (cg->options->check) emit_check(cg);
  emit_vs_uses(cg);
  if (cg->options->target_cpu) emit_dynamic_shared(cg);
  if (cg->options->target_cpu) emit_waits(cg);
  emit_text_changes(cg);
  emit_variants(cg);
  emit_launches(cg);
  emit_host_edits(cg);
  emit_typed_allocations(cg);
  emit_launches_by_address(cg);
}

static void write_output(struct codegen *cg, struct text *out)
{
  const struct unit_file *main_file = &cg->unit->files.items[0];
  if (!any_edits(cg) && !cg->var_count && !cg->site_count && !cg->options->target_cpu) {
    text_add_bytes(out, main_file->text, main_file->length);
    return;
  }
  emit_head(cg, out);
  if (emit_files(cg, out) < 0) return;
  if (out->length && out->data[out->length - 1] != '\n') text_add(out, "\n");
  emit_epilogue(cg, out);
}

int codegen_unit(struct unit *unit, const struct plan *plan, const struct codegen_options *options,
                 struct diag *diag, struct text *out)
{
  struct codegen cg = {
      .unit = unit, .plan = plan, .options = options, .diag = diag, .arena = unit->arena};
  prepare(&cg);
  record_edits(&cg);
  if (!cg.failed) write_output(&cg, out);
  return cg.failed ? -1 : 0;
}
