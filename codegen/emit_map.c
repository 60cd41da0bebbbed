/* emit_map.c - a kernel with another mapping of its work to threads, and its launches.
 *
 *     matmul<<<grid, block>>>(a, b, c)     =>     matmul_mapped<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c)
 *     f<<<(n + 255) / 256, 256>>>(a, n)    =>     (mesi_map((n + 255) / 256, 256, 512, 1, dim3(128), 4096),
 *                                                  (mesi_mapped().mapped ? f_mapped : f_plain)
 *                                                      <<<mesi_mapped().grid, mesi_mapped().block>>>(a, n, mesi_mapped().total_x))
 *
 * The body is the plan's IR. Totals that are not constants are parameters behind the kernel's own. Requires a plan with a
 * mapping; the launch's tokens <<<, >>> and ( as the text has them.
 */
#include <inttypes.h>
#include <string.h>

#include "codegen/stage.h"

/* ---- the kernel ---- */

static const char *total_params(struct codegen *cg, const struct kernel_variant *variant) {
  const char *text = "", *comma = variant->kernel->param_count ? ", " : "";
  for (int axis = 0; axis < 2; axis++) {
    if (!variant->mapping->has_total[axis]) continue;
    text = arena_format(cg->arena, "%s%sint %s", text, comma, variant->mapping->totals[axis]->name);
    comma = ", ";
  }
  return text;
}

static int64_t threads_of(const struct kernel_mapping *mapping) { return mapping->threads[0] * mapping->threads[1]; }

static const char *parameters(struct codegen *cg, const struct kernel_variant *variant) {
  const char *text = "";
  for (unsigned i = 0; i < variant->kernel->param_count; i++)
    text = arena_format(cg->arena, "%s%s%s", text, i ? ", " : "",
                        print_declaration(cg->arena, variant->kernel->params[i]->type, variant->kernel->params[i]->name));
  return arena_format(cg->arena, "%s%s", text, total_params(cg, variant));
}

/* The kernel for small launches has the parameters of the mapped one. */
const char *plain_head(struct codegen *cg, const struct kernel_variant *variant, const char *name) {
  return arena_format(cg->arena, "static __global__ void %s(%s)", name, parameters(cg, variant));
}

const char *mapped_head(struct codegen *cg, const struct kernel_variant *variant, const char *name) {
  const char *resident = variant->mapping->resident ? arena_format(cg->arena, ", %u", variant->mapping->resident) : "";
  return arena_format(cg->arena, "static __global__ void __launch_bounds__(%" PRId64 "%s) %s(%s)", threads_of(variant->mapping), resident,
                      name, parameters(cg, variant));
}

void mapped_comment(struct staged *s) {
  const struct kernel_mapping *m = s->variant->mapping;
  text_format(s->printer.out,
              "\n// %s: %s with blocks of %" PRId64 " x %" PRId64 " elements for %" PRId64 " x %" PRId64 " threads; tiles in %" PRIu64
              " bytes of shared memory.\n// Predicted gain: %.1f.",
              s->name, s->kernel->name, m->block[0], m->block[1], m->threads[0], m->threads[1], m->shared_bytes, m->gain);
}

/* ---- the launch ---- */

static bool is_constant(const struct kernel_mapping *mapping) {
  return mapping->grid[0] > 0 && mapping->grid[1] > 0 && mapping->grid[2] > 0;
}

static const char *shape_text(struct codegen *cg, int64_t x, int64_t y, int64_t z) {
  if (z > 1) return arena_format(cg->arena, "dim3(%" PRId64 ", %" PRId64 ", %" PRId64 ")", x, y, z);
  if (y > 1) return arena_format(cg->arena, "dim3(%" PRId64 ", %" PRId64 ")", x, y);
  return arena_format(cg->arena, "%" PRId64, x);
}

static const char *threads_text(struct codegen *cg, const struct kernel_mapping *mapping) {
  return shape_text(cg, mapping->threads[0], mapping->threads[1], 1);
}

const char *mapped_shape(struct codegen *cg, const struct kernel_mapping *mapping) {
  if (!is_constant(mapping)) return "mesi_mapped().grid, mesi_mapped().block";
  return arena_format(cg->arena, "%s, %s", shape_text(cg, mapping->grid[0], mapping->grid[1], mapping->grid[2]),
                      threads_text(cg, mapping));
}

/* What comes in front of the launch, in its parentheses; "" when the grid is constant. */
const char *mapped_prefix(struct codegen *cg, const struct kernel_mapping *mapping, const char *shape) {
  if (is_constant(mapping)) return "";
  return arena_format(cg->arena, "mesi_map(%s, %" PRId64 ", %" PRId64 ", %s, %" PRId64 "), ", shape, mapping->block[0],
                      mapping->block[1], threads_text(cg, mapping), mapping->plain ? mapping->least : 0);
}

const char *mapped_arguments(struct codegen *cg, const struct kernel_variant *variant) {
  const char *text = "", *comma = variant->kernel->param_count ? ", " : "";
  for (int axis = 0; axis < 2; axis++) {
    if (!variant->mapping->has_total[axis]) continue;
    text = arena_format(cg->arena, "%s%smesi_mapped().total_%c", text, comma, 'x' + axis);
    comma = ", ";
  }
  return text;
}
