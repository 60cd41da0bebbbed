/* codegen.c - the order of code generation, and what its parts share.
 *
 * Each part records edits of the files' texts; nothing is written before all are known:
 *
 *     VS declarations, uses in device code, staged kernels, launches with their kernels for parts, host announcements
 *       -> edits of each file -> files spliced into one text -> head + text + epilogue
 */
#include <stdio.h>
#include <string.h>

#include "codegen/check.h"

void codegen_error(struct codegen *cg, enum diag_id id, const struct ir_place *place, const char *format, ...) {
  struct diag_place where = {0};
  if (place && place->file < cg->unit->files.count) {
    const struct unit_file *file = &cg->unit->files.items[place->file];
    where = (struct diag_place){file->path, place->line, place->column, file->text};
  }
  va_list arguments;
  va_start(arguments, format);
  diag_vreport(cg->diag, id, &where, format, arguments);
  va_end(arguments);
  cg->failed = true;
}

const char *source_text(const struct codegen *cg, const struct ir_place *place) {
  const struct unit_file *file = &cg->unit->files.items[place->file];
  return arena_copy(cg->arena, file->text + place->begin, place->end - place->begin);
}

static unsigned depth_of(const struct unit *unit, unsigned file) {
  unsigned depth = 0;
  for (int at = unit->files.items[file].included_from; at >= 0; at = unit->files.items[at].included_from) depth++;
  return depth;
}

static void lift(const struct unit *unit, unsigned *file, unsigned *at) {
  *at = unit->files.items[*file].include_begin;
  *file = (unsigned)unit->files.items[*file].included_from;
}

bool position_before(const struct unit *unit, unsigned file, unsigned at, unsigned other_file, unsigned other_at) {
  unsigned depth = depth_of(unit, file), other_depth = depth_of(unit, other_file);
  for (; depth > other_depth; depth--) lift(unit, &file, &at);
  for (; other_depth > depth; other_depth--) lift(unit, &other_file, &other_at);
  while (file != other_file) {
    lift(unit, &file, &at);
    lift(unit, &other_file, &other_at);
  }
  return at < other_at;
}

const char *access_name(unsigned access) {
  static const char *const names[] = {"0", "MESI_READ", "MESI_WRITE", "MESI_READ_WRITE"};
  return names[access & 3];
}

const char *quoted(struct arena *arena, const char *text) {
  struct text out = {0};
  text_add(&out, "\"");
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') text_format(&out, "\\%c", c);
    else if (c < 0x20) text_format(&out, "\\%03o", c);
    else text_add_bytes(&out, text, 1);
  }
  text_add(&out, "\"");
  const char *result = arena_copy(arena, out.data, out.length);
  text_finish(&out);
  return result;
}

const char *line_directive(struct codegen *cg, unsigned file, unsigned line) {
  if (!cg->options->line_directives) return "";
  return arena_format(cg->arena, "#line %u %s\n", line, quoted(cg->arena, cg->unit->files.items[file].path));
}

/* FNV-1a. */
static const char *table_name(struct unit *unit) {
  unsigned hash = 2166136261u;
  for (const char *at = unit->input; *at; at++) hash = (hash ^ (unsigned char)*at) * 16777619u;
  for (const char *at = unit->original.text ? unit->original.text : ""; *at; at++) hash = (hash ^ (unsigned char)*at) * 16777619u;
  return unit_fresh_name(unit, arena_format(unit->arena, "_mesi_%08x", hash));
}

static void prepare(struct codegen *cg) {
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

static void record_edits(struct codegen *cg) {
  emit_vs_names(cg);
  plan_tables(cg);
  emit_vs_declarations(cg);
  if (cg->options->target_cpu) find_waits(cg);
  if (cg->options->check) emit_check(cg);
  emit_vs_uses(cg);
  if (cg->options->target_cpu) emit_dynamic_shared(cg);
  if (cg->options->target_cpu) emit_waits(cg);
  emit_variants(cg);
  emit_launches(cg);
  emit_host_edits(cg);
  emit_typed_allocations(cg);
  emit_launches_by_address(cg);
}

static void write_output(struct codegen *cg, struct text *out) {
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
                 struct diag *diag, struct text *out) {
  struct codegen cg = {.unit = unit, .plan = plan, .options = options, .diag = diag, .arena = unit->arena};
  prepare(&cg);
  record_edits(&cg);
  if (!cg.failed) write_output(&cg, out);
  return cg.failed ? -1 : 0;
}
