/* SPDX-License-Identifier: MIT */
/* emit_map.c - a kernel with another mapping of its work to threads, and its launches.
 *
 *     matmul<<<grid, block>>>(a, b, c)
 *   => matmul_mapped<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c)
 *
 *     f<<<(n + 255) / 256, 256>>>(a, n)
 *   => (mesi_map((n + 255) / 256, 256, 512, 1, dim3(128), 4096),
 *       (mesi_mapped().mapped ? f_mapped : f_plain)
 *           <<<mesi_mapped().grid, mesi_mapped().block>>>(a, n, mesi_mapped().total_x))
 *
 *   with several versions
 *   => (mesi_map((n + 255) / 256, 256),
 *       mesi_choose(f_fits(a, n), {{}, {512, 1, 128, 1, 4096}, {512, 1, 128, 1, 4096, true}}),
 *       mesi_pick(f_plain, f_mapped, f_exact)<<<...>>>(a, n, mesi_mapped().total_x))
 *
 *   with other axes than the launch's
 *   => (mesi_map((w * h + 255) / 256, 256), mesi_extents(1, w, 1, 1, w * h), mesi_choose(...),
 *       ...)
 *
 * The body is the plan's IR. Totals that are not constants are parameters after the kernel's own.
 * Requires a plan with a mapping, and the launch's tokens <<<, >>> and ( in the text.
 */
#include <inttypes.h>
#include <string.h>

#include "codegen/kernel/stage.h"
#include "runtime/seeded.h"
#include "translator/ir/ir_rewrite.h"

/* ---- the kernel ---- */

static const char *total_params(struct codegen *cg, const struct kernel_variant *variant)
{
  const char *text = "", *comma = variant->kernel->param_count ? ", " : "";
  for (int axis = 0; axis < 2; axis++) {
    if (!variant->mapping->has_total[axis]) continue;
    text = arena_format(cg->arena, "%s%sint %s", text, comma, variant->mapping->totals[axis]->name);
    comma = ", ";
  }
  const struct ir_var *workspace = variant->mapping->workspace;
  if (workspace) {
    text = arena_format(cg->arena, "%s%s%s", text, comma,
                        print_declaration(cg->arena, workspace->type, workspace->name));
    comma = ", ";
  }
  const char *added = added_params(cg, variant);
  return arena_format(cg->arena, "%s%s%s", text, *added ? comma : "", added);
}

static int64_t threads_of(const struct mapped_version *version)
{
  return version->threads[0] * version->threads[1];
}

/* A parameter, with __restrict__ where no code writes the memory behind it. */
static const char *parameter(struct codegen *cg, const struct ir_var *param, bool read_only)
{
  struct ir_type type = *param->type;
  type.is_restrict |= read_only;
  return print_declaration(cg->arena, &type, param->name);
}

static const char *parameters(struct codegen *cg, const struct kernel_variant *variant,
                              const struct ir_function *code)
{
  const char *text = "";
  for (unsigned i = 0; i < ir_head_params(variant->kernel); i++)
    text = arena_format(
        cg->arena, "%s%s%s", text, i ? ", " : "",
        parameter(cg, variant->kernel->params[i], code->read_only && code->read_only[i]));
  return arena_format(cg->arena, "%s%s", text, total_params(cg, variant));
}

/* The kernel for small launches has the parameters of the mapped one. */
const char *plain_head(struct codegen *cg, const struct kernel_variant *variant,
                       const struct ir_function *code, const char *name)
{
  return arena_format(cg->arena, "static __global__ void %s(%s)", name,
                      parameters(cg, variant, code));
}

const char *mapped_head(struct codegen *cg, const struct kernel_variant *variant, unsigned version,
                        const char *name)
{
  const struct mapped_version *v = &variant->mapping->versions[version];
  const char *resident = v->resident ? arena_format(cg->arena, ", %u", v->resident) : "";
  return arena_format(cg->arena, "static __global__ void __launch_bounds__(%" PRId64 "%s) %s(%s)",
                      threads_of(v), resident, name, parameters(cg, variant, v->code));
}

void mapped_comment(struct staged *s, unsigned version, const char *name)
{
  const struct mapped_version *v = &s->variant->mapping->versions[version];
  if (v->note)
    text_format(s->printer.out, "// %s: %s %s.", name, s->kernel->name, v->note);
  else
    text_format(s->printer.out,
                "// %s: %s with blocks of %" PRId64 " x %" PRId64 " elements for %" PRId64
                " x %" PRId64 " threads%s%s%s%s.",
                name, s->kernel->name, v->block[0], v->block[1], v->threads[0], v->threads[1],
                v->shared_bytes
                    ? arena_format(s->cg->arena, "; tiles in %" PRIu64 " bytes of shared memory",
                                   v->shared_bytes)
                    : "",
                v->next_registers
                    ? arena_format(s->cg->arena,
                                   ", the next one on its way in %u registers of each thread",
                                   v->next_registers)
                    : "",
                v->means ? arena_format(s->cg->arena, "; %s", v->means) : "",
                v->share ? "; several blocks share the loop" : "");
  if (!version)
    text_format(s->printer.out, "\n// Predicted gain: %.1f.", s->variant->mapping->gain);
}

/* "", "_small" and so on: distinguishes the version from others of its kind. */
const char *version_suffix(const struct kernel_mapping *mapping, unsigned version)
{
  const struct mapped_version *v = &mapping->versions[version];
  bool more = version + 1 < mapping->version_count && !v[1].team, specialised = v->specialised;
  if (v->suffix) return v->suffix;
  if (!version) return "mapped";
  return !specialised ? "mapped_large" : more ? "exact_small" : "exact";
}

/* ---- the condition of specialised versions ---- */

static bool uses(struct ir_expr *condition, const struct ir_var *var)
{
  return var && condition && ir_expr_has_var(condition, var);
}

enum { ASKED = 3 }; /* expressions of a function that is called before a launch; NULL: none */

static bool any_uses(struct ir_expr *const asked[ASKED], const struct ir_var *var)
{
  bool found = false;
  for (unsigned i = 0; i < ASKED; i++) found |= uses(asked[i], var);
  return found;
}

/* Does an expression use the parameter, by its name or as a member? */
static bool any_uses_param(const struct ir_function *kernel, struct ir_expr *const asked[ASKED],
                           const struct ir_var *param)
{
  bool found = any_uses(asked, param);
  for (unsigned i = 0; i < kernel->param_count; i++)
    found |= kernel->params[i]->part_of == param && any_uses(asked, kernel->params[i]);
  return found;
}

static const char *host_head(struct codegen *cg, const struct kernel_variant *variant,
                             struct ir_expr *const asked[ASKED], const char *result,
                             const char *name)
{
  const char *text = "", *comma = "";
  for (unsigned i = 0; i < ir_head_params(variant->kernel); i++) {
    const struct ir_var *param = variant->kernel->params[i];
    if (!any_uses_param(variant->kernel, asked, param)) continue;
    text = arena_format(cg->arena, "%s%s%s", text, comma,
                        print_declaration(cg->arena, param->type, param->name));
    comma = ", ";
  }
  return arena_format(cg->arena, "static inline %s %s(%s)", result, name, text);
}

const char *fits_head(struct codegen *cg, const struct kernel_variant *variant,
                      struct ir_expr *condition, const char *name)
{
  struct ir_expr *const asked[ASKED] = {condition};
  return host_head(cg, variant, asked, "bool", name);
}

static void print_totals(struct staged *s, struct ir_expr *const asked[ASKED])
{
  const struct kernel_mapping *mapping = s->variant->mapping;
  for (int axis = 0; axis < 2; axis++)
    if (any_uses(asked, mapping->totals[axis]))
      text_format(s->printer.out, "  const long long %s = mesi_mapped().total_%c;\n",
                  mapping->totals[axis]->name, 'x' + axis);
  if (any_uses(asked, mapping->total_z))
    text_format(s->printer.out, "  const long long %s = mesi_mapped().total_z;\n",
                mapping->total_z->name);
}

void print_fits(struct staged *s, struct ir_expr *condition, const char *what, const char *name)
{
  struct ir_expr *const asked[ASKED] = {condition};
  struct printer *p = &s->printer;
  text_format(p->out, "// %s: %s.\n%s {\n", name, what,
              fits_head(s->cg, s->variant, condition, name));
  print_totals(s, asked);
  text_add(p->out, "  return ");
  print_expr(p, condition);
  text_add(p->out, ";\n}\n");
}

/* ---- the number of blocks that share a sum ---- */

const char *parts_head(struct codegen *cg, const struct kernel_variant *variant,
                       const struct mapped_version *version, const char *name)
{
  struct ir_expr *const asked[ASKED] = {version->when, version->share->iterations,
                                        version->share->elements};
  return host_head(cg, variant, asked, "unsigned", name);
}

static const char *time_text(struct codegen *cg, const struct block_time *time)
{
  return arena_format(cg->arena, "{%" PRId64 ", %" PRId64 ", %u, %.4g, %.4g}", time->block[0],
                      time->block[1], time->resident, time->alone, time->busy);
}

void print_parts(struct staged *s, unsigned version, const char *kernel, const char *name)
{
  const struct mapped_version *v = &s->variant->mapping->versions[version];
  const struct block_share *share = v->share;
  struct ir_expr *const asked[ASKED] = {v->when, share->iterations, share->elements};
  struct printer *p = &s->printer;
  text_format(p->out,
              "// %s: how many blocks share a sum in %s; 0: it is not for the launch.\n%s {\n",
              name, kernel, parts_head(s->cg, s->variant, v, name));
  print_totals(s, asked);
  text_format(p->out, "  static thread_local %s known;\n  return ", share->known);
  if (v->when) {
    text_add(p->out, "!(");
    print_expr(p, v->when);
    text_add(p->out, ") ? 0 : ");
  }
  const char *others = "";
  for (unsigned i = 0; i < share->other_count; i++)
    others = arena_format(s->cg->arena, "%s, %s", others, time_text(s->cg, &share->others[i]));
  text_format(p->out, "%s(known, {%s%s}, ", share->function, time_text(s->cg, &share->own), others);
  print_expr(p, share->iterations);
  text_add(p->out, ", ");
  if (share->elements)
    print_expr(p, share->elements);
  else
    text_add(p->out, "-1");
  text_format(p->out, ", %" PRId64 ", %" PRIu64 ", %s, %u);\n}\n", share->unit, share->bytes,
              share->tree ? "true" : "false", share->fixed);
}

/* The call for a launch, with the arguments repeated. NULL: they have no text that can be moved
 * before it. */
static const char *host_call(struct codegen *cg, const struct kernel_variant *variant,
                             const struct launch *launch, struct ir_expr *const asked[ASKED],
                             const char *name)
{
  const struct launch_plan *plan = &cg->plan->launches[launch->id];
  const char *text = "", *comma = "";
  if (!plan->repeatable) return NULL;
  for (unsigned i = 0; i < ir_head_params(variant->kernel); i++) {
    if (!any_uses_param(variant->kernel, asked, variant->kernel->params[i])) continue;
    const char *argument = argument_text(cg, launch, i);
    if (!argument) return NULL;
    bool placed = plan->hooked && plan->args && plan->args[i].is_pointer;
    text = arena_format(cg->arena, placed ? "%s%smesi_place(%s)" : "%s%s%s", text, comma, argument);
    comma = ", ";
  }
  return arena_format(cg->arena, "%s(%s)", name, text);
}

static const char *fits_call(struct codegen *cg, const struct kernel_variant *variant,
                             const struct launch *launch, struct ir_expr *condition,
                             const char *name)
{
  struct ir_expr *const asked[ASKED] = {condition};
  const char *call = condition ? host_call(cg, variant, launch, asked, name) : "true";
  return call ? call : "false";
}

/* ---- the launch ---- */

/* Does the launch choose by more than its size? */
bool mapping_chooses(const struct kernel_mapping *mapping)
{
  return mapping->version_count > 1 || mapping->most || mapping->written || mapping->extents ||
         (mapping->versions[0].layers && mapping->plain) || mapping->versions[0].when ||
         mapping->versions[0].most || mapping->versions[0].share;
}

/* Does the kernel as written come again after the versions that are worse in large launches? */
bool plain_again(const struct kernel_mapping *mapping, unsigned version)
{
  bool last = version + 1 == mapping->version_count || mapping->versions[version + 1].team;
  return mapping->most && last && !mapping->versions[version].team;
}

static bool is_constant(const struct kernel_mapping *mapping)
{
  return !mapping_chooses(mapping) && mapping->grid[0] > 0 && mapping->grid[1] > 0 &&
         mapping->grid[2] > 0;
}

static const char *shape_text(struct codegen *cg, int64_t x, int64_t y, int64_t z)
{
  if (z > 1) return arena_format(cg->arena, "dim3(%" PRId64 ", %" PRId64 ", %" PRId64 ")", x, y, z);
  if (y > 1) return arena_format(cg->arena, "dim3(%" PRId64 ", %" PRId64 ")", x, y);
  return arena_format(cg->arena, "%" PRId64, x);
}

static const char *threads_text(struct codegen *cg, const struct kernel_mapping *mapping)
{
  return shape_text(cg, mapping->versions[0].threads[0], mapping->versions[0].threads[1], 1);
}

const char *mapped_shape(struct codegen *cg, const struct kernel_mapping *mapping)
{
  if (!is_constant(mapping))
    return arena_format(cg->arena, "%s, %s", member_text(cg, "mesi_mapped", "grid"),
                        member_text(cg, "mesi_mapped", "block"));
  return arena_format(cg->arena, "%s, %s",
                      shape_text(cg, mapping->grid[0], mapping->grid[1], mapping->grid[2]),
                      threads_text(cg, mapping));
}

/* The number of blocks that share sums, for a version that has such blocks. */
static const char *parts_text(struct codegen *cg, const struct kernel_variant *variant,
                              const struct launch *launch, const struct mapped_version *v,
                              const char *callee)
{
  struct ir_expr *const asked[ASKED] = {v->when, v->share->iterations, v->share->elements};
  const char *call = host_call(cg, variant, launch, asked, callee);
  return arena_format(cg->arena, ", %s, %s, %" PRIu64, v->specialised ? "true" : "false",
                      call ? call : "0u", v->share->bytes);
}

/* Blocks along z for one of the launch, elements of a block along z; "" where both are as
 * written. */
static const char *along_z(struct codegen *cg, const struct mapped_version *v)
{
  if (v->layers && !SEEDED(LAYERS_NOT_COUNTED))
    return arena_format(cg->arena, ", 1, %" PRId64, v->layers);
  return v->z_parts > 1 ? arena_format(cg->arena, ", %" PRId64, v->z_parts) : "";
}

static int64_t fewest_of(const struct mapped_version *v)
{
  return SEEDED(LAUNCH_ROWS_UNASKED) ? 0 : v->fewest;
}

/* The condition of launches for a team's version. */
static const char *when_text(struct codegen *cg, const struct kernel_variant *variant,
                             const struct launch *launch, unsigned version, const char *callee)
{
  const struct mapped_version *v = &variant->mapping->versions[version];
  if (v->share) return parts_text(cg, variant, launch, v, callee);
  const char *below = v->most ? arena_format(cg->arena, "mesi_below(%" PRId64 ")", v->most) : "";
  const char *when = v->when ? fits_call(cg, variant, launch, v->when, callee) : "";
  if (fewest_of(v))
    when = arena_format(cg->arena, "mesi_rows_of(%" PRId64 ")%s%s", v->fewest, *when ? " && " : "",
                        when);
  const char *z = along_z(cg, v);
  if (!*below && !*when && *z) when = "true";
  if (!*below && !*when) return "";
  return arena_format(cg->arena, ", %s, %s%s%s%s", v->specialised ? "true" : "false", below,
                      *below && *when ? " && " : "", when, z);
}

/* The number of elements from which the version is better than the kernel as written. */
static const char *least_text(struct codegen *cg, const struct kernel_mapping *mapping,
                              const struct mapped_version *v)
{
  bool shared = mapping->extents && mapping->extents->flat && v->least;

  return arena_format(cg->arena, shared ? "mesi_shared_least(%" PRId64 ")" : "%" PRId64, v->least);
}

/* The versions as arguments of mesi_choose, in the order of mesi_pick. */
static const char *version_list(struct codegen *cg, const struct kernel_variant *variant,
                                const struct launch *launch, const char *const *callees)
{
  const struct kernel_mapping *mapping = variant->mapping;
  const char *text = mapping->plain && mapping->written   ? "{}, {}"
                     : mapping->plain || mapping->written ? "{}"
                                                          : "";
  for (unsigned i = 0; i < mapping->version_count; i++) {
    const struct mapped_version *v = &mapping->versions[i];
    const char *when = when_text(cg, variant, launch, i, callees[i]);
    text = arena_format(cg->arena, "%s%s{%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ", %s%s}",
                        text, *text ? ", " : "", v->block[0], v->block[1], v->threads[0],
                        v->threads[1], least_text(cg, mapping, v),
                        *when            ? when
                        : v->specialised ? ", true"
                                         : "");
    if (plain_again(mapping, i))
      text = arena_format(cg->arena, "%s, {0, 0, 0, 0, %" PRId64 "}", text, mapping->most);
  }
  return text;
}

/* The stream, whose memory blocks with shared sums use, where it can be named twice. */
static const char *stream_text(struct codegen *cg, const struct kernel_mapping *mapping,
                               const struct launch *launch)
{
  const struct ir_expr *stream = launch->stream;
  if (!mapping->workspace || (stream && ir_has_effects((struct ir_expr *)stream))) return "";
  const struct ir_place *place = stream ? &stream->place : NULL;
  const char *text = place ? scan_one_line(cg->arena, cg->unit->files.items[place->file].text,
                                           place->begin, place->end)
                           : "0";
  return text && (!place || place->file == launch->place.file)
             ? arena_format(cg->arena, "mesi_stream_is(%s), ", text)
             : "";
}

/* The elements of a launch whose codes have other axes than it; "" where they have its own. */
static const char *extents_text(struct codegen *cg, const struct kernel_mapping *mapping,
                                const struct launch *launch)
{
  const struct extents *extents = mapping->extents;
  const char *text = "";
  if (!extents) return "";
  if (extents->digits[0])
    return arena_format(cg->arena, "mesi_digits(%s, %" PRId64 ", %" PRId64 "), ",
                        extents->turned && !SEEDED(DIGITS_NOT_TURNED) ? "true" : "false",
                        extents->digits[0], extents->digits[1]);
  int y = SEEDED(TURN_ELEMENTS) ? 2 : 1;
  if (extents->permuted)
    return arena_format(cg->arena, "mesi_turn(%d, %d, %d, %" PRId64 "), ", extents->from[0],
                        extents->from[y], extents->from[3 - y], extents->run);
  const char *none = extents->given ? "-1" : "1";
  for (int axis = 0; axis < (extents->given ? 2 : 3); axis++)
    text =
        arena_format(cg->arena, "%s%s%s", text, axis ? ", " : "",
                     extents->along[axis] ? mapped_value(cg, launch, extents->along[axis]) : none);
  if (extents->given)
    return arena_format(cg->arena, "mesi_elements(%s, %s), ", extents->of_block ? "true" : "false",
                        text);
  return arena_format(cg->arena, "mesi_extents(%d, %s, %s), ", extents->derived, text,
                      extents->count ? mapped_value(cg, launch, extents->count) : "-1");
}

/* The text before the launch, in its parentheses; "" where the grid is constant. */
const char *mapped_prefix(struct codegen *cg, const struct kernel_variant *variant,
                          const struct launch *launch, const char *shape, const char *fits,
                          const char *const *callees)
{
  const struct kernel_mapping *mapping = variant->mapping;
  if (is_constant(mapping)) return "";
  const char *few =
      mapping->versions[0].most_blocks
          ? arena_format(cg->arena, "mesi_few(%" PRId64 "), ", mapping->versions[0].most_blocks)
          : "";
  if (mapping_chooses(mapping) || mapping->versions[0].z_parts > 1 || mapping->versions[0].layers) {
    bool asks = mapping->written && !SEEDED(APART_MAPPED_UNASKED);
    const char *no_alias = asks ? variant_condition(cg, launch, variant) : "";
    if (*no_alias) no_alias = arena_format(cg->arena, "mesi_map_if(%s), ", no_alias);
    return arena_format(cg->arena, "mesi_map(%s), %s%s%smesi_choose(%s, {%s}), %s", shape,
                        extents_text(cg, mapping, launch), no_alias,
                        stream_text(cg, mapping, launch),
                        fits_call(cg, variant, launch, mapping->condition, fits),
                        version_list(cg, variant, launch, callees), few);
  }
  const char *rows = mapping->versions[0].fewest
                         ? arena_format(cg->arena, ", 0, %" PRId64, mapping->versions[0].fewest)
                         : "";
  return arena_format(cg->arena, "mesi_map(%s, %" PRId64 ", %" PRId64 ", %s, %" PRId64 "%s), %s",
                      shape, mapping->versions[0].block[0], mapping->versions[0].block[1],
                      threads_text(cg, mapping), mapping->plain ? mapping->least : 0, rows, few);
}

const char *mapped_exactly(struct codegen *cg, const struct kernel_mapping *mapping,
                           const char *shape)
{
  const struct mapped_version *v = &mapping->versions[0];
  const char *layers = v->layers ? arena_format(cg->arena, ", %" PRId64, v->layers) : "";
  return arena_format(cg->arena, "mesi_map(%s, %" PRId64 ", %" PRId64 ", %s, 0%s), ", shape,
                      v->block[0], v->block[1], threads_text(cg, mapping), layers);
}

const char *mapped_arguments(struct codegen *cg, const struct kernel_variant *variant)
{
  const char *text = "", *comma = variant->kernel->param_count ? ", " : "";
  for (int axis = 0; axis < 2; axis++) {
    if (!variant->mapping->has_total[axis]) continue;
    text = arena_format(cg->arena, "%s%s%s", text, comma,
                        member_text(cg, "mesi_mapped", axis ? "total_y" : "total_x"));
    comma = ", ";
  }
  if (variant->mapping->workspace)
    text = arena_format(cg->arena, "%s%s%s", text, comma, member_text(cg, "mesi_mapped", "sums"));
  return text;
}
