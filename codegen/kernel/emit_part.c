/* SPDX-License-Identifier: MIT */
/* emit_part.c - a kernel for a run of its blocks, after the original.
 *
 *     __global__ void scale(const float *a, float *b) {
 *       int i = blockIdx.x * 256 + threadIdx.x;
 *       b[i] = 2 * a[i];
 *     }
 *       =>
 *     // scale_part: scale for a run of blocks along x, from _run.first of _run.blocks.
 *     __global__ void scale_part(const float *a, float *b, const mesi_run _run) {
 *       int i = (blockIdx.x + _run.first) * 256 + threadIdx.x;
 *       b[i] = 2 * a[i];
 *     }
 *
 * Requires a kernel with IR whose callees use neither index.
 */
#include <string.h>

#include "codegen/kernel/stage.h"
#include "runtime/seeded.h"

struct part_printer {
  struct codegen *cg;
  const struct kernel_parts *parts;
  const char *run; /* name of the parameter */
};

static bool replace_index(struct printer *p, const struct ir_expr *expr)
{
  const struct part_printer *part = p->context;
  int axis = (int)part->parts->axis;
  bool block = expr->kind == IR_EXPR_BUILTIN && expr->value == IR_BLOCK_IDX + axis &&
               !SEEDED(PART_FROM_FIRST);
  bool grid = expr->kind == IR_EXPR_BUILTIN && expr->value == IR_GRID_DIM + axis &&
              !SEEDED(PART_GRID_SMALL);
  if (block) text_format(p->out, "(blockIdx.%c + %s.first)", 'x' + axis, part->run);
  if (grid) text_format(p->out, "%s.blocks", part->run);
  return block || grid;
}

static const char *rename_var(struct printer *p, const struct ir_var *var)
{
  const struct part_printer *part = p->context;
  return var->kind == IR_VAR_VS ? vs_printed_name(part->cg, part->parts->kernel, var) : NULL;
}

static void print_part(struct part_printer *part, const char *name, struct printer *p)
{
  struct codegen *cg = part->cg;
  const struct ir_function *kernel = part->parts->kernel;
  text_format(
      p->out, "\n// %s: %s for a run of blocks along %c, from %s.first of %s.blocks.\n%s%s {", name,
      kernel->name, 'x' + part->parts->axis, part->run, part->run,
      line_directive(cg, kernel->place.file, kernel->place.line),
      kernel_head_with(cg, kernel, name, arena_format(cg->arena, "const mesi_run %s", part->run)));
  p->indent = 1;
  print_vs_references(cg, kernel, p);
  for (unsigned i = 0; i < part->parts->code->body->child_count; i++)
    print_stmt(p, part->parts->code->body->children[i]);
  text_add(p->out, "\n}\n");
}

static const char *emit_part(struct codegen *cg, const struct kernel_parts *parts)
{
  const struct unit_file *file = &cg->unit->files.items[parts->kernel->body_place.file];
  struct part_printer part = {cg, parts, staged_name(cg, "_run")};
  struct text out = {0};
  struct printer printer = {.arena = cg->arena,
                            .out = &out,
                            .replace = replace_index,
                            .rename = rename_var,
                            .context = &part,
                            .source = file->text,
                            .target_cpu = cg->options->target_cpu,
                            .waits = waits_for_others(cg, parts->kernel)};
  if (cg->options->line_directives) printer.file = quoted(cg->arena, file->path);
  const char *suffix =
      parts->number > 1 ? arena_format(cg->arena, "_part_%u", parts->number) : "_part";
  const char *name =
      unit_fresh_name(cg->unit, arena_format(cg->arena, "%s%s", parts->kernel->name, suffix));
  print_part(&part, name, &printer);
  if (printer.failed) codegen_unprintable(cg, parts->kernel);
  insert_behind(cg, parts->kernel, NULL, &out);
  text_finish(&out);
  return name;
}

const char *parts_name(struct codegen *cg, const struct kernel_parts *parts)
{
  unsigned i = 0;
  while (cg->plan->parts.items[i] != parts) i++;
  if (!cg->parts[i]) cg->parts[i] = emit_part(cg, parts);
  return cg->parts[i];
}
