/* SPDX-License-Identifier: MIT */
/* launch_outcome.c - the decision about a launch that may go out in parts: on one device, on
 * several.
 *
 *     scale<<<n / 256, 256>>>(a, b, n);       parts on one device and on several
 *     for (...) step<<<grid, block>>>(a, b);  on one a batch holds the launches back; on several
 *         each goes out in parts
 *     total<<<n / 256, 256>>>(a, n);          the parts' writes cannot be told apart: parts on one
 *         device
 *
 * A part runs the kernel that the launch takes as a whole, staged or with another mapping to
 * threads, if it may go to another device. That kernel is printed once more for a run of blocks.
 *
 * Requires: launch_parts.h and launch_devices.h, which know the obstacles. Gives up with a remark.
 */
#include "analysis/plan/launch/launch_outcome.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/plan/launch/launch_devices.h"
#include "analysis/plan/launch/launch_keep.h"
#include "analysis/plan/launch/launch_parts.h"
#include "analysis/plan/launch/launch_sums.h"
#include "analysis/plan/report/explain.h"
#include "runtime/seeded.h"

/* Are there versions without a kernel for runs? Launches that take them have their parts as
 * written. So have launches whose elements have other axes than their blocks. */
static bool has_whole_versions(const struct kernel_variant *variant, bool also_one)
{
  const struct kernel_mapping *mapping = variant->mapping;

  if (mapping && mapping->extents) return true;
  if (!also_one) return false;
  for (unsigned i = 0; mapping && i < mapping->version_count; i++)
    if (mapping->versions[i].share || mapping->versions[i].most_blocks) return true;
  return false;
}

/* Makes the launch's kernel for parts the one that it takes as a whole. Returns NULL, or why there
 * is none. */
static const char *take_variant_parts(struct launch_plan *plan, int axis, bool also_one)
{
  struct kernel_variant *variant = plan->variant;
  bool as_code = !variant || !(variant->mapping || variant->stage_count ||
                               variant->no_alias_count || variant->asks);

  if (SEEDED(AXES_STAY_HOME) && variant && variant->mapping && variant->mapping->extents)
    return "its elements have other axes than its blocks";
  bool whole = !as_code && has_whole_versions(variant, also_one);
  if (whole && variant->mapping && (plan->batched || plan->steps) && !SEEDED(BATCH_OF_OTHER_AXES))
    return "launches of its loop go out together, with other axes than those of its parts";
  if (as_code || whole) return NULL;
  if (variant->runs_axis >= 0 && variant->runs_axis != axis)
    return "another launch of its kernel has parts along another axis";
  variant->runs_axis = axis;
  plan->variant_parts = true;
  return NULL;
}

/* Why the launch has no parts on one device, and none on several. NULL: it has. */
struct obstacles {
  const char *one, *several;
};

static struct obstacles choose(struct plan *plan, struct unit *unit, struct effects *effects,
                               const struct launch *launch, int axis, bool floats)
{
  struct launch_plan *out = &plan->launches[launch->id];
  const char *both = parts_obstacle(effects, launch, out, (unsigned)axis);

  if (!both) both = launch_refuses_parts(unit, launch);
  struct obstacles found = {both, both};
  if (!both) {
    found.one = parts_cost(launch, out);
    devices_take_sums(effects, launch, out, floats);
    found.several = devices_obstacle(effects, launch, out);
    if (!found.several) found.several = take_variant_parts(out, axis, !found.one);
    if (found.several) devices_drop_sums(launch, out);
  }
  out->on_devices = !found.several;
  out->only_devices = out->on_devices && found.one;
  if (!found.one || !found.several) out->parts = parts_of_launch(plan, launch, (unsigned)axis);
  return found;
}

/* ---- the text of the report ---- */

/* Bytes of its neighbours' parts that a part reads, too; -1: not known here. */
static int64_t shared_bytes(const struct part_range *part)
{
  int64_t step = 0, begin = 0, end = 0;
  bool known = part->rest.begin && ir_constant(part->step, &step) &&
               ir_constant(part->rest.begin, &begin) && ir_constant(part->rest.end, &end);

  return !known ? -1 : end - begin - step > 0 ? end - begin - step : 0;
}

static const char *moved(struct arena *arena, const char *text, const char *name, unsigned access,
                         const struct use_range *range)
{
  if (access & SUM_ANY) return arena_format(arena, "%s; a sum of %s on each device", text, name);
  if (!(access & EFFECT_READ) || (range && !range->read.begin)) return text;
  if (!range || !range->read_part.step)
    return arena_format(arena, "%s; all of %s to each device", text, name);
  int64_t bytes = shared_bytes(&range->read_part);
  if (bytes < 0) return arena_format(arena, "%s; the rims of %s between devices", text, name);
  return bytes ? arena_format(arena, "%s; %" PRId64 " bytes of %s between two devices", text, bytes,
                              name)
               : text;
}

/* The runs of blocks, and the memory that moves between devices for them. */
static const char *partition(struct arena *arena, const struct launch *launch,
                             const struct launch_plan *plan, int axis)
{
  const char *text = arena_format(arena, "runs of blocks along %c", 'x' + axis);

  for (unsigned i = 0; i < launch->arg_count; i++)
    if (plan->args[i].is_pointer && i < launch->kernel->param_count)
      text = moved(arena, text, launch->kernel->params[i]->name, plan->args[i].access,
                   plan->args[i].range);
  for (unsigned i = 0; i < plan->use_count; i++)
    text = moved(arena, text, plan->uses[i]->var->name, plan->use_access[i], plan->use_ranges[i]);
  return text;
}

static const char *remark(struct arena *arena, const char *name, int axis, struct obstacles found)
{
  if (found.one && found.several == found.one)
    return arena_format(arena, "this launch of '%s' goes out as a whole: %s", name, found.one);
  if (found.one && found.several)
    return arena_format(arena, "this launch of '%s' goes out as a whole: %s; on one device: %s",
                        name, found.one, found.several);
  if (found.one)
    return arena_format(
        arena, "this launch of '%s' goes out as a whole: %s; on several devices in parts along %c",
        name, found.one, 'x' + axis);
  return arena_format(
      arena,
      "this launch of '%s' may go out in parts along %c, each with the data of its blocks%s%s",
      name, 'x' + axis, found.several ? ", on one device: " : "",
      found.several ? found.several : "");
}

const char *plan_parted_launch(struct plan *plan, struct unit *unit, struct effects *effects,
                               const struct launch *launch, int axis, bool floats,
                               enum diag_id *ret_id)
{
  struct obstacles found = choose(plan, unit, effects, launch, axis, floats);
  const struct launch_plan *out = &plan->launches[launch->id];
  const char *name = launch->kernel ? launch->kernel->name : "",
             *each = arena_format(unit->arena, "along %c, each part with the data of its blocks",
                                  'x' + axis);

  explain_decide_launch(plan->explanation, launch, DECISION_PARTS, !found.one,
                        found.one ? found.one : each);
  explain_decide_launch(plan->explanation, launch, DECISION_DEVICES, !found.several,
                        found.several ? found.several : partition(unit->arena, launch, out, axis));
  *ret_id = found.one ? DIAG_NOT_PARTED : DIAG_PARTED;
  return remark(unit->arena, name, axis, found);
}
