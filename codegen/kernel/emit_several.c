/* SPDX-License-Identifier: MIT */
/* emit_several.c - kernels that run several iterations of a loop at once, for launches that find
 * shared bases of these.
 *
 *     template <unsigned _inner, unsigned _outer>
 *     __global__ void f_planned_numbered_2(const float *v, ..., const mesi_plan _plan,
 *                                        const mesi_segments _segments) {...}
 *
 *     f<<<grid, 256>>>(v, ...)
 *   => (..., mesi_plan_kernel_numbered(number, true, mesi_plan_kernel_even(...),
 *                                    {{2, 1, 2, f_planned_numbered_2<1, 2>}, ...})<<<...>>>(...))
 *
 * The bits are for the segments whose bases differ between neighbours, and between groups of
 * neighbours. A kernel suits a launch whose bits are among its own. For few segments there are
 * kernels with one segment that differs between neighbours and another that differs between groups.
 * Requires a choice with code for several iterations. Gives up: heads that a template cannot have.
 */
#include <assert.h>
#include <string.h>

#include "codegen/kernel/stage.h"
#include "runtime/seeded.h"

const char *several_head(struct codegen *cg, const struct kernel_variant *variant, const char *name)
{
  const struct several *several = variant->choice->several;
  return arena_format(cg->arena, "template <unsigned %s, unsigned %s> %s",
                      several->differs[0]->name, several->differs[1]->name,
                      choice_head(cg, variant, name));
}

void several_comment(struct staged *s)
{
  const struct several *several = s->several;
  struct text *out = s->printer.out;
  text_format(out, "\n// %s: %u iterations of the loop over %s at once", s->name, several->count,
              several->iterator->name);
  if (s->count) text_format(out, " for %s = %u", s->count->name, s->number);
  if (s->even)
    text_format(out, ", elements of '%s' computed", s->kernel->params[s->even->even->param]->name);
  text_format(
      out,
      ".\n// %s, %s: bits of what differs between neighbours of %u and between such neighbours.",
      several->differs[0]->name, several->differs[1]->name, several->inner);
}

static const char *versions_text(struct codegen *cg, unsigned number, const char *name)
{
  static const unsigned alone[][2] = {{0, 0}, {1, 0}, {0, 1}};
  const char *text = "";
  for (unsigned i = 0; !number && i < sizeof alone / sizeof *alone; i++)
    text = arena_format(cg->arena, "%s, {0, %u, %u, %s<%uu, %uu>}", text, alone[i][0], alone[i][1],
                        name, alone[i][0], alone[i][1]);
  for (unsigned i = 0; i < number; i++)
    for (unsigned k = 0; k < number; k++)
      text = arena_format(cg->arena, "%s, {%u, %u, %u, %s<%uu, %uu>}", text, number, 1u << i,
                          1u << k, name, 1u << i, 1u << k);
  return text;
}

const char *several_callee(struct codegen *cg, const struct launch *launch,
                           const struct kernel_variant *variant, const char *kernel,
                           const char *(*named)(void *, const char *), void *context)
{
  const struct several *several = variant->choice->several;
  const struct kernel_names *names = names_of(cg, variant);
  const char *versions = "";
  for (unsigned i = 0; i <= MOST_NUMBERS; i++)
    if (names->several[i])
      versions = arena_format(cg->arena, "%s%s", versions,
                              versions_text(cg, i, named(context, names->several[i])));
  if (!*versions) return kernel;
  const char *number = launch_value(cg, launch, segmented_stage(variant)->segmentation->segments);
  const char *no_alias = no_alias_condition(
      cg, launch, several->no_alias, SEEDED(SEVERAL_APART_UNASKED) ? 0 : several->no_alias_count);
  const char *even = segmented_stage(variant)->segmentation->even && !SEEDED(SEVERAL_EVEN_UNASKED)
                         ? "mesi_planned_segments().even"
                         : "";
  no_alias = *no_alias && *even ? arena_format(cg->arena, "%s && %s", even, no_alias)
             : *no_alias        ? no_alias
             : *even            ? even
                                : "true";
  const char *block = launch_shape_text(cg, launch, launch->block),
             *accesses = launch_value(cg, launch, segmented_stage(variant)->segmentation->accesses);
  assert(number && block && accesses);
  return arena_format(
      cg->arena, "%s(%s, %s, %u, %u, %s(%s, %u, %lld, %s), %s, {%s})", several->picks,
      segmented_stage(variant)->segmentation->segment ? number : "0", no_alias, several->inner,
      several->count / several->inner, several->room, block, several->cache,
      (long long)segmented_stage(variant)->element->size, accesses, kernel, versions + 2);
}
