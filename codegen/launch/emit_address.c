/* SPDX-License-Identifier: MIT */
/* emit_address.c - launches by a kernel's address.
 *
 *     cudaLaunchCooperativeKernel((void *)k, grid, block, args, 0, stream)
 *  => mesi_by_address(&_mesi_1f00ab, 3, k, true)((void *)k, grid, block, args, 0, stream)
 *
 *     cudaLaunchKernelEx(&config, k, a, n)  =>  mesi_by_config(&_mesi_1f00ab, 4)(&config, k, a, n)
 *
 * The kernel's own type gives the types behind the addresses in `args`. 3 is a launch site of its
 * own, after those of the launches, which may use any VS variable. In a program without VS
 * variables the CPU backend gets mesi_cpu::by_address(k, true), since it cannot call a function of
 * unknown type. It also gets a table of the file's kernels, for addresses from elsewhere.
 *
 * Requires lowered host functions. Gives up, and leaves the call as it is, where the first argument
 * does not name the kernel, or in a macro.
 */
#include <string.h>

#include "codegen/launch/launch.h"
#include "codegen/text/source.h"

static bool launches_by_address(const char *name, bool *cooperative)
{
  if (!strncmp(name, "::", 2)) name += 2;
  *cooperative = !strcmp(name, "cudaLaunchCooperativeKernel");
  return *cooperative || !strcmp(name, "cudaLaunchKernel");
}

/* The callee's text, with a launch site; NULL: the call stays as it is. */
static const char *replacement(struct codegen *cg, const struct ir_expr *call, const char *kernel)
{
  bool cooperative, by_address = launches_by_address(call->text, &cooperative);
  if (!cg->plan->hooked)
    return by_address && cg->options->target_cpu
               ? arena_format(cg->arena, "mesi_cpu::by_address(%s, %s)", kernel,
                              cooperative ? "true" : "false")
               : NULL;
  *ARENA_PUSH(cg->arena, &cg->addressed) = (struct addressed_site){kernel, call->place};
  unsigned site = cg->site_count++;
  if (!by_address) return arena_format(cg->arena, "mesi_by_config(&%s, %u)", cg->table, site);
  return arena_format(cg->arena, "mesi_by_address(&%s, %u, %s, %s)", cg->table, site, kernel,
                      cooperative ? "true" : "false");
}

static void visit_call(struct ir_expr *expr, void *context)
{
  struct codegen *cg = context;
  const struct ir_expr *kernel = ir_addressed_kernel(expr);
  if (!kernel) return;
  const char *text = cg->unit->files.items[expr->place.file].text;
  struct token name = {TOKEN_NAME, expr->place.begin,
                       expr->place.begin + (unsigned)strlen(expr->text)};
  if (!token_is(text, name, expr->text)) return;
  const char *called = scan_one_line(cg->arena, text, kernel->place.begin, kernel->place.end);
  const char *replaced = called ? replacement(cg, expr, called) : NULL;
  if (replaced) edit_replace(&cg->edits[expr->place.file], name.begin, name.end, replaced);
}

void emit_launches_by_address(struct codegen *cg)
{
  for (unsigned i = 0; i < cg->unit->functions.count; i++) {
    const struct ir_function *function = cg->unit->functions.items[i];
    if (function->body && function->is_host) ir_visit_stmt_exprs(function->body, visit_call, cg);
  }
}

/* ---- the CPU backend's table ---- */

static bool takes_addresses(const struct unit *unit)
{
  static const char *const names[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel",
                                      "cudaLaunchKernelExC"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (name_map_has(&unit->identifiers, names[i])) return true;
  return false;
}

void emit_known_kernels(struct codegen *cg, struct text *out)
{
  if (!cg->options->target_cpu || !takes_addresses(cg->unit)) return;
  for (unsigned i = 0; i < cg->unit->functions.count; i++) {
    const struct ir_function *kernel = cg->unit->functions.items[i];
    if (!kernel->is_kernel || !kernel->has_definition || kernel->is_template ||
        kernel->instance_of || kernel->is_method || function_is_overloaded(cg->unit, kernel) ||
        strchr(kernel->qualified, '('))
      continue;
    const char *name =
        unit_fresh_name(cg->unit, arena_format(cg->arena, "_kernel_%s", kernel->name));
    text_format(out, "static mesi_cpu::known_kernel %s(%s, \"%s\");\n", name, kernel->qualified,
                kernel->qualified);
  }
}
