/* SPDX-License-Identifier: MIT */
/* powers.c - powers that are short products, in code that is printed.
 *
 *     e += pow(s / r, 12) - pow(s / r, 6);
 *   =>
 *     e += mesi_power<12>(s / r) - mesi_power<6>(s / r);
 *
 * nvcc calls the whole routine for pow(x, 2), which has over 300 instructions for doubles. The
 * functions of mesi_power.h evaluate their argument once. power_text.c has changed the text of most
 * code before; here are the calls that it leaves: in instances of templates, in macros, in bodies
 * of __host__ __device__ functions that stand in the place of their calls. Requires: results may be
 * rounded in another way (-O3). Produces: a body that gains by itself. Gives up: power_find.c.
 */
#include "analysis/transform/powers/powers.h"

#include "analysis/code/renew.h"

struct rewriting {
  struct draft *draft;
  unsigned count;
};

static struct ir_expr *made_power(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct rewriting *w = r->context;
  struct power power;
  const char *why;

  if (!power_find(r->arena, expr, &power, &why)) return NULL;
  w->count++;
  return power_build(r->arena, &power, expr, ir_rewrite_expr(r, expr->operands[power.operand]));
}

bool plan_powers(struct draft *draft)
{
  struct code *code = &draft->code;
  struct rewriting w = {.draft = draft};
  struct ir_rewriter rewriter = {code->arena, made_power, &w};

  if (!code->reorders) return false;
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, code->facts.kernel->body);
  if (!w.count) return false;
  code_drop_scan(code);
  code->facts.kernel->body = code_renew_locals(code, body);
  *ARENA_PUSH(code->arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_POWERS_MADE, DIAG_POWERS_MADE, NULL,
                      "short products in the place of powers"};
  draft->alone = true;
  draft_own_body(draft);
  return true;
}
