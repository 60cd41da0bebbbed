/* SPDX-License-Identifier: MIT */
/* block_digits.c - a block in a row whose threads take their number apart becomes a block with rows
 * of threads.
 *
 *     int row = blockIdx.x * 32 + threadIdx.x / 32;           blocks of 1024 threads
 *     int col = blockIdx.y * 32 + threadIdx.x % 32;
 *   =>
 *     int row = blockIdx.y * 32 + threadIdx.y;                blocks of 32 x 32 threads
 *     int col = blockIdx.x * 32 + threadIdx.x;
 *
 * The remainder becomes the index along x, the quotient the index along y, and the number itself
 * threadIdx.y * 32 + threadIdx.x. The block's indices are swapped if a sum adds the remainder to
 * blockIdx.y. The launch stays in its own shape unless a mapping takes the code: its elements are
 * then counted along the new axes (mesi_digits), which the launch asks of its shape.
 * Requires: blocks of a constant number of threads along x alone; one divisor, a constant that
 * divides that number; the launch's values can be computed twice. Produces: code in the new axes,
 * whose facts follow, and draft->extents. Gives up: another divisor; as a row, code that is not
 * free of its shape then.
 */
#include "analysis/transform/block_digits/block_digits.h"

#include "analysis/code/polynomial.h"
#include "analysis/code/renew.h"
#include "analysis/code/shape_free.h"
#include "analysis/transform/global_ids/global_ids.h"

struct splitting {
  struct code *code;
  int64_t width; /* 0: no divisor so far */
  bool failed;
};

/* ---- find ---- */

static bool is_thread(struct code *code, struct ir_expr *expr)
{
  expr = code_resolve(code, expr);
  if (!expr) return false;
  while ((expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_CAST ||
          expr->kind == IR_EXPR_PAREN) &&
         expr->operand_count == 1 && expr->type->kind == IR_TYPE_INT && expr->type->size >= 4)
    expr = expr->operands[0];
  return expr->kind == IR_EXPR_BUILTIN && expr->value == IR_THREAD_IDX;
}

/* The number by which the expression divides the thread's number. *digit: 0 for the remainder, 1
 * for the quotient. 0: it is another expression. */
static int64_t divisor_of(struct code *code, const struct ir_expr *expr, int *digit)
{
  int64_t by;

  if (expr->kind != IR_EXPR_BINARY || expr->type->kind != IR_TYPE_INT ||
      !code_constant(code, expr->operands[1], &by) || by < 1 || by > 1 << 20 ||
      !is_thread(code, expr->operands[0]))
    return 0;
  *digit = expr->op == IR_OP_DIV || expr->op == IR_OP_SHR;
  switch (expr->op) {
  case IR_OP_DIV:
  case IR_OP_REM: return by;
  case IR_OP_SHR: return by < 20 ? INT64_C(1) << by : 0;
  case IR_OP_AND: return by & (by + 1) ? 0 : by + 1;
  default: return 0;
  }
}

static void note_divisor(struct ir_expr *expr, void *context)
{
  struct splitting *s = context;
  int digit;
  int64_t width = divisor_of(s->code, expr, &digit);

  if (!width) return;
  s->failed |= s->width && s->width != width;
  s->width = width;
}

static bool find_width(struct splitting *s)
{
  const struct kernel_facts *facts = &s->code->facts;
  int64_t size = facts->block[0];

  if (size < 4 || facts->block[1] != 1 || facts->block[2] != 1 || !facts->repeatable) return false;
  ir_visit_stmt_exprs(facts->kernel->body, note_divisor, s);
  return !s->failed && s->width > 1 && s->width < size && size % s->width == 0;
}

/* ---- build ---- */

static struct ir_expr *typed(struct arena *arena, const struct ir_type *type, struct ir_expr *expr)
{
  return ir_same_type(expr->type, type) ? expr
                                        : ir_build_cast(arena, ir_plain_type(arena, type), expr);
}

static struct ir_expr *number_of_thread(struct arena *arena, int64_t width)
{
  struct ir_expr *y = ir_build_builtin(arena, IR_THREAD_IDX + 1),
                 *row = ir_build_binary(arena, IR_OP_MUL, y, ir_build_int(arena, width));

  row->type = y->type;
  struct ir_expr *sum =
      ir_build_binary(arena, IR_OP_ADD, row, ir_build_builtin(arena, IR_THREAD_IDX));
  sum->type = y->type;
  return sum;
}

static struct ir_expr *replace_digit(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct splitting *s = r->context;
  int digit;

  if (divisor_of(s->code, expr, &digit)) {
    return typed(r->arena, expr->type, ir_build_builtin(r->arena, IR_THREAD_IDX + digit));
  }
  if (expr->kind != IR_EXPR_BUILTIN || expr->value == IR_WARP_SIZE) return NULL;
  if (expr->value == IR_THREAD_IDX)
    return typed(r->arena, expr->type, number_of_thread(r->arena, s->width));
  if (expr->value < IR_BLOCK_IDX) return typed(r->arena, expr->type, ir_build_int(r->arena, 0));
  if (expr->value < IR_BLOCK_DIM || expr->value >= IR_GRID_DIM) return NULL;
  return typed(r->arena, expr->type,
               ir_build_int(r->arena, s->code->facts.block[expr->value - IR_BLOCK_DIM]));
}

/* Rewrites the code, and the conditions that its launch has checked. */
static void rewrite_all(struct code *code, struct ir_rewriter *rewriter)
{
  struct kernel_facts *facts = &code->facts;
  struct ir_expr **context = arena_alloc(code->arena, (facts->context_count + 1) * sizeof *context);
  struct ir_stmt *body = ir_rewrite_stmt(rewriter, facts->kernel->body);

  for (unsigned i = 0; i < facts->context_count; i++)
    context[i] = ir_rewrite_expr(rewriter, facts->context[i]);
  facts->context = context;
  code_drop_scan(code);
  facts->kernel->body = code_renew_locals(code, body);
}

bool block_digits_split(struct code *code, struct extents *ret)
{
  struct splitting s = {.code = code};
  struct ir_rewriter rewriter = {code->arena, replace_digit, &s};

  if (!find_width(&s)) return false;
  int64_t size = code->facts.block[0];
  rewrite_all(code, &rewriter);
  *ret = (struct extents){.digits = {s.width, size / s.width}};
  code->facts.block[0] = ret->digits[0];
  code->facts.block[1] = ret->digits[1];
  return true;
}

/* ---- which way the blocks lie ---- */

struct votes {
  struct code *code;
  int64_t width;
  bool straight, turned; /* a sum shows it */
};

/* The factor of the builtin in the terms of `p` where it is one constant; 0: it is not. */
static int64_t constant_factor(const struct polynomial *p, enum ir_builtin builtin)
{
  int64_t ret = 0;

  for (unsigned i = 0; p->known && i < p->count; i++)
    if (p->terms[i].factor_count == 1 && p->terms[i].factors[0]->kind == IR_EXPR_BUILTIN &&
        p->terms[i].factors[0]->value == builtin)
      ret = p->terms[i].coefficient;
  return ret;
}

static void note_sum(struct ir_expr *expr, void *context)
{
  struct votes *v = context;

  if (expr->kind != IR_EXPR_BINARY || expr->op != IR_OP_ADD || expr->type->kind != IR_TYPE_INT)
    return;
  struct ir_expr *resolved = code_resolve(v->code, expr);
  struct polynomial p = resolved ? polynomial_of(resolved) : (struct polynomial){0};
  int64_t thread = constant_factor(&p, IR_THREAD_IDX);
  if (thread <= 0 || thread > 1 << 20) return;
  v->straight |= constant_factor(&p, IR_BLOCK_IDX) == thread * v->width;
  v->turned |= constant_factor(&p, IR_BLOCK_IDX + 1) == thread * v->width;
}

static int other_axis(const struct ir_expr *expr)
{
  bool is = expr->kind == IR_EXPR_BUILTIN &&
            ((expr->value >= IR_BLOCK_IDX && expr->value < IR_BLOCK_DIM) ||
             (expr->value >= IR_GRID_DIM && expr->value < IR_WARP_SIZE));
  int axis = is ? (int)expr->value % 3 : 2;

  return axis == 2 ? -1 : (int)expr->value + (axis ? -1 : 1);
}

static struct ir_expr *swap_axis(struct ir_rewriter *r, struct ir_expr *expr)
{
  int other = other_axis(expr);

  return other < 0 ? NULL : typed(r->arena, expr->type, ir_build_builtin(r->arena, other));
}

void block_digits_turn(struct code *code, struct extents *extents)
{
  struct votes v = {code, extents->digits[0], false, false};
  struct ir_rewriter rewriter = {code->arena, swap_axis, NULL};
  int64_t *grid = code->facts.grid, along_x = grid[0];

  ir_visit_stmt_exprs(code->facts.kernel->body, note_sum, &v);
  if (!v.turned || v.straight) return;
  rewrite_all(code, &rewriter);
  grid[0] = grid[1];
  grid[1] = along_x;
  extents->turned = true;
}

/* ---- back ---- */

static struct ir_expr *replace_axis(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct extents *extents = r->context;
  int other = extents->turned ? other_axis(expr) : -1, axis = (int)expr->value % 3;

  if (expr->kind != IR_EXPR_BUILTIN || axis == 2) return NULL;
  if (other >= 0) return typed(r->arena, expr->type, ir_build_builtin(r->arena, other));
  if (expr->value >= IR_BLOCK_DIM && expr->value < IR_GRID_DIM)
    return typed(r->arena, expr->type, ir_build_int(r->arena, extents->digits[axis]));
  if (expr->value >= IR_BLOCK_IDX) return NULL;
  struct ir_expr *thread = ir_build_builtin(r->arena, IR_THREAD_IDX),
                 *ret = ir_build_binary(r->arena, axis ? IR_OP_DIV : IR_OP_REM, thread,
                                        ir_build_int(r->arena, extents->digits[0]));
  ret->type = thread->type;
  return ret;
}

struct ir_expr *block_digits_written(struct arena *arena, const struct extents *extents,
                                     struct ir_expr *expr)
{
  struct ir_rewriter rewriter = {arena, replace_axis, (void *)extents};

  return ir_rewrite_expr(&rewriter, expr);
}

/* ---- the row ---- */

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

bool plan_block_digits(struct draft *draft)
{
  struct code *code = &draft->code;
  struct code_kept before = code_keep(code);
  struct extents *extents = ARENA_NEW(code->arena, struct extents);

  if (draft->way || !block_digits_split(code, extents)) return false;
  block_digits_turn(code, extents);
  code->facts.kernel->body = code_without_unused(code->arena, code->facts.kernel->body);
  if (!is_shape_free(code) && !plan_global_ids(draft)) {
    code_go_back(code, &before);
    return false;
  }
  draft->extents = extents;
  *ARENA_PUSH(code->arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_BLOCK_DIGITS, DIAG_BLOCK_DIGITS, NULL,
                      "rows of threads in the place of a block in a row"};
  draft_own_body(draft);
  return true;
}
