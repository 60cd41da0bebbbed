/* SPDX-License-Identifier: MIT */
/* emit_stage.c - a staged kernel after its original, for each variant of the plan.
 *
 *     __global__ void blur(const float *a, float *b, int n) { ...a[i - 1] + a[i]... }
 *  =>
 *     __global__ void blur(const float *a, float *b, int n) { ...as it was... }
 *     // blur_cached: ...the staged arrays...
 *     __global__ void blur_cached(const float *a, float *b, int n) {
 *       __shared__ float _s_a[130];
 *       ...copy in, barrier...
 *       ...the statements with _s_a...
 *       ...barrier, copy out...
 *     }
 *
 * Requires a kernel with IR. emit_head.c makes its head. The plan has found all reasons against a
 * variant before: one that cannot be printed is an error of ours.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "codegen/kernel/stage.h"
#include "runtime/seeded.h"

const char *staged_name(struct codegen *cg, const char *wanted)
{
  return unit_local_name(cg->unit, wanted);
}

const struct kernel_names *names_of(const struct codegen *cg, const struct kernel_variant *variant)
{
  unsigned i = 0;
  while (cg->plan->variants.items[i] != variant) i++;
  return &cg->names[i];
}

const char *variant_name(const struct codegen *cg, const struct kernel_variant *variant)
{
  return names_of(cg, variant)->kernel;
}

/* ---- the comment ---- */

static void comment_ranges(struct staged *s, const struct stage *stage)
{
  struct printer *p = &s->printer;
  text_add(p->out, stage->array->name);
  for (unsigned d = 0; d < stage->dim_count; d++) {
    text_add(p->out, "[");
    if (stage->dims[d].offset)
      print_expr(p, stage->dims[d].offset);
    else
      text_add(p->out, "0");
    text_format(p->out, " .. +%" PRId64 "]", stage->dims[d].size);
  }
}

static void comment_stage(struct staged *s, const struct stage *stage)
{
  text_add(s->printer.out, "\n//   ");
  comment_ranges(s, stage);
  double per_byte = stage->bytes ? stage->count / (double)stage->bytes : 0;
  text_format(s->printer.out, "  %" PRIu64 " bytes, %s, %.4g accesses per thread, %.4g per byte",
              stage->bytes,
              stage->load && stage->store ? "copied in and out"
              : stage->load               ? "copied in"
                                          : "copied out",
              stage->count, per_byte);
  if (stage->padding) text_format(s->printer.out, ", rows padded by %" PRId64, stage->padding);
}

static void print_comment(struct staged *s)
{
  const int64_t *block = s->variant->block;
  if (s->variant->mapping) {
    text_add(s->printer.out, "\n");
    mapped_comment(s, 0, s->name);
    return;
  }
  if (s->variant->choice) {
    choice_comment(s);
    return;
  }
  if (s->variant->note) {
    const char *note = s->variant->note;
    text_format(s->printer.out, "\n// %s: %s %s.", s->name, s->kernel->name, note);
    return;
  }
  text_format(s->printer.out, "\n// %s: %s with", s->name, s->kernel->name);
  if (s->variant->promoted) text_format(s->printer.out, " array elements in registers over loops");
  if (!s->variant->stage_count) {
    text_add(s->printer.out, ".");
    return;
  }
  text_format(s->printer.out, "%s the following in shared memory, for blocks of %" PRId64,
              s->variant->promoted ? " and" : "", block[0]);
  for (int axis = 1; axis < 3; axis++)
    if (block[1] > 1 || block[2] > 1) text_format(s->printer.out, " x %" PRId64, block[axis]);
  text_format(s->printer.out, " threads.");
  for (unsigned i = 0; i < s->variant->stage_count; i++) comment_stage(s, &s->variant->stages[i]);
}

/* ---- hooks of the printer ---- */

static const struct stage_access *staged_access(const struct staged *s, const struct ir_expr *expr,
                                                unsigned *ret_stage)
{
  for (unsigned i = 0; i < s->variant->stage_count; i++) {
    const struct stage *stage = &s->variant->stages[i];
    for (unsigned k = 0; k < stage->access_count; k++)
      if (stage->accesses[k].expr == expr) {
        *ret_stage = i;
        return &stage->accesses[k];
      }
  }
  return NULL;
}

static const char *printed_access(const struct staged *s, const struct stage_access *access,
                                  unsigned index)
{
  struct text out = {0};
  struct printer p = {.arena = s->cg->arena, .out = &out};
  text_add(&out, s->arrays[index].name);
  for (unsigned d = 0; d < s->variant->stages[index].dim_count; d++) {
    text_add(&out, "[");
    print_expr(&p, access->index[d]);
    text_add(&out, "]");
  }
  const char *result = arena_string(s->cg->arena, text_string(&out));
  text_finish(&out);
  return result;
}

static const char *access_text(struct staged *s, const struct stage_access *access, unsigned index)
{
  struct text out = {0}, *outer = s->printer.out;
  s->printer.out = &out;
  print_choice_index(s, access, index);
  s->printer.out = outer;
  const char *text = arena_format(s->cg->arena, "%s%s", s->arrays[index].name, text_string(&out));
  text_finish(&out);
  return text;
}

static bool replace_access(struct printer *p, const struct ir_expr *expr)
{
  struct staged *s = p->context;
  unsigned index;
  const struct stage_access *access = staged_access(s, expr, &index);
  if (s->run && print_run_index(s, expr)) return true;
  if (!access && (print_even(s, expr) || print_rows(s, expr))) return true;
  if (!access || expr == s->kept) return false;
  if (s->partly && s->variant->stages[index].segmentation) {
    print_partly_staged(s, expr, access_text(s, access, index));
    return true;
  }
  text_add(p->out, s->arrays[index].name);
  if (s->variant->choice) {
    print_choice_index(s, access, index);
    return true;
  }
  for (unsigned d = 0; d < s->variant->stages[index].dim_count; d++) {
    text_add(p->out, p->wrap ? "[mesi_check::index(" : "[");
    print_expr(
        p, access->index[SEEDED(DIMS_SWAPPED) ? s->variant->stages[index].dim_count - 1 - d : d]);
    if (p->wrap) {
      struct check_site site = {&expr->place, printed_access(s, access, index),
                                s->arrays[index].name, true};
      text_format(p->out, ", %" PRId64 ", %s)", s->variant->stages[index].dims[d].size,
                  check_site(s->cg, site));
    }
    text_add(p->out, "]");
  }
  return true;
}

/* For messages of the checker: an access of a staged array is an access of its copy. */
static const char *staged_alias(void *context, const struct ir_expr *expr)
{
  struct staged *s = context;
  unsigned index;
  return staged_access(s, expr, &index) ? s->arrays[index].name : NULL;
}

/* The code whose body is printed; it decides how VS variables are named. */
static const struct ir_function *printed_code(const struct staged *s)
{
  return s->code ? s->code : s->variant->code;
}

/* Renames variables: in guards those of global coordinates, elsewhere VS variables whose plain name
 * is hidden. */
static const char *rename_var(struct printer *p, const struct ir_var *var)
{
  struct staged *s = p->context;
  const struct stage *stage = s->guarded ? s->guarded->stage : NULL;
  for (unsigned d = 0; stage && stage->element_vars && d < stage->dim_count; d++)
    if (stage->element_vars[d] == var)
      return arena_format(s->cg->arena, strchr(s->coordinates[d], ' ') ? "(%s)" : "%s",
                          s->coordinates[d]);
  if (var == s->segment && s->segment) return s->segment_text;
  if (var == s->iterator && s->iterator) return s->iterator_text;
  if (var->kind == IR_VAR_LAUNCH && var->value < 0)
    return arena_format(s->cg->arena, "%s.%s", s->segments, var->name);
  if (var->kind == IR_VAR_LAUNCH)
    return arena_format(s->cg->arena, "%s.value[%d]", s->plan, (int)var->value);
  return var->kind == IR_VAR_VS ? vs_printed_name(s->cg, printed_code(s), var) : NULL;
}

/* ---- the kernel ---- */

/* a, or (&a[0][0]) for an array of several dimensions whose elements are accessed by one index. */
static const char *flat_name(struct arena *arena, const struct stage *stage, const char *name)
{
  const struct ir_type *type = stage->array->type->element;
  const char *first = name;

  if (!stage->is_flat || !type || type->kind != IR_TYPE_ARRAY) return name;
  for (first = arena_format(arena, "%s[0]", name); type->kind == IR_TYPE_ARRAY;
       type = type->element)
    first = arena_format(arena, "%s[0]", first);
  return arena_format(arena, "(&%s)", first);
}

static void name_arrays(struct staged *s)
{
  struct codegen *cg = s->cg;
  s->arrays = arena_alloc(cg->arena, (s->variant->stage_count + 1) * sizeof *s->arrays);
  for (unsigned i = 0; i < s->variant->stage_count; i++) {
    const struct stage *stage = &s->variant->stages[i];
    const char *wanted = arena_format(cg->arena, "_s_%s", stage->array->name);
    for (unsigned k = 0; k < i; k++)
      if (!strcmp(s->variant->stages[k].array->name, stage->array->name))
        wanted = arena_format(cg->arena, "_s_%s_%u", stage->array->name, i);
    const char *renamed = rename_var(&s->printer, stage->array);
    s->arrays[i] = (struct staged_array){
        .stage = stage,
        .name = staged_name(cg, wanted),
        .access = flat_name(cg->arena, stage,
                            renamed ? renamed : print_var_text(cg->arena, stage->array))};
    s->arrays[i].offsets = arena_alloc(cg->arena, (stage->dim_count + 1) * sizeof(char *));
    s->arrays[i].lengths = arena_alloc(cg->arena, (stage->dim_count + 1) * sizeof(char *));
    for (unsigned d = 0; d < stage->dim_count; d++)
      s->arrays[i].lengths[d] =
          stage->dims[d].size >= 0
              ? arena_format(cg->arena, "%" PRId64, stage->dims[d].size)
              : staged_name(cg, arena_format(cg->arena, "_n%s_%u", s->arrays[i].name + 2, d));
    s->stores |= stage->store;
  }
}

/* Instruments the kernel's code that is printed next: the user's, or that of a transformation. */
static void check_code(struct staged *s, struct ir_function *code)
{
  struct codegen *cg = s->cg;
  const struct check_marks *marks = cg->check ? cg->check->marks[s->kernel->id] : NULL;
  if (!marks) return;
  if (code != s->kernel) marks = mark_accesses(cg->arena, code);
  s->checked = (struct checked_function){cg, marks, staged_alias, s, NULL};
  check_printer(&s->checked, &s->printer);
}

static void prepare(struct staged *s, struct text *out)
{
  struct codegen *cg = s->cg;
  const struct unit_file *file = &cg->unit->files.items[s->kernel->body_place.file];
  const int64_t *block = s->variant->block;
  s->threads = block[0] > 0 && block[1] > 0 && block[2] > 0 ? block[0] * block[1] * block[2] : -1;
  s->printer = (struct printer){.arena = cg->arena,
                                .out = out,
                                .replace = replace_access,
                                .rename = rename_var,
                                .context = s,
                                .source = file->text,
                                .target_cpu = cg->options->target_cpu,
                                .waits = waits_for_others(cg, s->kernel)};
  if (cg->options->line_directives) s->printer.file = quoted(cg->arena, file->path);
  name_arrays(s);
  check_code(s, s->variant->code);
  s->thread = staged_name(cg, "_t");
  s->element = staged_name(cg, "_e");
  s->tail = staged_name(cg, "_mesi_tail");
  s->thread_count = s->threads > 0 ? arena_format(cg->arena, "%" PRId64, s->threads)
                                   : staged_name(cg, "_threads");
  if (s->variant->choice) s->plan = staged_name(cg, "_plan");
  if (s->variant->choice && s->variant->choice->has_segments)
    s->segments = staged_name(cg, "_segments");
  prepare_segments(s);
  if (s->variant->dynamic || s->variant->choice) s->buffer = staged_name(cg, "_mesi_shared");
}

void print_kernel_with(struct staged *s, const char *head)
{
  struct printer *p = &s->printer;
  struct codegen *cg = s->cg;
  const struct ir_function *kernel = s->kernel;
  text_format(p->out, "\n%s", line_directive(cg, kernel->place.file, kernel->place.line));
  text_format(p->out, "%s{", head);
  p->indent = 1;
  if (s->count)
    print_text_line(p, "{ const %s = %u;",
                    print_declaration(cg->arena, s->count->type, s->count->name), s->number);
  print_vs_references(cg, printed_code(s), p);
  print_shared_references(cg, kernel, p);
  keep_elements(s);
  if (s->variant->stage_count) emit_stage_head(s);
  p->line = 0;
  emit_stage_body(s);
  emit_stage_tail(s);
  text_add(p->out, s->count ? "\n}}\n" : "\n}\n");
}

static void print_kernel(struct staged *s)
{
  print_comment(s);
  print_kernel_with(s, kernel_head(s, s->name));
}

/* Prints another code of the kernel, after the first. */
void print_code(struct staged *s, struct ir_function *code, const char *head)
{
  struct codegen *cg = s->cg;
  struct printer *p = &s->printer;
  s->code = code;
  check_code(s, code);
  text_format(p->out, "\n%s%s {", line_directive(cg, s->kernel->place.file, s->kernel->place.line),
              head);
  p->indent = 1;
  print_vs_references(cg, code, p);
  print_shared_references(cg, s->kernel, p);
  p->line = 0;
  emit_stage_body(s);
  text_add(p->out, "\n}\n");
}

const char *fresh_name(struct staged *s, const char *suffix)
{
  struct codegen *cg = s->cg;
  unsigned number = s->variant->number;
  return unit_fresh_name(
      cg->unit, number > 1 ? arena_format(cg->arena, "%s_%s_%u", s->kernel->name, suffix, number)
                           : arena_format(cg->arena, "%s_%s", s->kernel->name, suffix));
}

/* Prints the other versions, the kernel as written with their parameters, and the condition. */
static void print_versions(struct staged *s, struct kernel_names *names)
{
  const struct kernel_mapping *mapping = s->variant->mapping;
  names->versions[0] = s->name;
  for (unsigned i = 1; i < mapping->version_count; i++) {
    names->versions[i] = fresh_name(s, version_suffix(mapping, i));
    mapped_comment(s, i, names->versions[i]);
    print_code(s, mapping->versions[i].code, mapped_head(s->cg, s->variant, i, names->versions[i]));
  }
  if (mapping->plain) {
    names->plain =
        unit_fresh_name(s->cg->unit, arena_format(s->cg->arena, "%s_plain", s->kernel->name));
    const char *which =
        arena_format(s->cg->arena, "launches of less than %" PRId64 " threads", mapping->least);
    text_format(s->printer.out, "// %s: %s for %s.", names->plain, s->kernel->name,
                mapping->most || mapping->versions[0].team ? "other launches"
                : mapping->least < 1         ? "launches for which there is no version"
                : mapping->version_count > 1 ? "smaller launches"
                                             : which);
    print_code(s, mapping->plain, plain_head(s->cg, s->variant, mapping->plain, names->plain));
  }
  if (mapping->written) {
    names->written = fresh_name(s, "written");
    text_format(s->printer.out, "// %s: %s for launches %s.", names->written, s->kernel->name,
                mapping->extents ? "whose rows are short or whose arguments may overlap"
                                 : "whose arguments may overlap");
    print_code(s, mapping->written,
               plain_head(s->cg, s->variant, mapping->written, names->written));
  }
  if (mapping->condition) {
    names->fits = fresh_name(s, "fits");
    print_fits(s, mapping->condition, "what the exact versions take for granted", names->fits);
  }
  for (unsigned i = 0; i < mapping->version_count; i++) {
    if (mapping->versions[i].share) {
      names->when[i] =
          fresh_name(s, arena_format(s->cg->arena, "%s_parts", version_suffix(mapping, i)));
      print_parts(s, i, names->versions[i], names->when[i]);
      continue;
    }
    if (!mapping->versions[i].when) continue;
    names->when[i] = fresh_name(
        s, arena_format(s->cg->arena, "%s_if",
                        mapping->versions[i].suffix ? mapping->versions[i].suffix : "version"));
    print_fits(s, mapping->versions[i].when,
               arena_format(s->cg->arena, "what %s is for", names->versions[i]), names->when[i]);
  }
}

/* Inserts text after the original's }; a directive restores the line of the following text. */
void insert_behind(struct codegen *cg, const struct ir_function *kernel,
                   const struct kernel_variant *variant, struct text *out)
{
  if (cg->options->printed)
    *ARENA_PUSH(cg->arena, &cg->options->printed->items) =
        (struct printed_text){kernel, variant, arena_string(cg->arena, text_string(out))};
  hide_macros(cg, out);
  const struct ir_place *body = kernel->text_place.line ? &kernel->text_place : &kernel->body_place;
  const char *text = cg->unit->files.items[body->file].text;
  bool line_ends = text[body->end] == '\n';
  unsigned line = scan_line(text, body->end) + (line_ends ? 1 : 0) + SEEDED(LINE_WRONG);
  text_add(out, line_directive(cg, body->file, line));
  if (line_ends) out->data[--out->length] = '\0'; /* the text continues with a line end */
  edit_insert(&cg->edits[body->file], body->end, text_string(out));
}

static const char *name_suffix(const struct kernel_variant *variant)
{
  if (variant->mapping) return version_suffix(variant->mapping, 0);
  return variant->stage_count ? "cached" : variant->suffix ? variant->suffix : "promoted";
}

static void emit_variant(struct codegen *cg, const struct kernel_variant *variant,
                         struct kernel_names *ret_names)
{
  struct staged s = {
      .cg = cg, .variant = variant, .kernel = variant->kernel, .code = variant->code};
  struct kernel_names names = {0};
  struct text out = {0};
  names.kernel = s.name = fresh_name(&s, name_suffix(variant));
  prepare(&s, &out);
  print_kernel(&s);
  if (variant->mapping) print_versions(&s, &names);
  if (variant->runs_axis >= 0) print_runs(&s, &names);
  if (s.printer.failed) codegen_unprintable(cg, s.kernel);
  insert_behind(cg, s.kernel, variant, &out);
  *ret_names = names;
  text_finish(&out);
}

/* The variant with only the stages in `set`. */
static struct kernel_variant *part_of(struct codegen *cg, const struct kernel_variant *variant,
                                      unsigned set)
{
  struct kernel_variant *part = ARENA_NEW(cg->arena, struct kernel_variant);
  *part = *variant;
  part->stages = arena_alloc(cg->arena, (variant->stage_count + 1) * sizeof *part->stages);
  part->stage_count = 0;
  for (unsigned i = 0; i < variant->stage_count; i++)
    if (set >> variant->stages[i].slot & 1) part->stages[part->stage_count++] = variant->stages[i];
  return part;
}

/* "k_planned_a_b" for the set of a and b. */
static const char *part_name(struct codegen *cg, const struct kernel_variant *part, const char *end)
{
  const char *name = arena_format(cg->arena, part->number > 1 ? "%s_planned_%u" : "%s_planned",
                                  part->kernel->name, part->number);
  for (unsigned i = 0; i < part->stage_count; i++)
    name = arena_format(cg->arena, "%s_%s", name, part->stages[i].array->name);
  return unit_fresh_name(cg->unit, arena_format(cg->arena, "%s%s", name, end));
}

unsigned choice_total(const struct kernel_names *names)
{
  return names->choice_count * (1 + names->number_count) * (names->even ? 2 : 1);
}

/* Do the rows of the copy begin where the launch says, in this set of arrays? Kernels for a number
 * of segments know of rows in each set. */
static bool knows_rows(const struct kernel_variant *variant, unsigned set, unsigned number)
{
  const struct choice_kernels *kernels = &variant->choice->kernels;
  const struct stage *segmented = segmented_stage(variant);
  if (!kernels->rows) return false;
  if (!segmented->segmentation->segment) return set >> segmented->slot & 1;
  return set && (number || set == 1u << variant->stage_count);
}

/* Prints number `i` of all kernels of a choice; returns its name. */
static const char *emit_chosen(struct codegen *cg, const struct kernel_variant *variant,
                               const struct kernel_names *all, unsigned i, struct text *out)
{
  unsigned set = i % all->choice_count, number = i / all->choice_count % (1 + all->number_count),
           sets = 1u << variant->stage_count;
  bool own_rows = all->rows && set == sets;
  if (own_rows && number) return all->choices[i - 1]; /* the same kernel */
  const struct stage *segmented = segmented_stage(variant);
  const struct kernel_variant *part =
      part_of(cg, variant, set < sets ? set : 1u << segmented->slot);
  struct staged s = {.cg = cg,
                     .variant = part,
                     .kernel = variant->kernel,
                     .code = variant->code,
                     .partly = set == sets + all->rows,
                     .rows = knows_rows(variant, set, number),
                     .number = number};
  s.even = i >= all->choice_count * (1 + all->number_count) ? segmented->segmentation : NULL;
  const char *end = number ? arena_format(cg->arena, "_%u", number) : "";
  s.name = part_name(cg, part,
                     arena_format(cg->arena, "%s%s%s",
                                  s.partly   ? "_part"
                                  : own_rows ? "_rows"
                                             : "",
                                  s.even ? "_even" : "", end));
  s.count = number ? segmented->segmentation->count : NULL;
  prepare(&s, out);
  print_kernel(&s);
  if (s.printer.failed) codegen_unprintable(cg, s.kernel);
  return s.name;
}

/* The same for several iterations of a loop at once, for launches that stage nothing. */
static void emit_several_kernels(struct codegen *cg, const struct kernel_variant *variant,
                                 struct kernel_names *all, struct text *out)
{
  const struct several *several = variant->choice->several;
  const struct stage *segmented = segmented_stage(variant);
  const bool *numbers = variant->choice->kernels.several;
  for (unsigned number = 0; number <= MOST_NUMBERS; number++) {
    if (!numbers[number]) continue;
    const struct kernel_variant *part = part_of(cg, variant, 0);
    struct staged s = {.cg = cg,
                       .variant = part,
                       .kernel = variant->kernel,
                       .code = several->code,
                       .number = number,
                       .several = several};
    s.even = segmented->segmentation->even ? segmented->segmentation : NULL;
    s.name = part_name(cg, part,
                       arena_format(cg->arena, number ? "_%s_%u" : "_%s", several->suffix, number));
    s.count = number ? segmented->segmentation->count : NULL;
    prepare(&s, out);
    print_kernel(&s);
    if (s.printer.failed) codegen_unprintable(cg, s.kernel);
    all->several[number] = s.name;
  }
}

/* Prints a kernel for each set of stages, one for some of the segments, and these again for few
 * segments, all or none; then all of these for even tables. */
static void emit_choice(struct codegen *cg, const struct kernel_variant *variant,
                        struct kernel_names *ret_names)
{
  const struct choice_kernels *kernels = &variant->choice->kernels;
  struct kernel_names all = {
      .choice_count = kernels->sets, .number_count = kernels->numbers, .even = kernels->even};
  all.rows = kernels->rows && segmented_stage(variant)->segmentation->segment;
  struct text out = {0};
  all.choices = arena_alloc(cg->arena, choice_total(&all) * sizeof *all.choices);
  for (unsigned i = 0; i < choice_total(&all); i++)
    all.choices[i] = emit_chosen(cg, variant, &all, i, &out);
  emit_several_kernels(cg, variant, &all, &out);
  insert_behind(cg, variant->kernel, variant, &out);
  all.kernel = all.choices[(1u << variant->stage_count) - 1];
  *ret_names = all;
  text_finish(&out);
}

void emit_variants(struct codegen *cg)
{
  for (unsigned i = 0; i < cg->plan->variants.count; i++) {
    const struct kernel_variant *variant = cg->plan->variants.items[i];
    if (variant->choice)
      emit_choice(cg, variant, &cg->names[i]);
    else
      emit_variant(cg, variant, &cg->names[i]);
  }
}
