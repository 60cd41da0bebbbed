/* SPDX-License-Identifier: MIT */
/* emit_steps.c - a kernel that does several launches in one, after the original, and its
 * description for the runtime.
 *
 *     for (...) { dif<<<blocks, 128>>>(u, v); dif<<<blocks, 128>>>(v, u); }
 *       =>
 *     // dif_steps: up to 31 launches of dif, which follow one another, in one; tiles of 1024
 *     // elements in 8208 bytes of shared memory. Predicted gain: 9.3.
 *     static __global__ void __launch_bounds__(256)
 *         dif_steps(float *u, float *v, const mesi_steps_run _steps) { ... }
 *     static const mesi_steps_buffer dif_buffers[] = {{0, 1, 4}, {1, 0, 4}};
 *     static const mesi_steps dif_in_steps = {31, 2, 1, {256, 1, 1}, {1024, 1, 1}, {2, 0, 0}, 1,
 *         {1, 1}, dif_buffers, 2, nullptr, 0, &dif_in_steps};
 *
 *     mesi_stepped(dif_in_steps, dif_steps, dif, blocks, 128, blocks, 128)(u, v)    for CUDA
 *     mesi_cpu::launch_stepped(dif_in_steps, dif_steps, dif, mesi_cpu::config(blocks, 128),
 *                              mesi_cpu::config(blocks, 128), u, v)
 *
 * Two kernels that take turns have two of these, after the later one. The first grid and block are
 * those of the kernel as written, the second those of the launch. The body is the plan's IR.
 */
#include <inttypes.h>
#include <string.h>

#include "codegen/kernel/stage.h"

struct steps_printer {
  struct codegen *cg;
  const struct kernel_steps *steps;
};

static bool takes_turns(const struct kernel_steps *steps) { return steps->other != steps->kernel; }

/* Renames variables around the kernels: each of two kernels has names of its own. */
static const char *rename_var(struct printer *p, const struct ir_var *var)
{
  const struct steps_printer *context = p->context;
  struct codegen *cg = context->cg;
  if (var->kind != IR_VAR_VS) return NULL;
  if (!takes_turns(context->steps)) return vs_printed_name(cg, context->steps->kernel, var);
  return arena_format(cg->arena, "(*%s)",
                      vs_pointer_in(cg, context->steps->kernel, vs_names_of(cg, var)));
}

static const char *parameters(struct codegen *cg, const struct kernel_steps *steps)
{
  const char *text = "";
  for (unsigned i = 0; i < steps->kernel->param_count; i++)
    text = arena_format(cg->arena, "%s%s, ", text,
                        print_declaration(cg->arena, steps->kernel->params[i]->type,
                                          steps->kernel->params[i]->name));
  for (unsigned i = 0; i < steps->other_count; i++)
    text =
        arena_format(cg->arena, "%s%s, ", text,
                     print_declaration(cg->arena, steps->others[i]->type, steps->others[i]->name));
  text = arena_format(cg->arena, "%sconst mesi_steps_run %s", text, steps->run->name);
  for (unsigned which = 0; which < 2; which++)
    for (unsigned i = 0; i < steps->value_count[which]; i++)
      text = arena_format(cg->arena, "%s, const mesi_steps_values %s", text,
                          steps->values[which][i].list->name);
  return text;
}

static void print_head(struct steps_printer *context, const char *name, struct text *out)
{
  const struct kernel_steps *steps = context->steps;
  struct codegen *cg = context->cg;
  const char *tile = arena_format(cg->arena, "%" PRId64, steps->tile[0]);
  for (unsigned axis = 1; axis < steps->axes; axis++)
    tile = arena_format(cg->arena, "%s x %" PRId64, tile, steps->tile[axis]);
  const char *names = takes_turns(steps) ? arena_format(cg->arena, "%s and %s, which take turns,",
                                                        steps->kernel->name, steps->other->name)
                                         : arena_format(cg->arena, "%s, which follow one another,",
                                                        steps->kernel->name);
  text_format(out,
              "\n// %s: up to %u launches of %s in one; tiles of %s elements in %" PRIu64
              " bytes of shared memory.\n// Predicted gain: %.1f.\n",
              name, steps->depth, names, tile, steps->bytes, steps->gain);
  const char *resident = steps->resident ? arena_format(cg->arena, ", %u", steps->resident) : "";
  text_format(out, "%sstatic __global__ void __launch_bounds__(%" PRId64 "%s) %s(%s) {",
              line_directive(cg, steps->kernel->place.file, steps->kernel->place.line),
              steps->threads[0] * steps->threads[1] * steps->threads[2], resident, name,
              parameters(cg, steps));
}

static void print_numbers(struct text *out, const int64_t numbers[3])
{
  text_format(out, "{%" PRId64 ", %" PRId64 ", %" PRId64 "}, ", numbers[0], numbers[1], numbers[2]);
}

/* Prints the buffers; parameters that are VS variables have no number. */
static void print_buffers(struct codegen *cg, const struct kernel_steps *steps, const char *buffers,
                          struct text *out)
{
  text_format(out, "static const mesi_steps_buffer %s[] = {", buffers);
  for (unsigned i = 0; i < steps->buffer_count; i++) {
    const struct steps_buffer *buffer = &steps->buffers[i];
    const char *param = buffer->param == UINT32_MAX ? "MESI_STEPS_NAMED"
                                                    : arena_format(cg->arena, "%u", buffer->param);
    const char *elements =
        buffer->elements ? arena_format(cg->arena, ", %" PRIu64, buffer->elements) : "";
    text_format(out, "%s{%s, %u, %" PRIu64 "%s}", i ? ", " : "", param, buffer->before,
                buffer->bytes, elements);
  }
  text_add(out, "};\n");
}

/* Prints the tables for the runtime; the description itself is added to `all`. */
static void print_tables(struct steps_printer *context, const char *next, struct text *out,
                         struct text *all)
{
  const struct kernel_steps *steps = context->steps;
  struct codegen *cg = context->cg;
  const char *buffers =
      unit_fresh_name(cg->unit, arena_format(cg->arena, "%s_buffers", steps->kernel->name));
  unsigned count = steps->value_count[0];
  const char *values =
      count ? unit_fresh_name(cg->unit, arena_format(cg->arena, "%s_values", steps->kernel->name))
            : "nullptr";
  print_buffers(cg, steps, buffers, out);
  if (count) text_format(out, "static const unsigned %s[] = {", values);
  for (unsigned i = 0; i < count; i++)
    text_format(out, "%s%u", i ? ", " : "", steps->values[0][i].param);
  if (count) text_add(out, "};\n");
  text_format(all, "{%u, %u, %u, ", steps->depth, steps->kernel->param_count, steps->axes);
  print_numbers(all, steps->threads);
  print_numbers(all, steps->tile);
  print_numbers(all, steps->halo);
  text_format(all, "%u, {%d, %d}, %s, %u, %s, %u, &%s}", steps->tiles, steps->moves[0],
              steps->moves[1], buffers, steps->buffer_count, values, count, next);
}

static void print_body(struct steps_printer *context, struct printer *p)
{
  const struct ir_stmt *body = context->steps->code->body;
  p->indent = 1;
  if (!takes_turns(context->steps)) print_vs_references(context->cg, context->steps->kernel, p);
  p->line = 0;
  for (unsigned i = 0; i < body->child_count; i++) print_stmt(p, body->children[i]);
  text_add(p->out, "\n}\n");
}

static const char *numbered(struct codegen *cg, const struct kernel_steps *steps,
                            const char *suffix)
{
  const char *name = arena_format(cg->arena, steps->number > 1 ? "%s_%s_%u" : "%s_%s",
                                  steps->kernel->name, suffix, steps->number);
  return unit_fresh_name(cg->unit, name);
}

/* The later one of two kernels in the text: both are known there. */
static const struct ir_function *later_kernel(const struct codegen *cg,
                                              const struct kernel_steps *steps)
{
  const struct ir_place *kernel = &steps->kernel->body_place, *other = &steps->other->body_place;
  return position_before(cg->unit, kernel->file, kernel->begin, other->file, other->begin)
             ? steps->other
             : steps->kernel;
}

static void print_steps(struct codegen *cg, const struct kernel_steps *steps, const char *name,
                        const char *next, struct text *out, struct text *all)
{
  const struct unit_file *file = &cg->unit->files.items[steps->kernel->body_place.file];
  struct steps_printer context = {cg, steps};
  struct printer printer = {.arena = cg->arena,
                            .out = out,
                            .rename = rename_var,
                            .context = &context,
                            .source = file->text,
                            .target_cpu = cg->options->target_cpu};
  if (cg->options->line_directives) printer.file = quoted(cg->arena, file->path);
  print_head(&context, name, out);
  print_body(&context, &printer);
  print_tables(&context, next, out, all);
  if (printer.failed) codegen_unprintable(cg, steps->kernel);
}

static unsigned number_of(const struct codegen *cg, const struct kernel_steps *steps)
{
  unsigned i = 0;
  while (cg->plan->steps.steps.items[i] != steps) i++;
  return i;
}

/* Emits the kernels that begin with a kernel, and those that begin with the one that takes turns
 * with it. */
static void emit_steps(struct codegen *cg, const struct kernel_steps *steps)
{
  const struct kernel_steps *both[2] = {steps, steps->next};
  unsigned count = 1 + takes_turns(steps);
  struct steps_names names[2];
  struct text out = {0}, all = {0};
  const char *table = numbered(cg, steps, "in_steps");
  for (unsigned i = 0; i < count; i++)
    names[i] =
        (struct steps_names){numbered(cg, both[i], "steps"),
                             count > 1 ? arena_format(cg->arena, "%s[%u]", table, i) : table};
  for (unsigned i = 0; i < count; i++) {
    if (i) text_add(&all, ", ");
    print_steps(cg, both[i], names[i].kernel, names[count - 1 - i].description, &out, &all);
  }
  text_format(&out,
              count > 1 ? "static const mesi_steps %s[] = {%s};\n"
                        : "static const mesi_steps %s = %s;\n",
              table, text_string(&all));
  insert_behind(cg, later_kernel(cg, steps), NULL, &out);
  for (unsigned i = 0; i < count; i++) cg->steps[number_of(cg, both[i])] = names[i];
  text_finish(&out);
  text_finish(&all);
}

const struct steps_names *steps_names(struct codegen *cg, const struct kernel_steps *steps)
{
  struct steps_names *names = &cg->steps[number_of(cg, steps)];
  if (!names->kernel) emit_steps(cg, steps);
  return names;
}
