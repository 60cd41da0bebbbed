/* SPDX-License-Identifier: MIT */
/* block_rows.c - a row a block becomes rows of threads.
 *
 *     int row = blockIdx.x, col = threadIdx.x;               rows blocks of n threads
 *     out[row * n + col] = in[row * n + col] * f[row];
 *   =>
 *     int row = blockIdx.y * blockDim.y + threadIdx.y;        n x rows elements
 *     int col = blockIdx.x * blockDim.x + threadIdx.x;
 *
 * The number of a thread in its block becomes the id along x, the block's number the id along y.
 * The launch's block says how many elements there are along x, its grid how many along y:
 * blockDim.x and gridDim.x become these numbers. The launch computes them (mesi_extents), and takes
 * the kernel as written where its grid or its block has more than one dimension. Requires: threads
 * and blocks along x; the launch's values can be computed twice. Produces: code in the new ids,
 * whose facts follow, and draft->extents. Gives up: code that is free of its shape as it is, or is
 * not then; an index of a block or of a thread that the code does not use.
 */
#include "analysis/transform/block_rows/block_rows.h"

#include "analysis/code/renew.h"
#include "analysis/code/shape_free.h"
#include "runtime/seeded.h"

/* ---- find ---- */

struct uses {
  bool thread, block;
};

static void note_use(struct ir_expr *expr, void *context)
{
  struct uses *uses = context;

  if (expr->kind != IR_EXPR_BUILTIN) return;
  uses->thread |= expr->value == IR_THREAD_IDX;
  uses->block |= expr->value == IR_BLOCK_IDX;
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

bool block_rows_may(struct code *code)
{
  const struct kernel_facts *facts = &code->facts;
  struct uses uses = {false, false};

  for (int axis = 1; axis < 3; axis++)
    if (facts->block[axis] > 1 || facts->grid[axis] > 1) return false;
  if (!facts->repeatable || facts->block[0] == 1) return false;
  ir_visit_stmt_exprs(facts->kernel->body, note_use, &uses);
  return uses.thread && uses.block && !is_shape_free(code);
}

/* ---- build ---- */

/* An id along the axis, unsigned as its parts. */
static struct ir_expr *id_along(struct arena *arena, int axis)
{
  struct ir_expr *block = ir_build_builtin(arena, IR_BLOCK_IDX + axis),
                 *first = ir_build_binary(arena, IR_OP_MUL, block,
                                          ir_build_builtin(arena, IR_BLOCK_DIM + axis));

  first->type = block->type;
  struct ir_expr *id =
      ir_build_binary(arena, IR_OP_ADD, first, ir_build_builtin(arena, IR_THREAD_IDX + axis));
  id->type = block->type;
  return id;
}

/* The elements along the axis, as code of the new shape has them; `known`: their number, if it is
 * above 0. */
static struct ir_expr *total_along(struct arena *arena, int axis, int64_t known)
{
  struct ir_expr *grid = ir_build_builtin(arena, IR_GRID_DIM + axis);

  if (known > 0) return ir_build_int(arena, known);
  struct ir_expr *total =
      ir_build_binary(arena, IR_OP_MUL, grid, ir_build_builtin(arena, IR_BLOCK_DIM + axis));
  total->type = grid->type;
  return total;
}

static struct ir_expr *in_rows(struct code *code, enum ir_builtin builtin)
{
  struct arena *arena = code->arena;
  const struct kernel_facts *facts = &code->facts;
  bool size = builtin >= IR_BLOCK_DIM;

  switch (builtin) {
  case IR_THREAD_IDX: return id_along(arena, 0);
  case IR_BLOCK_IDX: return id_along(arena, 1);
  case IR_BLOCK_DIM: return total_along(arena, 0, facts->block[0]);
  case IR_GRID_DIM: return total_along(arena, SEEDED(ROWS_OF_BLOCK) ? 0 : 1, facts->grid[0]);
  default: return ir_build_int(arena, size);
  }
}

static struct ir_expr *replace_index(struct ir_rewriter *r, struct ir_expr *expr)
{
  if (expr->kind != IR_EXPR_BUILTIN || expr->value == IR_WARP_SIZE) return NULL;
  struct ir_expr *ret = in_rows(r->context, (enum ir_builtin)expr->value);
  if (!ir_same_type(ret->type, expr->type))
    ret = ir_build_cast(r->arena, ir_plain_type(r->arena, expr->type), ret);
  ret->place = expr->place;
  return ret;
}

static void note_builtin(struct ir_expr *expr, void *context)
{
  *(bool *)context |= expr->kind == IR_EXPR_BUILTIN && expr->value != IR_WARP_SIZE;
}

/* Conditions that name the launch's shape have no meaning for the new ids. */
static void follow_facts(struct code *code)
{
  struct kernel_facts *facts = &code->facts;
  struct ir_expr **context = arena_alloc(code->arena, (facts->context_count + 1) * sizeof *context);
  unsigned count = 0;

  for (unsigned i = 0; i < facts->context_count; i++) {
    bool shape = false;
    ir_visit_expr(facts->context[i], note_builtin, &shape);
    if (!shape) context[count++] = facts->context[i];
  }
  facts->context = context;
  facts->context_count = count;
  facts->block[1] = facts->block[2] = facts->grid[2] = 1;
  facts->grid[0] = facts->grid[1] = -1;
  facts->layers_apart = true;
}

bool plan_block_rows(struct draft *draft)
{
  static const struct ir_type wide = {
      .kind = IR_TYPE_INT, .spelling = "long long", .size = 8, .align = 8, .is_signed = true};
  struct code *code = &draft->code;
  struct arena *arena = code->arena;
  struct code_kept before = code_keep(code);
  struct ir_rewriter rewriter = {arena, replace_index, code};

  if (draft->way || !block_rows_may(code)) return false;
  struct ir_stmt *rows = ir_rewrite_stmt(&rewriter, before.kernel.body);
  code_drop_scan(code);
  code->facts.kernel->body = code_renew_locals(code, rows);
  follow_facts(code);
  if (!is_shape_free(code)) {
    code_go_back(code, &before);
    return false;
  }
  struct extents *extents = ARENA_NEW(arena, struct extents);
  *extents = (struct extents){.derived = 1};
  extents->along[0] = ir_build_cast(arena, &wide, ir_build_builtin(arena, IR_BLOCK_DIM));
  draft->extents = extents;
  *ARENA_PUSH(arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_BLOCK_ROWS, DIAG_BLOCK_ROWS, NULL,
                      "an id along each axis in the place of a row a block"};
  draft_own_body(draft);
  return true;
}
