/* emit_jam.c - kernels that run several iterations of a loop at once, for launches that find what
 * these have in common.
 *
 *     template <unsigned _inner, unsigned _outer> __global__ void f_planned_jammed_2(const float
 *         *v, ..., const mesi_plan _plan, const mesi_segments _segments) {...}
 *
 *     f<<<grid, 256>>>(v, ...)
 *  => (..., mesi_plan_kernel_jammed(number, true, mesi_plan_kernel_even(...), {{2, 1, 2,
 *      f_planned_jammed_2<1, 2>}, ...})<<<...>>>(...))
 *
 * The bits say for which segments the base differs between neighbours and between groups of
 * neighbours. A kernel is right for a launch whose bits are among its own; for few segments there
 * are those in which neighbours differ in one segment and groups in another one. Requires a choice
 * with a jammed code. Gives up: heads that a template cannot have.
 */
#include <string.h>

#include "codegen/kernel/stage.h"
#include "runtime/seeded.h"

const char *jam_head(struct codegen *cg, const struct kernel_variant *variant, const char *name)
{
  const struct several *jammed = variant->choice->jammed;
  return arena_format(cg->arena, "template <unsigned %s, unsigned %s> %s", jammed->differs[0]->name,
                      jammed->differs[1]->name, choice_head(cg, variant, name));
}

void jam_comment(struct staged *s)
{
  const struct several *jammed = s->jammed;
  struct text *out = s->printer.out;
  text_format(out, "\n// %s: %u iterations of the loop over %s at once", s->name, jammed->count,
              jammed->iterator->name);
  if (s->count) text_format(out, " for %s = %u", s->count->name, s->number);
  if (s->even)
    text_format(out, ", elements of '%s' computed", s->kernel->params[s->even->even->param]->name);
  text_format(
      out,
      ".\n// %s, %s: bits of what differs between neighbours of %u and between such neighbours.",
      jammed->differs[0]->name, jammed->differs[1]->name, jammed->inner);
}

/* For which numbers of segments there are such kernels; 0: any, where there is one segment. */
bool find_jam_numbers(struct codegen *cg, const struct kernel_variant *variant,
                      bool ret_numbers[1 + MOST_NUMBERS])
{
  const struct stage *stage = segmented_stage(variant);
  int64_t constant = 0;
  memset(ret_numbers, 0, (1 + MOST_NUMBERS) * sizeof *ret_numbers);
  if (!variant->choice->jammed || cg->check || variant->kernel->instance_of ||
      variant->stage_count != 1)
    return false;
  const struct refresh *refresh = stage->refresh;
  if (strstr(choice_head(cg, variant, "f"), "extern")) return false;
  if (!refresh->segment) return ret_numbers[0] = true;
  if (!refresh->count &&
      (!ir_constant(refresh->segments, &constant) || constant < 2 || constant > MOST_NUMBERS))
    return false;
  for (unsigned number = 2; number <= MOST_NUMBERS; number++)
    ret_numbers[number] = !constant || constant == number;
  return true;
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

const char *jam_callee(struct codegen *cg, const struct launch *launch,
                       const struct kernel_variant *variant, const char *kernel,
                       const char *(*named)(void *, const char *), void *context)
{
  const struct several *jammed = variant->choice->jammed;
  const struct kernel_names *names = names_of(cg, variant);
  const char *versions = "";
  for (unsigned i = 0; i <= MOST_NUMBERS; i++)
    if (names->jammed[i])
      versions = arena_format(cg->arena, "%s%s", versions,
                              versions_text(cg, i, named(context, names->jammed[i])));
  if (!*versions) return kernel;
  const char *number = launch_value(cg, launch, segmented_stage(variant)->refresh->segments);
  const char *apart =
      all_apart(cg, launch, jammed->apart, SEEDED(JAM_APART_UNASKED) ? 0 : jammed->apart_count);
  const char *even = segmented_stage(variant)->refresh->even && !SEEDED(JAM_EVEN_UNASKED)
                         ? "mesi_planned_segments().even"
                         : "";
  if (apart)
    apart = *apart && *even ? arena_format(cg->arena, "%s && %s", even, apart)
            : *apart        ? apart
            : *even         ? even
                            : "true";
  const char *block = launch_shape_text(cg, launch, launch->block),
             *accesses = launch_value(cg, launch, segmented_stage(variant)->refresh->accesses);
  if (!number || !apart || !block || !accesses) return kernel;
  return arena_format(
      cg->arena,
      "mesi_plan_kernel_jammed(%s, %s, %u, %u, mesi_jam_room(%s, %u, %lld, %s), %s, {%s})",
      segmented_stage(variant)->refresh->segment ? number : "0", apart, jammed->inner,
      jammed->count / jammed->inner, block, jammed->cache,
      (long long)segmented_stage(variant)->element->size, accesses, kernel, versions + 2);
}
