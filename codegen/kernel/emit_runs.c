/* SPDX-License-Identifier: MIT */
/* emit_runs.c - second forms of a variant's kernels, for a run of the launch's blocks.
 *
 *     blur_cached<<<grid, block>>>(a, b, n)
 *  =>
 *     // blur_cached_part: blur_cached for a run of blocks along y, from _run.first of _run.blocks.
 *     __global__ void blur_cached_part(const float *a, float *b, int n, const mesi_run _run) {
 *       ...blur_cached with (blockIdx.y + _run.first) for blockIdx.y...
 *     }
 *
 * The blocks of a mapping are counted in its own grid. The mapping uses them only as global ids, so
 * that a run of them does the work of the threads that they represent. There are no such forms of
 * versions whose blocks share sums or take turns: their memory for parts belongs to one device, and
 * their number to the whole grid.
 *
 * Requires: the variant's kernels have been printed.
 */
#include <string.h>

#include "codegen/kernel/stage.h"
#include "runtime/seeded.h"

bool print_run_index(struct staged *s, const struct ir_expr *expr)
{
  int axis = s->variant->runs_axis;
  if (expr->kind != IR_EXPR_BUILTIN) return false;
  bool block = expr->value == IR_BLOCK_IDX + axis && !SEEDED(RUN_FROM_FIRST),
       grid = expr->value == IR_GRID_DIM + axis && !SEEDED(RUN_GRID_SMALL);
  if (block) text_format(s->printer.out, "(blockIdx.%c + %s.first)", 'x' + axis, s->run);
  if (grid) text_format(s->printer.out, "%s.blocks", s->run);
  return block || grid;
}

static void print_run_comment(struct staged *s, const char *name, const char *of)
{
  text_format(s->printer.out, "// %s: %s for a run of blocks along %c, from %s.first of %s.blocks.",
              name, of, 'x' + s->variant->runs_axis, s->run, s->run);
}

static const char *run_parameter(struct staged *s)
{
  return arena_format(s->cg->arena, "const mesi_run %s", s->run);
}

/* The head of a mapping with the run after its parameters. */
static const char *with_run(struct staged *s, const char *head)
{
  size_t end = strlen(head);
  bool none = head[end - 2] == '(';
  return arena_format(s->cg->arena, "%.*s%s%s)", (int)end - 1, head, none ? "" : ", ",
                      run_parameter(s));
}

static bool runs_apart(const struct mapped_version *version)
{
  return !version->share && !version->most_blocks;
}

static const char *print_run_of(struct staged *s, struct ir_function *code, const char *of,
                                const char *head, const char *name)
{
  print_run_comment(s, name, of);
  print_code(s, code, with_run(s, head));
  return name;
}

static const char *run_name(struct staged *s, const char *of)
{
  return unit_fresh_name(s->cg->unit, arena_format(s->cg->arena, "%s_part", of));
}

static void print_mapped_runs(struct staged *s, struct kernel_names *names)
{
  const struct kernel_mapping *mapping = s->variant->mapping;
  for (unsigned i = 0; i < mapping->version_count; i++) {
    const struct mapped_version *v = &mapping->versions[i];
    if (!runs_apart(v)) continue;
    const char *of = i ? names->versions[i] : names->kernel, *name = run_name(s, of);
    names->runs[i] = print_run_of(s, v->code, of, mapped_head(s->cg, s->variant, i, name), name);
  }
  if (mapping->plain) {
    const char *name = run_name(s, names->plain);
    names->run_plain = print_run_of(s, mapping->plain, names->plain,
                                    plain_head(s->cg, s->variant, mapping->plain, name), name);
  }
  if (mapping->written) {
    const char *name = run_name(s, names->written);
    names->run_written = print_run_of(s, mapping->written, names->written,
                                      plain_head(s->cg, s->variant, mapping->written, name), name);
  }
  names->run = names->runs[0];
}

void print_runs(struct staged *s, struct kernel_names *names)
{
  s->run = staged_name(s->cg, "_run");
  if (s->variant->mapping) {
    print_mapped_runs(s, names);
    return;
  }
  names->run = run_name(s, names->kernel);
  print_run_comment(s, names->run, names->kernel);
  print_kernel_with(s,
                    arena_format(s->cg->arena, "%s ",
                                 kernel_head_with(s->cg, s->kernel, names->run, run_parameter(s))));
}
