/* SPDX-License-Identifier: MIT */
/* emit_launch.c - kernel launches.
 *
 *     k<<<grid, 128>>>(a, n);
 *       =>
 *     (mesi_launch_begin(&_mesi_1f00ab, 2), mesi_stream(0),
 *      k_cached<<<grid, 128>>>(mesi_arg(a, MESI_READ), n), mesi_launch_end());
 *
 *     or, for the CPU,
 *
 *     (mesi_launch_begin(&_mesi_1f00ab, 2), mesi_stream(0),
 *      mesi_cpu::launch(k_cached, mesi_cpu::config(grid, 128), mesi_arg(a, MESI_READ), n),
 *      mesi_launch_end());
 *
 *     The stream of k<<<grid, 128, 0, s>>> becomes mesi_stream(s) in its place. A launch that may
 *     go out in parts becomes mesi_parted(k, k_part, 0, grid, 128)(a, n), or
 *     mesi_cpu::launch_parted(mesi_cpu::parted(k, k_part, 0), mesi_cpu::config(grid, 128), a, n).
 *     With a mapped kernel it has both forms:
 *
 *     mesi_parted_or(k_mapped, k, k_part, 0, mesi_mapped().grid, mesi_mapped().block)
 *         (a, n, mesi_mapped().total_x)
 *
 *     or, where parts on several devices are of that kernel,
 *
 *     mesi_parted(mesi_runs(k_mapped, {k_mapped_part}, 0, 0), mesi_mapped().grid,
 *         mesi_mapped().block)(a, n, mesi_mapped().total_x)
 *
 *     A launch that may become one with those before and after it in a batch becomes
 *     mesi_stepped(k_in_steps, k_steps, k, grid, block, grid, block)(a, n): emit_steps.c.
 *
 * All changes are around single tokens or in their places, so that comments and macros inside stay.
 * Requires the variants' names. A staged kernel that is not declared before the launch gets a
 * prototype before the host function, where the plan says so.
 */
#include <stdio.h>
#include <string.h>

#include "codegen/kernel/kernel.h"
#include "codegen/launch/launch.h"
#include "codegen/launch/launching.h"
#include "codegen/print/range.h"
#include "codegen/text/source.h"
#include "runtime/seeded.h"

/* Bytes of dynamic shared memory that a kernel has without opting in. */
enum { MOST_STATIC = 49152 };

/* ---- can the launch be edited? ---- */

static bool text_is(const struct launching *l, const struct ir_place *place, const char *wanted)
{
  return scan_spelling(l->text, place->begin, wanted);
}

static bool args_in_order(const struct launching *l)
{
  unsigned at = l->launch->paren.end;
  for (unsigned i = 0; i < launch_text_args(l->launch); i++) {
    const struct ir_place *place = &l->launch->args[i].place;
    if (place->begin < at || place->end <= place->begin || place->end >= l->launch->place.end)
      return false;
    at = place->end;
  }
  return true;
}

static bool can_edit(struct launching *l)
{
  const struct launch *launch = l->launch;
  bool fine = launch->callee.end > launch->callee.begin &&
              launch->callee.end <= launch->open.begin && text_is(l, &launch->open, "<<<") &&
              text_is(l, &launch->close, ">>>") && text_is(l, &launch->paren, "(") &&
              l->text[launch->place.end - 1] == ')' && args_in_order(l);
  if (!fine)
    codegen_error(l->cg, DIAG_MACRO_EDIT, &launch->place, "the launch of '%s' comes from a macro",
                  launch->callee_text);
  return fine;
}

/* ---- the staged kernel ---- */

static void insert_declaration(struct launching *l)
{
  const struct ir_place *host = &l->launch->host->place;
  edit_insert(&l->cg->edits[host->file], host->begin, variant_prototype(l->cg, l->variant));
}

const char *callee_named(struct launching *l, const char *name)
{
  const struct launch *launch = l->launch;
  const struct ir_function *kernel = launch->kernel;
  struct token last = scan_last(l->text, launch->callee.begin, launch->callee.end);
  bool qualified = last.begin > launch->callee.begin;
  bool inside = launch->host &&
                !strncmp(launch->host->qualified, kernel->qualified, function_scope_length(kernel));
  if (qualified && token_is(l->text, last, kernel->name))
    return arena_format(l->cg->arena, "%.*s%s", (int)(last.begin - launch->callee.begin),
                        l->text + launch->callee.begin, name);
  if (inside) return name;
  return arena_format(l->cg->arena, "%.*s%s", (int)function_scope_length(kernel), kernel->qualified,
                      name);
}

static const char *named_callee(void *launching, const char *name)
{
  return callee_named(launching, name);
}

static const char *planned_callee(struct launching *l)
{
  const struct kernel_names *kernels = names_of(l->cg, l->variant);
  const char *names = "";
  for (unsigned i = 0; i < choice_total(kernels); i++)
    names = arena_format(l->cg->arena, "%s%s%s", names, i ? ", " : "",
                         callee_named(l, kernels->choices[i]));
  if (kernels->number_count || kernels->even) {
    const char *number =
        launch_value(l->cg, l->launch, segmented_stage(l->variant)->segmentation->segments);
    return arena_format(l->cg->arena, "mesi_plan_kernel_%s(%s, %u, %u, %s)",
                        kernels->even ? "even" : "number", number, kernels->number_count,
                        kernels->choice_count, names);
  }
  return arena_format(l->cg->arena,
                      kernels->choice_count > 1u << l->variant->stage_count
                          ? "mesi_plan_kernel_segments(%s)"
                          : "mesi_plan_kernel(%s)",
                      names);
}

/* The kernel for the arrays that the launch stages, or one that runs several iterations of a loop
 * at once. */
static const char *chosen_callee(struct launching *l)
{
  const char *planned = planned_callee(l);
  return l->variant->choice->several
             ? several_callee(l->cg, l->launch, l->variant, planned, named_callee, l)
             : planned;
}

/* "void (int *, float)" => "void (*)(int *, float)" */
static const char *pointer_type(struct codegen *cg, const char *function_type)
{
  const char *parameters = strchr(function_type, '(');
  if (!parameters) return NULL;
  return arena_format(cg->arena, "%.*s(*)%s", (int)(parameters - function_type), function_type,
                      parameters);
}

const char *written_kernel(struct launching *l)
{
  const struct launch *launch = l->launch;
  const char *type = launch->callee_is_template && launch->callee_type
                         ? pointer_type(l->cg, launch->callee_type)
                         : NULL;
  return type ? arena_format(l->cg->arena, "static_cast<%s>(%s)", type, launch->callee_text)
              : callee_named(l, launch->kernel->name);
}

const char *callee_if_no_alias(struct launching *l, const char *name, const char *otherwise)
{
  const char *condition = variant_condition(l->cg, l->launch, l->variant);
  return arena_format(l->cg->arena, "mesi_pick_if(%s, %s, %s)",
                      SEEDED(APART_BODY_UNASKED) ? "true" : condition, name, otherwise);
}

static const char *staged_callee(struct launching *l)
{
  if (l->variant->choice) return chosen_callee(l);
  const struct kernel_names *names = names_of(l->cg, l->variant);
  if ((l->variant->no_alias_count || l->variant->asks) && !l->variant->mapping)
    return callee_if_no_alias(l, callee_named(l, names->kernel), written_kernel(l));
  const char *name = callee_named(l, names->kernel),
             *plain = names->plain ? callee_named(l, names->plain) : NULL;
  if (l->variant->mapping && mapping_chooses(l->variant->mapping)) {
    const char *all = names->written ? callee_named(l, names->written) : "";
    if (plain) all = arena_format(l->cg->arena, "%s%s%s", all, *all ? ", " : "", plain);
    for (unsigned i = 0; i < l->variant->mapping->version_count; i++) {
      all = arena_format(l->cg->arena, "%s%s%s", all, *all ? ", " : "",
                         callee_named(l, names->versions[i]));
      const char *again = plain                          ? plain
                          : SEEDED(PICKED_AGAIN_NOTHING) ? "nullptr"
                                                         : callee_named(l, names->written);
      if (plain_again(l->variant->mapping, i))
        all = arena_format(l->cg->arena, "%s, %s", all, again);
    }
    return arena_format(l->cg->arena, "mesi_pick(%s)", all);
  }
  return plain ? arena_format(l->cg->arena, "(%s ? %s : %s)",
                              member_text(l->cg, "mesi_mapped", "mapped"), name, plain)
               : name;
}

static void edit_shared_bytes(struct launching *l)
{
  const struct launch *launch = l->launch;
  const char *bytes =
      l->variant->choice
          ? member_text(l->cg, "mesi_planned", "bytes")
          : arena_format(l->cg->arena, "%llu",
                         (unsigned long long)l->variant->bytes >> 4 * SEEDED(SHARED_BYTES));
  if (launch->shared)
    edit_replace(l->edits, launch->shared->place.begin, launch->shared->place.end, bytes);
  else
    edit_insert(l->edits, launch->close.begin, arena_format(l->cg->arena, ", %s", bytes));
}

/* ---- another mapping ---- */

static void edit_mapping(struct launching *l)
{
  struct ir_place shape = launch_shape_place(l->cg->unit, l->launch);
  const char *ends = scan_line_ends(l->cg->arena, l->text, shape.begin, shape.end);
  edit_replace(l->edits, shape.begin, shape.end,
               arena_format(l->cg->arena, "%s%s", mapped_shape(l->cg, l->variant->mapping), ends));
  edit_insert(l->edits, l->launch->place.end - 1, mapped_arguments(l->cg, l->variant));
}

/* The variables of the launch's shape, which its text no longer names: compilers warn about those
 * without another use. */
struct still_used {
  struct launching *l;
  const char *text;
};

static void note_used(struct ir_expr *expr, void *context)
{
  struct still_used *u = context;
  if (expr->kind == IR_EXPR_VAR && expr->var->kind == IR_VAR_LOCAL &&
      !strstr(u->text, arena_format(u->l->cg->arena, "&%s, ", expr->var->name)))
    u->text = arena_format(u->l->cg->arena, "%s(void)&%s, ", u->text, expr->var->name);
}

static const char *still_used(struct launching *l)
{
  struct still_used u = {l, ""};
  ir_visit_expr(l->launch->grid, note_used, &u);
  ir_visit_expr(l->launch->block, note_used, &u);
  return u.text;
}

static const char *mapping_prefix(struct launching *l)
{
  struct ir_place shape = launch_shape_place(l->cg->unit, l->launch);
  const char *text = scan_one_line(l->cg->arena, l->text, shape.begin, shape.end);
  const struct kernel_names *names = names_of(l->cg, l->variant);
  const char *callees[MOST_VERSIONS];
  for (unsigned i = 0; i < MOST_VERSIONS; i++)
    callees[i] = names->when[i] ? callee_named(l, names->when[i]) : "";
  const char *prefix = mapped_prefix(l->cg, l->variant, l->launch, text ? text : "",
                                     names->fits ? callee_named(l, names->fits) : "", callees);
  if (*prefix) return prefix;
  if (l->plan->variant_parts) return mapped_exactly(l->cg, l->variant->mapping, text ? text : "");
  if (l->part || l->steps) return arena_format(l->cg->arena, "mesi_map(%s), ", text ? text : "");
  return still_used(l);
}

/* The arguments for parameters behind the kernel's own and those of its mapping. */
static void add_arguments(struct launching *l)
{
  const char *text = "";
  bool more = l->launch->arg_count || (l->variant->mapping && *mapped_arguments(l->cg, l->variant));
  for (unsigned i = 0; i < l->variant->added.count; i++) {
    const struct added_param *param = &l->variant->added.items[i];
    const char *value = exact_value(l->cg, l->launch, param->value);
    text =
        arena_format(l->cg->arena, "%s%s%s(%s)", text, more || i ? ", " : "", param->type, value);
  }
  if (*text) edit_insert(l->edits, l->launch->place.end - 1, text);
}

static void edit_choice(struct launching *l)
{
  edit_shared_bytes(l);
  const char *last = l->variant->choice->has_segments ? ", mesi_planned_segments()" : "";
  edit_insert(
      l->edits, l->launch->place.end - 1,
      arena_format(l->cg->arena, "%smesi_planned()%s", l->launch->arg_count ? ", " : "", last));
}

/* ---- the CPU's form ---- */

/* The kernel whose type tells what the arguments are, where the launch leaves others out; NULL: it
 * is not known, and each argument has its own type. */
static const char *kernel_given(struct launching *l, const char *type, bool certain)
{
  const char *text = l->launch->callee_text;
  if ((!type && !certain) || !l->launch->kernel || launch_has_pack(l->launch) ||
      SEEDED(DEFAULTS_COPY_ARGUMENTS))
    return NULL;
  if (strchr(text, '\n') || strstr(text, "//")) return NULL;
  if (!certain) text = arena_format(l->cg->arena, "static_cast<%s>(%s)", type, text);
  return arena_format(l->cg->arena, "mesi_cpu::given<%u>(%s, ", launch_text_args(l->launch), text);
}

/* A template or overloaded kernel is determined by its type. Where that is dependent, or the call
 * leaves default arguments out, a lambda makes the call. */
static void wrap_callee(struct launching *l)
{
  const struct launch *launch = l->launch;
  const struct ir_place *callee = &launch->callee;
  if (l->variant) return;
  const char *type = launch->callee_type ? pointer_type(l->cg, launch->callee_type) : NULL;
  bool defaults =
      (launch->kernel && launch->kernel->param_count > launch->arg_count) ||
      (launch->callee_params > launch_text_args(launch) && !SEEDED(SPECIALISED_DEFAULTS)) ||
      launch_has_pack(launch);
  bool certain = !launch->callee_is_template &&
                 !function_is_overloaded(l->cg->unit, launch->kernel) && (type || launch->kernel);
  if (certain && !defaults) return;
  const char *given = defaults ? kernel_given(l, type, certain) : NULL;
  if (type && !defaults)
    edit_wrap(l->edits, callee->begin, callee->end,
              arena_format(l->cg->arena, "static_cast<%s>(", type), ")");
  else if (given)
    edit_wrap(l->edits, callee->begin, callee->end,
              arena_format(l->cg->arena, "%s[](auto... mesi_argument) { ", given),
              "(mesi_argument...); })");
  else
    edit_wrap(l->edits, callee->begin, callee->end,
              launch->kernel ? "[](auto... mesi_argument) { " : "[=](auto... mesi_argument) { ",
              "(mesi_argument...); }");
}

static void replace_token(struct launching *l, const struct ir_place *place, const char *token,
                          const char *text)
{
  unsigned end = scan_spelling(l->text, place->begin, token);
  const char *ends = scan_line_ends(l->cg->arena, l->text, place->begin, end);
  edit_replace(l->edits, place->begin, end, arena_format(l->cg->arena, "%s%s", text, ends));
}

static bool has_added_arguments(const struct launching *l)
{
  if (!l->variant) return false;
  return l->variant->choice || l->variant->added.count ||
         (l->variant->mapping && *mapped_arguments(l->cg, l->variant));
}

bool launching_is_mapped(const struct launching *l) { return l->variant && l->variant->mapping; }

/* Grid and block of the kernel as written. */
static const char *written_shape(struct launching *l)
{
  struct ir_place shape = launch_shape_place(l->cg->unit, l->launch);
  return launching_is_mapped(l) ? arena_format(l->cg->arena, "%s, %s",
                                               member_text(l->cg, "mesi_mapped", "written_grid"),
                                               member_text(l->cg, "mesi_mapped", "written_block"))
                                : scan_one_line(l->cg->arena, l->text, shape.begin, shape.end);
}

/* mesi_stepped(k_in_steps, k_steps, k, grid, block, grid, block)(a, b) is a launch of k, or a part
 * of one of k_steps. */
static void edit_for_steps(struct launching *l)
{
  bool cpu = l->cg->options->target_cpu;
  const char *before =
      arena_format(l->cg->arena, "%s(%s, %s, %s", cpu ? "mesi_cpu::launch_stepped" : "mesi_stepped",
                   callee_named(l, l->steps->description), callee_named(l, l->steps->kernel),
                   l->part ? "mesi_runs(" : "");
  edit_wrap(l->edits, l->launch->place.begin, l->launch->place.end, before, "");
  edit_insert(l->edits, l->launch->callee.end,
              arena_format(l->cg->arena, cpu ? "%s, mesi_cpu::config(%s)" : "%s, %s",
                           l->part ? l->part : "", written_shape(l)));
  if (cpu) return;
  replace_token(l, &l->launch->open, "<<<", ", ");
  replace_token(l, &l->launch->close, ">>>", ")");
}

static void edit_for_cpu(struct launching *l)
{
  const struct launch *launch = l->launch;
  if (l->steps)
    edit_for_steps(l);
  else
    edit_wrap(l->edits, launch->place.begin, launch->place.end,
              l->part ? parted_by(l) : "mesi_cpu::launch(", "");
  if (l->part && !l->steps) edit_insert(l->edits, launch->callee.end, l->part);
  wrap_callee(l);
  complete_args(l);
  replace_token(l, &launch->open, "<<<", ", mesi_cpu::config(");
  replace_token(l, &launch->close, ">>>", ")");
  edit_replace(l->edits, launch->paren.begin, launch->paren.end,
               launch->arg_count || has_added_arguments(l) ? ", " : "");
}

/* k<<<grid, block>>>(  =>  mesi_batched(k, grid, block)(  */
static void edit_for_batch(struct launching *l)
{
  edit_wrap(l->edits, l->launch->place.begin, l->launch->place.end,
            l->part ? "mesi_batched(mesi_runs(" : "mesi_batched(", "");
  if (l->part) edit_insert(l->edits, l->launch->callee.end, l->part);
  replace_token(l, &l->launch->open, "<<<", ", ");
  replace_token(l, &l->launch->close, ">>>", ")");
}

/* k<<<grid, block>>>(  =>  mesi_parted(k, k_part, 0, grid, block)(  */
static void edit_for_parts(struct launching *l)
{
  edit_wrap(l->edits, l->launch->place.begin, l->launch->place.end, parted_by(l), "");
  edit_insert(l->edits, l->launch->callee.end, l->part);
  replace_token(l, &l->launch->open, "<<<", ", ");
  replace_token(l, &l->launch->close, ">>>", ")");
}

/* ---- edits ---- */

/* Wraps the stream: the runtime gets it where the program passes it to CUDA, and makes it wait for
 * transfers. */
static void wrap_stream(struct launching *l)
{
  const struct ir_expr *stream = l->launch->stream;
  if (stream) edit_wrap(l->edits, stream->place.begin, stream->place.end, "mesi_stream(", ")");
}

/* The ranges of the VS variables that the kernel names. */
static const char *use_ranges(struct launching *l)
{
  const char *calls = "";
  for (unsigned i = 0; i < l->plan->use_count; i++) {
    const char *range = use_range_text(l->cg, l->launch, i, l->part != NULL);
    if (range) calls = arena_format(l->cg->arena, "%smesi_launch_range(%u, %s), ", calls, i, range);
  }
  return calls;
}

/* On the CPU a launch in a batch goes out at once, unless it may become one with others: held
 * launches then have to be made before. */
static bool ends_steps(const struct launching *l)
{
  return l->cg->options->target_cpu && l->plan->batched && !l->steps &&
         l->cg->plan->steps.steps.count;
}

static void wrap_launch(struct launching *l)
{
  struct arena *arena = l->cg->arena;
  bool opts_in = l->variant && l->variant->dynamic;
  const char *mapping = l->variant && l->variant->mapping ? mapping_prefix(l)
                        : l->variant && l->variant->choice
                            ? choice_prefix(l->cg, l->launch, l->variant)
                            : "";
  if (!l->plan->hooked && !opts_in && !*mapping) return;
  const char *before = "(";
  if (l->plan->hooked)
    before = arena_format(arena, "(mesi_launch_begin(&%s, %u), %s%s%s%s", l->cg->table,
                          l->cg->sites[l->launch->id], l->part ? in_parts(l) : "",
                          ends_steps(l) ? "mesi_steps_end(), " : "", use_ranges(l),
                          l->launch->stream ? "" : "mesi_stream(0), ");
  if (opts_in)
    before = arena_format(
        arena, "%scudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, %llu), ",
        before, staged_callee(l), (unsigned long long)l->variant->bytes);
  before = arena_format(arena, "%s%s", before, mapping);
  if (l->variant && l->variant->choice && l->variant->choice->capacity > MOST_STATIC)
    before = arena_format(arena,
                          "%scudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, "
                          "(int)%s), ",
                          before, staged_callee(l), member_text(l->cg, "mesi_planned", "bytes"));
  edit_wrap(l->edits, l->launch->place.begin, l->launch->place.end, before,
            l->plan->hooked ? ", mesi_launch_end())" : ")");
}

/* The compiler deduces parameters from a function; a template with arguments needs its type. */
static void edit_for_cuda(struct launching *l)
{
  bool made_by_function = l->part || l->steps || l->plan->batched;
  if (made_by_function && l->launch->callee_is_template) wrap_callee(l);
  if (l->steps)
    edit_for_steps(l);
  else if (l->plan->batched)
    edit_for_batch(l);
  else if (l->part)
    edit_for_parts(l);
}

static void emit_launch(struct codegen *cg, const struct launch *launch)
{
  struct launching l = {.cg = cg, .launch = launch, .plan = &cg->plan->launches[launch->id]};
  l.edits = &cg->edits[launch->place.file];
  l.text = cg->unit->files.items[launch->place.file].text;
  if (!l.plan->hooked && !l.plan->variant && !cg->options->target_cpu) return;
  if (launch_is_repeated(cg->unit, launch) || !can_edit(&l)) return;
  l.variant = l.plan->variant;
  l.part = parted_with(&l);
  l.steps = l.plan->steps ? steps_names(cg, l.plan->steps) : NULL;
  if (l.plan->declared) insert_declaration(&l);
  wrap_launch(&l);
  if (l.variant) edit_replace(l.edits, launch->callee.begin, launch->callee.end, staged_callee(&l));
  if (l.variant && l.variant->dynamic) edit_shared_bytes(&l);
  if (l.variant && l.variant->mapping) edit_mapping(&l);
  if (l.variant && l.variant->choice) edit_choice(&l);
  if (l.variant) add_arguments(&l);
  if (l.plan->hooked) wrap_stream(&l);
  if (l.plan->hooked) wrap_args(&l);
  if (cg->options->target_cpu)
    edit_for_cpu(&l);
  else
    edit_for_cuda(&l);
}

void emit_launches(struct codegen *cg)
{
  for (unsigned i = 0; i < cg->unit->launches.count; i++)
    emit_launch(cg, cg->unit->launches.items[i]);
}
