/* SPDX-License-Identifier: MIT */
/* round_pairs.c - of sums of two products, the one that nvcc rounds is rounded in any case.
 *
 *     im += x.x * y.y + x.y * y.x;     =>     im += x.x * y.y + __fmul_rn(x.y, y.x);
 *
 * Which one nvcc rounds depends on the order of the loads (rounding_rank.h). The rows below load in
 * another order, or from elsewhere. Found here, where all loads are as written. Requires: a body
 * with its calls in place. Produces: a body that rounds the same in any order of loads. Gives up:
 * sums may be rounded in another way (-O3), sums whose order is not known.
 */
#include "analysis/transform/round_pairs/round_pairs.h"

#include "analysis/code/renew.h"
#include "analysis/code/rounding_pin.h"
#include "runtime/seeded.h"

bool plan_round_pairs(struct draft *draft)
{
  struct code *code = &draft->code;
  struct ir_stmt *body = code->facts.kernel->body, *pinned = rounding_pin_pairs(code, body);

  if (pinned == body || SEEDED(PAIRS_ROUNDED_LATE)) return false;
  code_drop_scan(code);
  code->facts.kernel->body = code_renew_locals(code, pinned);
  *ARENA_PUSH(code->arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_PAIRS_ROUNDED, DIAG_PAIRS_ROUNDED, NULL,
                      "the product of a sum rounded that nvcc rounds"};
  draft_own_body(draft);
  return true;
}
