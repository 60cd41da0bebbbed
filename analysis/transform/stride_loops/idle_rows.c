/* SPDX-License-Identifier: MIT */
/* idle_rows.c - rows of threads that all do what the first one does.
 *
 *     dim3 block(32, 8);                                   y = 0 for all that the kernel knows
 *     int j = blockIdx.x * blockDim.x + threadIdx.x;
 *     for (int i = 0; i < n; i++) s += a[i * n + j]; y[j] = s;
 *   =>
 *     one row: as many elements as threads along x
 *
 * Threads with one id along x read and write the same. They write the same values, or the program
 * has a race. Requires: no index along y or z, no size along them, no atomic operation; a block of
 * more than one row. Produces: draft->extents, and facts of one row. */
#include "analysis/code/shape_free.h"
#include "analysis/transform/stride_loops/stride_loops.h"
#include "runtime/seeded.h"

static void note_other_axis(struct ir_expr *expr, void *context)
{
  *(bool *)context |=
      expr->kind == IR_EXPR_BUILTIN && expr->value != IR_WARP_SIZE && expr->value % 3 != 0;
}

static void note_effect(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_CALL && expr->effect == IR_EFFECT_ATOMIC;
}

static bool does_the_same(struct code *code)
{
  const struct kernel_access *access = &code->access;
  struct ir_stmt *body = code->facts.kernel->body;
  bool names = false, adds = false;

  ir_visit_stmt_exprs(body, note_other_axis, &names);
  if (names) return false;
  ir_visit_stmt_exprs(body, note_effect, &adds);
  code_scan(code);
  adds |= access->atomics.count > 0;
  bool followed = !access->unknown_read && !access->unknown_write && !access->lost.count &&
                  !code_exhausted(code);
  code_drop_scan(code);
  return followed && (!adds || SEEDED(IDLE_ROWS_ADD));
}

bool idle_rows_form(struct code *code, struct extents *ret)
{
  struct kernel_facts *facts = &code->facts;
  const struct stride_nest none = {.count = 0};
  int64_t along = facts->grid[0];

  if (facts->block[0] <= 0 || facts->block[1] <= 1 || facts->block[2] > 1 || facts->grid[1] > 1 ||
      facts->grid[2] > 1 || !facts->repeatable || facts->within_count || !does_the_same(code))
    return false;
  *ret = (struct extents){.given = true};
  ret->along[1] = ir_build_int(code->arena, 1);
  stride_follow_facts(code, &none);
  facts->block[1] = facts->grid[1] = 1;
  facts->grid[0] = along;
  return true;
}
