/* SPDX-License-Identifier: MIT */
/* emit_choice.c - kernels for each set of staged arrays, and launches that choose one of them.
 *
 *     __global__ void f(const float *a, float *b, int n) {...}
 *   =>
 *     __global__ void f_planned(const float *a, float *b, int n, const mesi_plan _plan) {
 *       ...as written...
 *     }
 *     __global__ void f_planned_a(const float *a, float *b, int n, const mesi_plan _plan) {
 *       extern __shared__ __align__(16) unsigned char _mesi_shared[];
 *       const int _n_a_1 = _plan.size[0][1];
 *       float *const _s_a = (float *)(_mesi_shared + _plan.offset[0]);
 *       ...as in emit_copy.c and emit_body.c...
 *     }
 *
 *     f<<<grid, 256>>>(a, b, n)
 *   => (mesi_plan_launch(256, 49152, 0,
 *           {mesi_plan_of(true, sizeof(float), 2.0 * mesi_trips(n - 1, 1), {16, n})}),
 *       mesi_plan_kernel(f_planned, f_planned_a)<<<grid, 256, mesi_planned().bytes>>>(
 *           a, b, n, mesi_planned()))
 *
 * Requires a variant with a choice, and a launch that can be evaluated twice. Gives up (NULL) where
 * an argument has no text that can be moved before the launch, which then keeps the original.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "codegen/kernel/stage.h"
#include "runtime/seeded.h"

/* ---- the kernels ---- */

static const char *plan_parameters(struct codegen *cg, const struct kernel_variant *variant)
{
  const char *plan = arena_format(cg->arena, "const mesi_plan %s", staged_name(cg, "_plan"));
  return variant->choice->has_segments ? arena_format(cg->arena, "%s, const mesi_segments %s", plan,
                                                      staged_name(cg, "_segments"))
                                       : plan;
}

static const char *printed_parameters(struct codegen *cg, const struct ir_function *kernel)
{
  const char *text = "";
  for (unsigned i = 0; i < ir_head_params(kernel); i++)
    text = arena_format(
        cg->arena, "%s%s, ", text,
        print_declaration(cg->arena, kernel->params[i]->type, kernel->params[i]->name));
  return text;
}

/* The head as written, with one more parameter, which cannot stand behind a default argument. */
const char *choice_head(struct codegen *cg, const struct kernel_variant *variant, const char *name)
{
  const struct ir_function *kernel = variant->kernel;
  struct ir_place before, behind;
  bool written = kernel->param_count && written_head(cg, kernel, &before, &behind);
  const char *text = written ? cg->unit->files.items[behind.file].text : NULL;
  const char *first = written ? scan_one_line(cg->arena, text, before.begin, before.end) : NULL;
  struct token close = written ? scan_last(text, behind.begin, behind.end) : (struct token){0};
  const char *second = first ? scan_one_line(cg->arena, text, behind.begin, close.begin) : NULL;
  if (!second)
    return arena_format(cg->arena, "%s__global__ void %s(%s%s)", head_linkage(kernel), name,
                        printed_parameters(cg, kernel), plan_parameters(cg, variant));
  if (strchr(second, '=') && !SEEDED(DEFAULT_BEFORE_PLAN)) /* without default arguments */
    return arena_format(cg->arena, "%s%s(%s%s)", first, name, printed_parameters(cg, kernel),
                        plan_parameters(cg, variant));
  return arena_format(cg->arena, "%s%s%s, %s)", first, name, second, plan_parameters(cg, variant));
}

const char *choice_prototypes(struct codegen *cg, const struct kernel_variant *variant)
{
  const char **names = names_of(cg, variant)->choices, *text = "";
  for (unsigned i = 0; i < choice_total(names_of(cg, variant)); i++) {
    const char *head = choice_head(cg, variant, names[i]);
    if (strchr(head, '=')) return NULL;
    text = arena_format(cg->arena, "%s%s; ", text, head);
  }
  for (unsigned i = 0; i <= MOST_NUMBERS; i++)
    if (names_of(cg, variant)->several[i])
      text = arena_format(cg->arena, "%s%s; ", text,
                          several_head(cg, variant, names_of(cg, variant)->several[i]));
  return text;
}

void choice_comment(struct staged *s)
{
  struct text *out = s->printer.out;
  if (s->several) {
    several_comment(s);
    return;
  }
  const char *even = s->even ? arena_format(s->cg->arena, ", elements of '%s' computed",
                                            s->kernel->params[s->even->even->param]->name)
                             : "";
  if (s->number || s->even) {
    text_format(out, "\n// %s: the same", s->name);
    if (s->number) text_format(out, " for %s = %u", s->count->name, s->number);
    text_format(out, "%s.", even);
    return;
  }
  text_format(out, "\n// %s: %s%s", s->name, s->kernel->name,
              s->variant->stage_count
                  ? " with the following in shared memory, where it fits at the launch."
                  : " for launches at which nothing is staged.");
  for (unsigned i = 0; i < s->variant->stage_count; i++) {
    const struct stage *stage = &s->variant->stages[i];
    text_format(out, "\n//   %s", stage->array->name);
    for (unsigned d = 0; d < stage->dim_count; d++) {
      text_add(out, "[");
      print_expr(&s->printer, stage->dims[d].offset);
      text_add(out, " .. +");
      if (stage->dims[d].length)
        print_expr(&s->printer, stage->dims[d].length);
      else
        text_format(out, "%" PRId64, stage->dims[d].size);
      text_add(out, "]");
    }
    text_format(out, "  %s; accesses per thread: ",
                stage->load && stage->store ? "copied in and out"
                : stage->load               ? "copied in"
                                            : "copied out");
    print_expr(&s->printer, stage->accesses_at_launch);
  }
}

static const char *pitch(struct staged *s, const struct staged_array *array, unsigned d);

void declare_choice(struct staged *s)
{
  struct printer *p = &s->printer;
  if (s->cg->options->target_cpu)
    print_text_line(p, "unsigned char (&%s)[] = *(unsigned char (*)[])mesi_cpu_dynamic_shared();",
                    s->buffer);
  else
    print_text_line(p, "extern __shared__ __align__(16) unsigned char %s[];", s->buffer);
  for (unsigned i = 0; i < s->variant->stage_count; i++) {
    const struct staged_array *array = &s->arrays[i];
    const char *type = print_plain_type(s->cg->arena, array->stage->element), *total = "";
    for (unsigned d = 0; d < array->stage->dim_count; d++) {
      if (array->stage->dims[d].size < 0)
        print_text_line(p, "const int %s = %s.size[%u][%u];", array->lengths[d], s->plan,
                        array->stage->slot, d);
      total = arena_format(s->cg->arena, "%s%s%s", total, d ? " * " : "", pitch(s, array, d));
    }
    print_text_line(p, "%s *const %s = (%s *)(%s + %s.offset[%u]);", type, array->name, type,
                    s->buffer, s->plan, array->stage->slot);
    if (p->wrap)
      print_text_line(p, "mesi_check_shared(%s, %s * sizeof *%s, sizeof *%s, %s);", array->name,
                      total, array->name, array->name, quoted(s->cg->arena, array->name));
  }
}

/* ---- elements ---- */

/* The elements from a row to the next. */
static const char *pitch(struct staged *s, const struct staged_array *array, unsigned d)
{
  bool odd = array->stage->odd_rows && d + 1 == array->stage->dim_count;
  return odd ? arena_format(s->cg->arena, "(%s | 1)", array->lengths[d]) : array->lengths[d];
}

/* [(i0 * n1 + i1) * n2 + i2] */
const char *choice_element(struct staged *s, const struct staged_array *array, const char **local)
{
  const char *text = NULL;
  for (unsigned d = 0; d < array->stage->dim_count; d++) {
    const char *index = local[d];
    if (text && strcmp(text, "0"))
      index = arena_format(s->cg->arena, strchr(text, ' ') ? "(%s) * %s + %s" : "%s * %s + %s",
                           text, pitch(s, array, d), local[d]);
    text = index;
  }
  return arena_format(s->cg->arena, "%s[%s]", array->name, text);
}

static const char *position_text(struct staged *s, const struct staged_array *array,
                                 const struct stage_access *access, unsigned d, const char *site)
{
  struct text out = {0}, *outer = s->printer.out;
  s->printer.out = &out;
  if (site) text_add(&out, "mesi_check::index(");
  print_expr_at(&s->printer, access->index[d], site ? 2 : 12);
  if (site) text_format(&out, ", %s, %s)", array->lengths[d], site);
  s->printer.out = outer;
  const char *text = arena_string(s->cg->arena, text_string(&out));
  text_finish(&out);
  return text;
}

void print_choice_index(struct staged *s, const struct stage_access *access, unsigned index)
{
  const struct staged_array *array = &s->arrays[index];
  const char **local = arena_alloc(s->cg->arena, (array->stage->dim_count + 1) * sizeof *local);
  const char *site = NULL;
  for (unsigned d = 0; d < array->stage->dim_count; d++) {
    if (s->printer.wrap)
      site = check_site(s->cg,
                        (struct check_site){&access->expr->place, array->name, array->name, true});
    local[d] = position_text(s, array, access, d, site);
  }
  text_add(s->printer.out, choice_element(s, array, local) + strlen(array->name));
}

/* ---- the launch: its arguments and its shape have a text (analysis/plan/launch/launch_keep.c)
 * ---- */

/* Arguments of mesi_no_alias: a parameter's pointer, and the bytes behind it. */
static const char *bytes_text(struct codegen *cg, const struct launch *launch, unsigned param,
                              const struct byte_range *bytes)
{
  return arena_format(cg->arena, "%s, %s, %s", argument_text(cg, launch, param),
                      launch_value(cg, launch, bytes->begin), launch_value(cg, launch, bytes->end));
}

static const char *no_alias_text(struct codegen *cg, const struct launch *launch,
                                 const struct no_alias *no_alias)
{
  bool told = cg->options->target_cpu || cg->plan->hooked || SEEDED(APART_BY_LIBRARY);
  if (no_alias->objects) /* what tells the runtime nothing is linked without it */
    return arena_format(
        cg->arena, "%s(%s, %s)", told ? "mesi_plan_no_alias" : "mesi_allocated_apart",
        argument_text(cg, launch, no_alias->param), argument_text(cg, launch, no_alias->other));
  return arena_format(cg->arena, "mesi_no_alias(%s, %s)",
                      bytes_text(cg, launch, no_alias->param, &no_alias->bytes),
                      bytes_text(cg, launch, no_alias->other, &no_alias->other_bytes));
}

const char *no_alias_condition(struct codegen *cg, const struct launch *launch,
                               const struct no_alias *no_alias, unsigned count)
{
  const char *text = "";
  for (unsigned i = 0; i < count; i++)
    text = arena_format(cg->arena, "%s%s%s", text, i ? " && " : "",
                        no_alias_text(cg, launch, &no_alias[i]));
  return text;
}

const char *variant_condition(struct codegen *cg, const struct launch *launch,
                              const struct kernel_variant *variant)
{
  const char *no_alias = no_alias_condition(cg, launch, variant->no_alias, variant->no_alias_count);
  const char *asks =
      variant->asks && !SEEDED(ROWS_UNASKED) ? launch_value(cg, launch, variant->asks) : "";
  assert(asks);
  return arena_format(cg->arena, *asks && *no_alias ? "(%s) && %s" : "%s%s", asks, no_alias);
}

static const char *condition_text(struct codegen *cg, const struct launch *launch,
                                  const struct stage *stage)
{
  const char *values = stage->values ? arena_format(cg->arena, "mesi_plan_knows(%u)", stage->values)
                       : stage->no_alias_count ? ""
                                               : "true";
  const char *text = no_alias_condition(cg, launch, stage->no_alias, stage->no_alias_count);
  return arena_format(cg->arena, "%s%s%s", values, *values && *text ? " && " : "", text);
}

/* The flags after the sizes. */
static const char *flags_text(struct codegen *cg, const struct kernel_variant *variant,
                              const struct stage *stage)
{
  if (!stage->segmentation) return stage->only_beside ? ", true" : "";
  const char *flags = stage->only_beside ? ", true, true" : ", false, true";
  return variant->choice->segment_reuse > 0
             ? arena_format(cg->arena, "%s, %g", flags, variant->choice->segment_reuse)
             : flags;
}

static const char *array_text(struct codegen *cg, const struct launch *launch,
                              const struct kernel_variant *variant, const struct stage *stage)
{
  const char *sizes = "", *accesses = launch_value(cg, launch, stage->accesses_at_launch);
  for (unsigned d = 0; d < stage->dim_count; d++) {
    const char *size = stage->dims[d].length
                           ? launch_value(cg, launch, stage->dims[d].length)
                           : arena_format(cg->arena, "%" PRId64, stage->dims[d].size);
    sizes = arena_format(cg->arena, "%s%s%s", sizes, d ? ", " : "", size);
  }
  assert(accesses);
  const char *text = arena_format(cg->arena, "mesi_plan_of(%s, %" PRId64 ", %s, {%s}%s)",
                                  condition_text(cg, launch, stage), stage->element->size, accesses,
                                  sizes, flags_text(cg, variant, stage));
  return stage->odd_rows && !SEEDED(ODD_ROWS_UNCOUNTED)
             ? arena_format(cg->arena, "mesi_plan_odd(%s)", text)
             : text;
}

/* mesi_plan_inspect(0, col, 4, true, 0, 4 * n), mesi_plan_measure(1, x, 4), */
static const char *value_text(struct codegen *cg, const struct launch *launch,
                              const struct launch_value *value, unsigned slot)
{
  const char *pointer = argument_text(cg, launch, value->param);
  if (value->is_extent)
    return arena_format(cg->arena, "mesi_plan_measure(%u, %s, %" PRId64 "), ", slot, pointer,
                        value->element->size);
  const char *type = arena_format(cg->arena, "%" PRId64 ", %s", value->element->size,
                                  value->element->is_signed ? "true" : "false");
  if (!value->bytes.begin)
    return arena_format(cg->arena, "mesi_plan_inspect(%u, %s, %s), ", slot, pointer, type);
  return arena_format(cg->arena, "mesi_plan_inspect(%u, %s, %s, %s, %s), ", slot, pointer, type,
                      launch_value(cg, launch, value->bytes.begin),
                      launch_value(cg, launch, value->bytes.end));
}

static const char *values_text(struct codegen *cg, const struct launch *launch,
                               const struct kernel_variant *variant)
{
  const char *text = "";
  unsigned used = 0;
  for (unsigned i = 0; i < variant->stage_count; i++) used |= variant->stages[i].values;
  for (unsigned i = 0; i < variant->choice->value_count; i++)
    if (used >> i & 1)
      text = arena_format(cg->arena, "%s%s", text,
                          value_text(cg, launch, &variant->choice->values[i], i));
  return text;
}

const char *choice_prefix(struct codegen *cg, const struct launch *launch,
                          const struct kernel_variant *variant)
{
  const char *block = launch_shape_text(cg, launch, launch->block), *arrays = "";
  for (unsigned i = 0; i < variant->stage_count; i++)
    arrays = arena_format(cg->arena, "%s%s%s", arrays, i ? ", " : "",
                          array_text(cg, launch, variant, &variant->stages[i]));
  const char *segments = "";
  for (unsigned i = 0; i < variant->stage_count; i++)
    if (variant->stages[i].segmentation)
      segments = segments_prefix(cg, launch, variant, &variant->stages[i]);
  assert(block);
  return arena_format(cg->arena, "%s%smesi_plan_launch%s(%s, %" PRIu64 ", %g, {%s}), ",
                      values_text(cg, launch, variant), segments, *segments ? "_segments" : "",
                      block, variant->choice->capacity, variant->choice->reuse, arrays);
}
