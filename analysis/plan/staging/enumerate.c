/* SPDX-License-Identifier: MIT */
/* enumerate.c - lists the kernels among which launches choose.
 *
 *     stages a and b   =>   none, a, b, a and b; where one of them is copied by segments: one more
 *                           for some of the segments; all of these for 1, 2, 3, 4 segments; all of
 *                           these for launches that find a table even; several iterations at once
 *
 * Requires: the variant as planned. Produces: struct choice_kernels. Codegen prints these kernels
 * one by one, and the launch's text names them in the same order.
 */
#include <string.h>

#include "analysis/plan/staging/enumerate.h"
#include "translator/ir/places.h"

static const struct stage *segmented(const struct kernel_variant *variant)
{
  for (unsigned i = 0; i < variant->stage_count; i++)
    if (variant->stages[i].segmentation) return &variant->stages[i];
  return NULL;
}

/* Has the kernel C linkage? A template cannot have it. */
static bool has_linkage(const struct unit *unit, const struct ir_function *kernel)
{
  struct ir_place before, behind;
  if (!kernel->param_count || !function_head(unit, kernel, &before, &behind)) return false;
  const char *text = unit->files.items[before.file].text + before.begin;
  const char *found = strstr(text, "extern");
  return found && found < text + (before.end - before.begin);
}

/* The numbers of segments with kernels for several iterations at once; 0 stands for any number. */
static void several_numbers(const struct unit *unit, const struct plan_options *options,
                            const struct kernel_variant *variant, bool ret_numbers[])
{
  const struct stage *stage = segmented(variant);
  int64_t constant = 0;
  if (!variant->choice->several || options->checked || variant->kernel->instance_of ||
      variant->stage_count != 1 || has_linkage(unit, variant->kernel))
    return;
  const struct segmentation *segmentation = stage->segmentation;
  if (!segmentation->segment) {
    ret_numbers[0] = true;
    return;
  }
  if (!segmentation->count &&
      (!ir_constant(segmentation->segments, &constant) || constant < 2 || constant > MOST_NUMBERS))
    return;
  for (unsigned number = 2; number <= MOST_NUMBERS; number++)
    ret_numbers[number] = !constant || constant == number;
}

void enumerate_kernels(const struct unit *unit, const struct plan_options *options,
                       struct kernel_variant *variant)
{
  if (!variant->choice) return;
  struct choice_kernels *kernels = &variant->choice->kernels;
  const struct stage *stage = segmented(variant);
  bool by_segments =
      stage && !options->checked; /* the checker requires that an access goes to one memory */

  memset(kernels, 0, sizeof *kernels);
  kernels->sets = 1u << variant->stage_count;
  if (by_segments && stage->segmentation->segment) kernels->sets++;
  kernels->rows = by_segments && stage->segmentation->rows &&
                  (variant->stage_count == 1 || !stage->segmentation->segment);
  if (kernels->rows && stage->segmentation->segment) kernels->sets++;
  if (by_segments && stage->segmentation->count && variant->stage_count == 1)
    kernels->numbers = MOST_NUMBERS;
  kernels->even = by_segments && stage->segmentation->even;
  several_numbers(unit, options, variant, kernels->several);
}
