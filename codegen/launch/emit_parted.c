/* SPDX-License-Identifier: MIT */
/* emit_parted.c - the kernels of a launch in parts, and its announcement to the runtime.
 *
 *     k<<<grid, 128>>>(a, n)
 *       =>
 *     mesi_parted(k, k_part, 0, grid, 128)(a, n)           as written, or with its code changed
 *     mesi_parted_or(k_mapped, k, k_part, 0, ...)          mapped as a whole, in parts as written
 *     mesi_parted(mesi_runs(k_mapped, {k_mapped_part}, 0, 0), ...)   mapped in either form
 *     mesi_batched(mesi_runs(k, k_part, 0), grid, 128)     a batch may hold it back on one device
 *
 * A list of kernels for runs is in the order of mesi_pick. It has nullptr for versions without one:
 * such a launch goes out as a whole.
 */
#include <string.h>

#include "codegen/kernel/kernel.h"
#include "codegen/launch/launching.h"
#include "codegen/text/source.h"

static const char *run_or_null(struct launching *l, const char *name)
{
  return name ? callee_named(l, name) : "nullptr";
}

/* The kernels for runs of a mapping, and the version taken. */
static const char *mapped_runs(struct launching *l)
{
  const struct kernel_mapping *mapping = l->variant->mapping;
  const struct kernel_names *names = names_of(l->cg, l->variant);
  struct arena *arena = l->cg->arena;
  const char *plain = run_or_null(l, names->run_plain), *all = "";
  if (!mapping_chooses(mapping))
    return mapping->plain ? arena_format(arena, "{%s, %s}, %s", plain, run_or_null(l, names->run),
                                         member_text(l->cg, "mesi_mapped", "mapped"))
                          : arena_format(arena, "{%s}, 0", run_or_null(l, names->run));
  if (mapping->written) all = run_or_null(l, names->run_written);
  if (mapping->plain) all = arena_format(arena, "%s%s%s", all, *all ? ", " : "", plain);
  for (unsigned i = 0; i < mapping->version_count; i++) {
    all = arena_format(arena, "%s%s%s", all, *all ? ", " : "", run_or_null(l, names->runs[i]));
    if (plain_again(mapping, i))
      all = arena_format(arena, "%s, %s", all,
                         mapping->plain ? plain : run_or_null(l, names->run_written));
  }
  return arena_format(arena, "{%s}, %s", all, member_text(l->cg, "mesi_mapped", "version"));
}

/* The variant's kernel for runs, or the kernel as written where the arrays may overlap. */
static const char *own_run(struct launching *l)
{
  const char *run = callee_named(l, names_of(l->cg, l->variant)->run);
  if (!l->variant->no_alias_count && !l->variant->asks) return run;
  return callee_if_no_alias(l, run, callee_named(l, parts_name(l->cg, l->plan->parts)));
}

/* Have a batch or steps a form of their own around the kernels? */
static bool has_own_form(const struct launching *l)
{
  bool held = l->plan->steps || (l->plan->batched && !l->cg->options->target_cpu);
  return held || (launching_is_mapped(l) && l->plan->variant_parts);
}

const char *parted_with(struct launching *l)
{
  const struct kernel_parts *parts = l->plan->parts;
  if (!parts) return NULL;
  bool cpu = l->cg->options->target_cpu;
  const char *written = "", *kernels;
  if (!l->plan->variant_parts) {
    if (launching_is_mapped(l) && !has_own_form(l))
      written = arena_format(l->cg->arena, ", %s", written_kernel(l));
    kernels = callee_named(l, parts_name(l->cg, parts));
  } else {
    kernels = launching_is_mapped(l) ? mapped_runs(l) : own_run(l);
  }
  return arena_format(l->cg->arena, "%s, %s, %u%s", written, kernels, parts->axis,
                      cpu || has_own_form(l) ? ")" : "");
}

const char *parted_by(const struct launching *l)
{
  if (has_own_form(l))
    return l->cg->options->target_cpu ? "mesi_cpu::launch_parted(mesi_runs("
                                      : "mesi_parted(mesi_runs(";
  if (l->cg->options->target_cpu)
    return launching_is_mapped(l) ? "mesi_cpu::launch_parted(mesi_mapped_or_parts("
                                  : "mesi_cpu::launch_parted(mesi_cpu::parted(";
  return launching_is_mapped(l) ? "mesi_parted_or(" : "mesi_parted(";
}

const char *in_parts(const struct launching *l)
{
  if (l->plan->only_devices) return "mesi_launch_on_several(), ";
  return l->plan->on_devices ? "mesi_launch_on_devices(), " : "mesi_launch_in_parts(), ";
}
