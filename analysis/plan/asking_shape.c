/* SPDX-License-Identifier: MIT */
/* asking_shape.c - the conditions that a launch checks about the shape of its blocks and its grid.
 *
 *     void go(dim3 grid, dim3 block) { f<<<grid, block>>>(...); }     =>     block.z == 1?
 *     i = blockIdx.x * 256 + threadIdx.x                              =>     block.x == 256?
 *     i = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + ...    =>     grid.y == 1?
 *     void go(dim3 grid) { f<<<grid, 128>>>(...); } without y and z   =>     grid.y == grid.z == 1?
 *
 * Where the host's code does not tell the shape, the kernel's code does: it is the shape for which
 * the kernel's indices are ids of the whole grid. Threads that differ only along an axis that the
 * kernel and its callees never name do the same, so that launches have one layer of them. Requires:
 * facts of the launch as written. Produces: the facts of launches with that shape. Gives up on an
 * axis for which the kernel names several sizes.
 */
#include "analysis/plan/asking.h"

#include "analysis/code/shape_free.h"
#include "analysis/code/shape_linear.h"
#include "analysis/transform/product24/product24.h"

#include "runtime/seeded.h"

enum { MOST_BLOCK = 1024 /* threads of a block */, MOST_CALLS = 16 /* one in the other */ };

struct shape_search {
  int64_t size[2];  /* the factor of blockIdx; 0: none; -1: several numbers */
  bool thread[3];   /* threadIdx is named */
  bool other_block; /* blockIdx.y times gridDim.x */
};

/* 0, 1, 2: the axis of the builtin that the expression is; -1: it is none. */
static int axis_of(struct ir_expr *expr, enum ir_builtin first)
{
  expr = linear_bare(expr);
  bool is = expr->kind == IR_EXPR_BUILTIN && expr->value >= (int64_t)first &&
            expr->value < (int64_t)first + 3;
  return is ? (int)(expr->value - (int64_t)first) : -1;
}

static void note_size(struct shape_search *s, int axis, int64_t size)
{
  if (axis < 0 || axis > 1) return;
  s->size[axis] = !s->size[axis] || s->size[axis] == size ? size : -1;
}

static void note_product(struct shape_search *s, struct ir_expr *a, struct ir_expr *b, bool shift)
{
  int64_t number;
  int axis = axis_of(a, IR_BLOCK_IDX);

  s->other_block |= !shift && axis == 1 && axis_of(b, IR_GRID_DIM) == 0;
  if (axis < 0 || !ir_constant(b, &number) || number < (shift ? 1 : 2) ||
      number > (shift ? 10 : MOST_BLOCK))
    return;
  note_size(s, axis, shift ? INT64_C(1) << number : number);
}

static void note_index(struct ir_expr *expr, void *context)
{
  struct shape_search *s = context;
  int thread = axis_of(expr, IR_THREAD_IDX);

  if (thread >= 0) s->thread[thread] = true;
  bool product = product24_is(expr);
  if ((expr->kind != IR_EXPR_BINARY && !product) || expr->operand_count != 2) return;
  if (product || expr->op == IR_OP_MUL) {
    note_product(s, expr->operands[0], expr->operands[1], false);
    note_product(s, expr->operands[1], expr->operands[0], false);
  }
  if (!product && expr->op == IR_OP_SHL)
    note_product(s, expr->operands[0], expr->operands[1], true);
}

static struct ir_expr *is(struct arena *arena, enum ir_builtin builtin, int64_t value)
{
  struct ir_expr *size = ir_build_cast(arena, ir_int_type(), ir_build_builtin(arena, builtin));
  return ir_build_binary(arena, IR_OP_EQ, size, ir_build_int(arena, value));
}

struct ir_expr *asking_shape(struct unit *unit, struct kernel_facts *facts)
{
  struct arena *arena = unit->arena;
  struct shape_search s = {0};
  struct ir_expr *all = NULL;

  ir_visit_stmt_exprs(facts->kernel->body, note_index, &s);
  if (facts->block[2] < 0 && !s.thread[2]) {
    facts->block[2] = 1;
    all = is(arena, IR_BLOCK_DIM + 2, 1);
  }
  for (int axis = 0; axis < 2; axis++) {
    if (facts->block[axis] >= 0 || s.size[axis] <= 0 || !s.thread[axis]) continue;
    facts->block[axis] = s.size[axis];
    all = ir_build_both(arena, all, is(arena, IR_BLOCK_DIM + axis, s.size[axis]));
  }
  if (s.other_block && facts->grid[1] < 0) {
    facts->grid[1] = 1;
    all = ir_build_both(arena, all, is(arena, IR_GRID_DIM + 1, 1));
  }
  return SEEDED(SHAPE_UNASKED) && all ? ir_build_int(arena, 1) : all;
}

/* ---- layers ---- */

struct axis_search {
  unsigned depth; /* of calls */
  bool named[3];  /* an index or a size along the axis is named, or may be */
};

static void note_axis(struct ir_expr *expr, void *context)
{
  struct axis_search *s = context;

  if (expr->kind == IR_EXPR_BUILTIN && expr->value != IR_WARP_SIZE)
    s->named[expr->value % 3] = true;
  if (expr->kind != IR_EXPR_CALL) return;
  struct ir_stmt *body = expr->effect == IR_EFFECT_CALLEE ? expr->callee->body : NULL;
  bool unseen = expr->effect == IR_EFFECT_UNKNOWN || (expr->effect == IR_EFFECT_CALLEE && !body);
  if (unseen || (body && s->depth == MOST_CALLS)) {
    s->named[1] = s->named[2] = true;
  } else if (body) {
    s->depth++;
    ir_visit_stmt_exprs(body, note_axis, s);
    s->depth--;
  }
}

struct ir_expr *asking_layers(struct unit *unit, struct kernel_facts *facts)
{
  struct arena *arena = unit->arena;
  struct axis_search s = {0};
  struct ir_expr *all = NULL;

  if (facts->grid[1] >= 0 && facts->grid[2] >= 0) return NULL;
  ir_visit_stmt_exprs(facts->kernel->body, note_axis, &s);
  for (int axis = 1; axis < 3; axis++) {
    if (facts->grid[axis] >= 0 || s.named[axis]) continue;
    facts->grid[axis] = 1;
    all = ir_build_both(arena, all, is(arena, IR_GRID_DIM + axis, 1));
  }
  return SEEDED(LAYERS_UNASKED) && all ? ir_build_int(arena, 1) : all;
}
