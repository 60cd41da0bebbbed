/* SPDX-License-Identifier: MIT */
/* turn_axes.c - the axes of a launch in another order.
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x, j = ..y, k = ..z;
 *     if (i < nx && j < ny && k < nz) out[(i * ny + j) * nz + k] = in[(i * ny + j) * nz + k];
 *   =>
 *     int i = blockIdx.z * blockDim.z + threadIdx.z, j = ..y, k = ..x;
 *     if (i < nx && j < ny && k < nz) out[(i * ny + j) * nz + k] = in[(i * ny + j) * nz + k];
 *
 * The threads of a warp are neighbours along x. In the new order they access neighbours. A launch
 * of the code has its blocks and its grid in the same order, so that each thread has its twin; as
 * the code is free of its shape, a mapping gives it blocks of its own, and the launch counts its
 * elements along the new axes (mesi_turn). Requires: code that is free of its shape; an order that
 * the model prefers (turn_model.c). Also takes the ids that flat_ids and block_rows have made,
 * whose elements change their order with them. Produces: code in the new order, whose facts follow,
 * and draft->extents. Gives up: elements of loops or of digits (stride_loops, block_digits).
 */
#include "analysis/transform/turn_axes/turn_axes.h"

#include "analysis/code/renew.h"
#include "analysis/code/shape_free.h"
#include "runtime/seeded.h"

static struct ir_expr *turn_builtin(struct ir_rewriter *r, struct ir_expr *expr)
{
  const int *from = r->context;
  int axis = 0;

  if (expr->kind != IR_EXPR_BUILTIN || expr->value == IR_WARP_SIZE) return NULL;
  if (SEEDED(TURN_SIZES_STAY) && expr->value >= IR_BLOCK_DIM) return NULL;
  while (axis < 2 && from[axis] != expr->value % 3) axis++;
  struct ir_expr *ret =
      ir_build_builtin(r->arena, (enum ir_builtin)(expr->value - expr->value % 3 + axis));
  ret->type = expr->type;
  ret->place = expr->place;
  return ret;
}

static struct ir_expr **turn_all(struct ir_rewriter *r, struct ir_expr *const *from, unsigned count)
{
  struct ir_expr **ret = arena_alloc(r->arena, (count + 1) * sizeof *ret);

  for (unsigned i = 0; i < count; i++) ret[i] = ir_rewrite_expr(r, from[i]);
  return ret;
}

void turn_build(struct code *code, const int from[3])
{
  struct kernel_facts *facts = &code->facts, before = *facts;
  struct ir_rewriter rewriter = {code->arena, turn_builtin, (void *)from};
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, facts->kernel->body);

  code_drop_scan(code);
  facts->context = turn_all(&rewriter, before.context, before.context_count);
  facts->within = turn_all(&rewriter, before.within, before.within_count);
  for (int axis = 0; axis < 3; axis++) {
    facts->block[axis] = before.block[from[axis]];
    facts->grid[axis] = before.grid[from[axis]];
  }
  facts->kernel->body = code_renew_locals(code, body);
}

/* The elements in the new order. */
static struct extents *extents_of(struct arena *arena, const struct extents *before,
                                  const struct turned *turned)
{
  struct extents *ret = ARENA_NEW(arena, struct extents);

  *ret = before ? *before : (struct extents){.permuted = true, .run = turned->run};
  for (int axis = 0; axis < 3; axis++) {
    ret->from[axis] = turned->from[axis];
    if (!before) continue;
    ret->along[axis] = before->along[turned->from[axis]];
    if (before->derived == turned->from[axis] && !SEEDED(TURN_DERIVED_STAYS)) ret->derived = axis;
  }
  ret->regained = turned->gain;
  ret->as_many = true;
  return ret;
}

static bool is_shape_free(struct code *code)
{
  struct remarks unused = {0};
  struct code looked = code_copy(code, &unused);
  const char *reason;
  struct ir_place place;

  bool is = shape_free(&looked, &reason, &place);
  code_finish(&looked);
  return is;
}

bool plan_turn_axes(struct draft *draft)
{
  struct code *code = &draft->code;
  const struct extents *before = draft->extents;
  struct code_kept kept = code_keep(code);
  struct turned turned;

  if (before && (before->given || before->digits[0])) return false;
  if ((!before && draft->way) || !is_shape_free(code)) return false;
  bool found = turn_find(code, &turned);
  draft->kept_axes = turned.reason;
  draft->kept_axes_place = turned.place;
  if (!found) return false;
  turn_build(code, turned.from);
  if (!is_shape_free(code)) {
    code_go_back(code, &kept);
    return false;
  }
  draft->extents = extents_of(code->arena, before, &turned);
  *ARENA_PUSH(code->arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_AXES_TURNED, DIAG_AXES_TURNED, NULL,
                      arena_format(code->arena,
                                   turned.from[0] ? "warps along %c, whose neighbours are "
                                                    "neighbours in memory"
                                                  : "rows of threads along %c in the place of y",
                                   'x' + turned.from[turned.from[0] ? 0 : 1])};
  draft_own_body(draft);
  return true;
}
