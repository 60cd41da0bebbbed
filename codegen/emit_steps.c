/* emit_steps.c - a kernel that does several launches in one, behind the original, and what the runtime has to know of it.
 *
 *     for (...) { dif<<<blocks, 128>>>(u, v); dif<<<blocks, 128>>>(v, u); }
 *  =>
 *     // dif_steps: up to 31 launches of dif, which follow one another, in one; tiles of 1024 elements in 8208 bytes of shared memory.
 *     // Predicted gain: 9.3.
 *     static __global__ void __launch_bounds__(256) dif_steps(float *u, float *v, const mesi_steps_run _steps) { ... }
 *     static const mesi_steps_slot dif_slots[] = {{0, 1, 4}, {1, 0, 4}};
 *     static const mesi_steps dif_in_steps = {31, 2, 1, {256, 1, 1}, {1024, 1, 1}, {2, 0, 0}, dif_slots, 2, nullptr, 0};
 *
 *     mesi_stepped(dif_in_steps, dif_steps, dif, blocks, 128, blocks, 128)(u, v)         a launch, for CUDA
 *     mesi_cpu::launch_stepped(dif_in_steps, dif_steps, dif, mesi_cpu::config(blocks, 128), mesi_cpu::config(blocks, 128), u, v)
 *
 * The first grid and block are those of the kernel as written, the second those of the launch. The body is the plan's IR. A kernel whose
 * text cannot be printed stays without a name; its launches go out one by one.
 */
#include <inttypes.h>
#include <string.h>

#include "codegen/stage.h"

struct steps_printer {
  struct codegen *cg;
  const struct kernel_steps *steps;
};

static const char *rename_var(struct printer *p, const struct ir_var *var) {
  const struct steps_printer *context = p->context;
  return var->kind == IR_VAR_VS ? vs_printed_name(context->cg, context->steps->kernel, var) : NULL;
}

static const char *parameters(struct codegen *cg, const struct kernel_steps *steps) {
  const char *text = "";
  for (unsigned i = 0; i < steps->kernel->param_count; i++)
    text = arena_format(cg->arena, "%s%s, ", text, print_declaration(cg->arena, steps->kernel->params[i]->type, steps->kernel->params[i]->name));
  text = arena_format(cg->arena, "%sconst mesi_steps_run %s", text, steps->run->name);
  for (unsigned i = 0; i < steps->value_count; i++)
    text = arena_format(cg->arena, "%s, const mesi_steps_values %s", text, steps->values[i].list->name);
  return text;
}

static void print_head(struct steps_printer *context, const char *name, struct text *out) {
  const struct kernel_steps *steps = context->steps;
  struct codegen *cg = context->cg;
  const char *tile = arena_format(cg->arena, "%" PRId64, steps->tile[0]);
  for (unsigned axis = 1; axis < steps->axes; axis++) tile = arena_format(cg->arena, "%s x %" PRId64, tile, steps->tile[axis]);
  text_format(out, "\n// %s: up to %u launches of %s, which follow one another, in one; tiles of %s elements in %" PRIu64
              " bytes of shared memory.\n// Predicted gain: %.1f.\n", name, steps->depth, steps->kernel->name, tile, steps->bytes, steps->gain);
  text_format(out, "%sstatic __global__ void __launch_bounds__(%" PRId64 ") %s(%s) {",
              line_directive(cg, steps->kernel->place.file, steps->kernel->place.line),
              steps->threads[0] * steps->threads[1] * steps->threads[2], name, parameters(cg, steps));
}

static void print_numbers(struct text *out, const int64_t numbers[3]) {
  text_format(out, "{%" PRId64 ", %" PRId64 ", %" PRId64 "}, ", numbers[0], numbers[1], numbers[2]);
}

/* The tables for the runtime. */
static void print_description(struct steps_printer *context, const char *name, struct text *out) {
  const struct kernel_steps *steps = context->steps;
  struct codegen *cg = context->cg;
  const char *slots = unit_fresh_name(cg->unit, arena_format(cg->arena, "%s_slots", steps->kernel->name));
  const char *values = steps->value_count ? unit_fresh_name(cg->unit, arena_format(cg->arena, "%s_values", steps->kernel->name)) : "nullptr";
  text_format(out, "static const mesi_steps_slot %s[] = {", slots);
  for (unsigned i = 0; i < steps->slot_count; i++)
    text_format(out, "%s{%u, %u, %" PRIu64 "}", i ? ", " : "", steps->slots[i].param, steps->slots[i].next, steps->slots[i].bytes);
  text_add(out, "};\n");
  if (steps->value_count) text_format(out, "static const unsigned %s[] = {", values);
  for (unsigned i = 0; i < steps->value_count; i++) text_format(out, "%s%u", i ? ", " : "", steps->values[i].param);
  if (steps->value_count) text_add(out, "};\n");
  text_format(out, "static const mesi_steps %s = {%u, %u, %u, ", name, steps->depth, steps->kernel->param_count, steps->axes);
  print_numbers(out, steps->threads);
  print_numbers(out, steps->tile);
  print_numbers(out, steps->lost);
  text_format(out, "%s, %u, %s, %u};\n", slots, steps->slot_count, values, steps->value_count);
}

static void print_body(struct steps_printer *context, struct printer *p) {
  const struct ir_stmt *body = context->steps->code->body;
  p->indent = 1;
  print_vs_references(context->cg, context->steps->kernel, p);
  p->line = 0;
  for (unsigned i = 0; i < body->child_count; i++) print_stmt(p, body->children[i]);
  text_add(p->out, "\n}\n");
}

static const char *numbered(struct codegen *cg, const struct kernel_steps *steps, const char *suffix) {
  const char *name = arena_format(cg->arena, steps->number > 1 ? "%s_%s_%u" : "%s_%s", steps->kernel->name, suffix, steps->number);
  return unit_fresh_name(cg->unit, name);
}

static struct steps_names emit_steps(struct codegen *cg, const struct kernel_steps *steps) {
  const struct unit_file *file = &cg->unit->files.items[steps->kernel->body_place.file];
  struct steps_printer context = {cg, steps};
  struct text out = {0};
  struct printer printer = {.arena = cg->arena, .out = &out, .rename = rename_var, .context = &context, .source = file->text,
                            .target_cpu = cg->options->target_cpu};
  struct steps_names none = {.tried = true}, names = {.tried = true};
  if (is_defined_outside(cg, steps->kernel)) return none;
  if (cg->options->line_directives) printer.file = quoted(cg->arena, file->path);
  names.kernel = numbered(cg, steps, "steps");
  names.description = numbered(cg, steps, "in_steps");
  print_head(&context, names.kernel, &out);
  print_body(&context, &printer);
  print_description(&context, names.description, &out);
  if (!printer.failed) insert_behind(cg, steps->kernel, &out);
  text_finish(&out);
  return printer.failed ? none : names;
}

const struct steps_names *steps_names(struct codegen *cg, const struct kernel_steps *steps) {
  unsigned i = 0;
  while (cg->plan->steps.items[i] != steps) i++;
  if (!cg->steps[i].tried) cg->steps[i] = emit_steps(cg, steps);
  return cg->steps[i].kernel ? &cg->steps[i] : NULL;
}
