/* SPDX-License-Identifier: MIT */
/* ragged_bounds.c - what a value of a thread is for the first and for the last thread of its block.
 *
 *     i = blockIdx.x * 256 + threadIdx.x         blockIdx.x * 256 + 0, blockIdx.x * 256 + 255
 *     for (i = ...; i < n; i += stride)          _i + 0, _i + 255, where _i counts for the first
 *
 * A value that grows with the thread's index by the same number from each thread to the next lies
 * between these two for all threads. Assumes, as tiles do, that ids do not wrap in a block.
 * Requires: values in the place of locals (code_resolve).
 */
#include "analysis/transform/ragged_stage/ragged.h"

/* The loop whose iterator it is, with that of the first thread. NULL: there is none. */
static const struct ragged_around *strided_by(const struct ragged_all *r, const struct ir_var *var)
{
  for (unsigned i = 0; i < r->around_count; i++)
    if (r->around[i].base && r->around[i].stmt->loop->iterator == var) return &r->around[i];
  return NULL;
}

bool ragged_is_element(const struct ir_expr *expr)
{
  const struct ir_var *holder = expr->kind == IR_EXPR_INDEX ? ir_holder(expr) : NULL;

  return expr->kind == IR_EXPR_INDEX && expr->type->kind != IR_TYPE_ARRAY &&
         !(holder && (holder->kind == IR_VAR_LOCAL || holder->kind == IR_VAR_SHARED));
}

static bool is_wide(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT && type->size >= 4;
}

static struct ragged_linear product(const struct uniform *u, const struct ragged_all *r,
                                    struct ir_expr *expr)
{
  struct ragged_linear a = ragged_linear(u, r, expr->operands[0]),
                       b = ragged_linear(u, r, expr->operands[1]);
  bool fixed[2] = {a.known && !a.step, b.known && !b.step};
  int64_t by;

  if (!a.fits || !b.fits || !(fixed[0] || fixed[1])) return (struct ragged_linear){.fits = false};
  struct ragged_linear of = fixed[0] ? b : a;
  bool known = of.known && ir_constant(expr->operands[!fixed[0]], &by) && by > -4096 && by < 4096 &&
               of.step > -4096 && of.step < 4096;
  return (struct ragged_linear){true, known, known ? of.step * by : 0};
}

struct ragged_linear ragged_linear(const struct uniform *u, const struct ragged_all *r,
                                   struct ir_expr *expr)
{
  static const struct ragged_linear none = {.fits = false};

  if (uniform_expr(u, expr)) return (struct ragged_linear){true, true, 0};
  switch (expr->kind) {
  case IR_EXPR_BUILTIN: return (struct ragged_linear){expr->value == IR_THREAD_IDX, true, 1};
  case IR_EXPR_VAR: return (struct ragged_linear){strided_by(r, expr->var) != NULL, true, 1};
  case IR_EXPR_PAREN: return ragged_linear(u, r, expr->operands[0]);
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
    return is_wide(expr->type) && is_wide(expr->operands[0]->type)
               ? ragged_linear(u, r, expr->operands[0])
               : none;
  case IR_EXPR_BINARY: break;
  default: return none;
  }
  if (!is_wide(expr->type)) return none;
  if (expr->op == IR_OP_MUL) return product(u, r, expr);
  if (expr->op != IR_OP_ADD && expr->op != IR_OP_SUB) return none;
  struct ragged_linear a = ragged_linear(u, r, expr->operands[0]),
                       b = ragged_linear(u, r, expr->operands[1]);
  int64_t sign = expr->op == IR_OP_ADD ? 1 : -1;
  return (struct ragged_linear){a.fits && b.fits, a.known && b.known, a.step + sign * b.step};
}

bool ragged_is_guard(const struct uniform *u, const struct ragged_all *r, struct ir_expr *condition)
{
  struct ir_expr *expr = ir_strip(condition);

  if (expr->kind != IR_EXPR_BINARY) return false;
  switch (expr->op) {
  case IR_OP_LT:
  case IR_OP_LE:
  case IR_OP_GT:
  case IR_OP_GE: break;
  default: return false;
  }
  return ragged_linear(u, r, expr->operands[0]).fits && ragged_linear(u, r, expr->operands[1]).fits;
}

struct placing {
  const struct ragged_all *r;
  struct ir_expr *thread;
};

/* The thread for which the value is wanted, as the type that the index has there. */
static struct ir_expr *replace_thread(struct ir_rewriter *rewriter, struct ir_expr *expr)
{
  const struct placing *p = rewriter->context;
  struct arena *arena = rewriter->arena;

  if (expr->kind == IR_EXPR_BUILTIN && expr->value == IR_THREAD_IDX)
    return ir_build_cast(arena, expr->type, p->thread);
  const struct ragged_around *loop = expr->kind == IR_EXPR_VAR ? strided_by(p->r, expr->var) : NULL;
  if (!loop) return NULL;
  struct ir_expr *first = ir_build_var(arena, loop->base),
                 *behind = ir_build_cast(arena, ir_plain_type(arena, expr->type), p->thread);
  return ir_build_binary(arena, IR_OP_ADD, first, behind);
}

struct ir_expr *ragged_for_thread(struct code *code, const struct ragged_all *r,
                                  struct ir_expr *expr, struct ir_expr *thread)
{
  struct placing placing = {r, thread};
  struct ir_rewriter rewriter = {code->arena, replace_thread, &placing};

  return ir_rewrite_expr(&rewriter, expr);
}
