/* SPDX-License-Identifier: MIT */
/* untile_walk.c - the form that the tiles are looked for in: indices of the kernel's parameters.
 *
 *     A += blockIdx.y * 32 * n;                       for (t = 0; t < n; t += 32) {
 *     for (t = 0; t < n; t += 32) {                     a[ty][tx] = A[blockIdx.y * 32 * n + t +
 *       a[ty][tx] = A[ty * n + tx];              =>                   ty * n + tx];
 *       __syncthreads();                                __syncthreads();
 *       A += 32;                                        ...
 *       ...                                           }
 *
 * A pointer that the loop steps becomes an expression of the iterator (loop_forms), and threads of
 * a block in a row get two axes (block_digits). Then every index of an array behind a parameter is
 * one polynomial of type int. Its value is that of the index as written: the launch has checked
 * that sizes and ids are so small that no sum or product leaves an int (asking.c, untile_ask).
 * Gives up for an index without such bounds, which stays as it is.
 */
#include "analysis/transform/untile/untile_parts.h"

#include "analysis/code/renew.h"
#include "analysis/transform/block_digits/block_digits.h"
#include "analysis/transform/loop_forms/loop_forms.h"

enum { MOST_DEPTH = 4 };

/* ---- bounds ---- */

struct bounds {
  bool known;
  int64_t low, high;
};

static struct bounds bounds_of(struct code *, const struct polynomial *, unsigned depth);

/* The threads of a block along the axis, or along any: a block's rows may lie either way. */
static int64_t threads_of(const struct code *code, int axis)
{
  const int64_t *block = code->facts.block;

  (void)axis;
  return block[0] > block[1] ? block[0] : block[1];
}

/* gridDim.axis * threads <= UNTILE_SMALL */
static struct ir_expr *small_grid(struct code *code, int axis)
{
  struct arena *arena = code->arena;
  static const struct ir_type wide = {.kind = IR_TYPE_INT,
                                      .spelling = "long long",
                                      .size = 8,
                                      .align = 8,
                                      .is_signed = true,
                                      .extent = -1};
  struct ir_expr *grid = ir_build_cast(arena, &wide, ir_build_builtin(arena, IR_GRID_DIM + axis)),
                 *all = ir_build_binary(arena, IR_OP_MUL, grid,
                                        ir_build_int(arena, threads_of(code, axis)));

  all->type = &wide;
  return ir_build_binary(arena, IR_OP_LE, all, ir_build_int(arena, UNTILE_SMALL));
}

static struct bounds of_builtin(struct code *code, enum ir_builtin builtin)
{
  int axis = (int)builtin % 3;
  int64_t block = code->facts.block[axis], grid = code->facts.grid[axis];

  if (builtin < IR_BLOCK_IDX) return (struct bounds){block > 0, 0, block - 1};
  if (builtin >= IR_BLOCK_DIM || block < 1) return (struct bounds){0};
  if (grid > 0) return (struct bounds){true, 0, grid - 1};
  bool asked = code_granted(code, small_grid(code, axis));
  return (struct bounds){asked, 0, UNTILE_SMALL / threads_of(code, axis) - 1};
}

static struct bounds of_param(const struct code *code, const struct ir_var *var)
{
  const struct ir_function *kernel = code->facts.kernel;

  for (unsigned i = 0; i < kernel->param_count && code->facts.scalars; i++) {
    const struct scalar_fact *fact = &code->facts.scalars[i];
    if (kernel->params[i] != var || var->write_count || var->address_taken) continue;
    if (fact->known) return (struct bounds){true, fact->value, fact->value};
    return (struct bounds){fact->bounded, fact->low, fact->high};
  }
  return (struct bounds){0};
}

/* The values of an iterator inside its loop. */
static struct bounds of_iterator(struct code *code, const struct ir_var *var, unsigned depth)
{
  const struct ir_loop *loop = untile_loop_of(code, var);
  struct ir_expr *lower, *bound;

  if (!loop || !loop->lower || loop->step_expr || loop->step <= 0 || depth == MOST_DEPTH ||
      (loop->relation != IR_OP_LT && loop->relation != IR_OP_LE))
    return (struct bounds){0};
  lower = code_resolve(code, loop->lower);
  bound = code_resolve(code, loop->bound);
  if (!lower || !bound) return (struct bounds){0};
  struct polynomial first = polynomial_of(lower), end = polynomial_of(bound);
  struct bounds low = bounds_of(code, &first, depth + 1), high = bounds_of(code, &end, depth + 1);
  return (struct bounds){low.known && high.known, low.low,
                         high.high - (loop->relation == IR_OP_LT)};
}

static struct bounds of_factor(struct code *code, const struct ir_expr *expr, unsigned depth)
{
  int64_t by;

  if (expr->kind == IR_EXPR_BUILTIN && expr->value != IR_WARP_SIZE)
    return of_builtin(code, expr->value);
  if (expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_DIV &&
      ir_constant(expr->operands[1], &by) && by > 0 && depth < MOST_DEPTH) {
    struct polynomial p = polynomial_of(expr->operands[0]);
    struct bounds of = bounds_of(code, &p, depth + 1);
    return (struct bounds){of.known && of.low >= 0, of.low / by, of.high / by};
  }
  if (expr->kind != IR_EXPR_VAR) return (struct bounds){0};
  return expr->var->kind == IR_VAR_PARAM   ? of_param(code, expr->var)
         : expr->var->kind == IR_VAR_LOCAL ? of_iterator(code, expr->var, depth)
                                           : (struct bounds){0};
}

/* Of the sum; each factor is at least 0. */
static struct bounds bounds_of(struct code *code, const struct polynomial *p, unsigned depth)
{
  struct bounds sum = {.known = p->known};

  for (unsigned i = 0; i < p->count && sum.known; i++) {
    const struct polynomial_term *term = &p->terms[i];
    int64_t low = term->coefficient, high = low;
    bool wraps = false;
    for (unsigned k = 0; k < term->factor_count && sum.known; k++) {
      struct bounds of = of_factor(code, term->factors[k], depth);
      sum.known &= of.known && of.low >= 0;
      if (of.high < of.low) of.high = of.low; /* no iteration */
      bool minus = term->coefficient < 0;
      wraps |= __builtin_mul_overflow(low, minus ? of.high : of.low, &low);
      wraps |= __builtin_mul_overflow(high, minus ? of.low : of.high, &high);
    }
    wraps |= __builtin_add_overflow(sum.low, low, &sum.low);
    wraps |= __builtin_add_overflow(sum.high, high, &sum.high);
    sum.known &= !wraps;
  }
  return sum;
}

/* Is each value of the polynomial at least 0, and one of an int? */
static bool is_small(struct code *code, const struct polynomial *p)
{
  struct bounds b = bounds_of(code, p, 0);

  return b.known && b.low >= 0 && b.high <= INT32_MAX;
}

/* ---- indices of parameters ---- */

static bool is_number(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT && type->size >= 4;
}

/* Adds what is added to a parameter's pointer; returns the parameter. NULL: it is another pointer,
 * or a number that is added has no bounds. */
static struct ir_expr *base_of(struct code *code, struct ir_expr *expr, struct polynomial *ret)
{
  while ((expr->kind == IR_EXPR_PAREN || expr->kind == IR_EXPR_CAST ||
          expr->kind == IR_EXPR_CONVERT) &&
         expr->operand_count == 1 && expr->type->kind == IR_TYPE_POINTER &&
         expr->operands[0]->type->kind == IR_TYPE_POINTER &&
         ir_same_type(ir_plain_type(code->arena, expr->type->element),
                      ir_plain_type(code->arena, expr->operands[0]->type->element)))
    expr = expr->operands[0];
  if (expr->kind == IR_EXPR_VAR)
    return expr->var->kind == IR_VAR_PARAM && !expr->var->write_count ? expr : NULL;
  if (expr->kind != IR_EXPR_BINARY || expr->op != IR_OP_ADD) return NULL;
  bool first = expr->operands[0]->type->kind == IR_TYPE_POINTER;
  struct ir_expr *number = expr->operands[first ? 1 : 0];
  if (!is_number(number->type)) return NULL;
  struct polynomial by = polynomial_of(number);
  if (!is_small(code, &by)) return NULL;
  *ret = polynomial_sum(ret, &by, 1);
  return base_of(code, expr->operands[first ? 0 : 1], ret);
}

static struct ir_expr *index_of_param(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct code *code = r->context;

  if (expr->kind != IR_EXPR_INDEX || expr->operands[0]->type->kind != IR_TYPE_POINTER ||
      !is_number(expr->operands[1]->type))
    return NULL;
  struct ir_expr *pointer = code_resolve(code, expr->operands[0]),
                 *index = code_resolve(code, expr->operands[1]);
  struct polynomial p = index ? polynomial_of(index) : (struct polynomial){0};
  if (!pointer || !is_small(code, &p)) return NULL;
  struct ir_expr *base = base_of(code, pointer, &p);
  if (!base || !is_small(code, &p)) return NULL;
  struct ir_expr *copy = ARENA_NEW(r->arena, struct ir_expr);
  *copy = *expr;
  copy->operands = arena_alloc(r->arena, 2 * sizeof *copy->operands);
  copy->operands[0] = base;
  copy->operands[1] = polynomial_expr(r->arena, &p);
  return copy;
}

/* ---- all ---- */

static bool note_pointer(struct ir_stmt *stmt, void *context)
{
  const struct ir_type *type = stmt->kind == IR_STMT_DECL ? stmt->var->type : NULL;

  *(bool *)context |= type && type->kind == IR_TYPE_POINTER && stmt->expr;
  return true;
}

static void note_unsigned(struct ir_expr *expr, void *context)
{
  const struct ir_type *index = expr->kind == IR_EXPR_INDEX ? expr->operands[1]->type : NULL;

  *(bool *)context |= index && expr->operands[0]->type->kind == IR_TYPE_POINTER &&
                      index->kind == IR_TYPE_INT && !index->is_signed && index->size == 4;
}

bool untile_walks(const struct ir_function *kernel)
{
  bool found = false;

  if (!untile_has_tiles(kernel)) return false;
  ir_visit_stmts(kernel->body, note_pointer, &found);
  ir_visit_stmt_exprs(kernel->body, note_unsigned, &found);
  return found;
}

void untile_walk(struct draft *draft)
{
  struct code *code = &draft->code;
  struct ir_rewriter rewriter = {code->arena, index_of_param, code};
  struct extents *extents = ARENA_NEW(code->arena, struct extents);

  bool walks = untile_walks(code->facts.kernel), split = block_digits_split(code, extents);
  if (walks) plan_loop_forms(draft);
  if (walks) code->facts.kernel->body = ir_rewrite_stmt(&rewriter, code->facts.kernel->body);
  if (!walks && !split) return;
  if (split) block_digits_turn(code, extents);
  if (split) draft->extents = extents;
  code_drop_scan(code);
  code->facts.kernel->body = code_without_unused(code->arena, code->facts.kernel->body);
}

unsigned untile_ask_small(struct code *code, struct ir_expr **ret, unsigned most)
{
  struct code_kept before = code_keep(code);
  struct extents extents;
  unsigned count = 0;

  if (!untile_walks(code->facts.kernel)) return 0;
  block_digits_split(code, &extents);
  for (int axis = 0; axis < 2 && count < most; axis++)
    if (before.facts.grid[axis] < 0 && code->facts.block[axis] > 0)
      ret[count++] = small_grid(code, axis);
  code_go_back(code, &before);
  return count;
}
