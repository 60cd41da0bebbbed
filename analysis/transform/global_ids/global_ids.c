/* SPDX-License-Identifier: MIT */
/* global_ids.c - joins the parts of a block and of a thread in an index to a global id.
 *
 *     int c = n * 16 * blockIdx.y + 16 * blockIdx.x;              16 x 16 threads
 *     C[c + n * threadIdx.y + threadIdx.x]
 *   =>
 *     C[n * (blockIdx.y * blockDim.y + threadIdx.y) + (blockIdx.x * blockDim.x + threadIdx.x)]
 *
 *     int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
 *   =>
 *     int i = (blockIdx.x * blockDim.x + threadIdx.x) + offset;
 *
 * The index, or another sum, is a polynomial. Along each axis, the factor of the block's index must
 * be the factor of the thread's index times the number of threads in the block, which may be
 * blockDim. The value is the same. Unused locals are removed afterwards. Requires: an index or a
 * sum of type int. Produces: a copy of the kernel that is free of its shape (shape_free.h); gives
 * up where it is not.
 */
#include "analysis/transform/global_ids/global_ids.h"

#include "analysis/code/polynomial.h"
#include "analysis/code/shape_free.h"
#include "runtime/seeded.h"

struct joining {
  struct code *code;
  unsigned count;
};

/* Removes the terms with the builtin from `p`; *ret: its factor. False: there is a power of it. */
static bool take_factor(struct polynomial *p, enum ir_builtin builtin, struct polynomial *ret)
{
  struct polynomial rest = {.known = p->known};

  *ret = (struct polynomial){.known = p->known};
  for (unsigned i = 0; i < p->count; i++) {
    struct polynomial_term term = p->terms[i];
    unsigned found = 0, kept = 0;
    for (unsigned k = 0; k < term.factor_count; k++) {
      bool is = term.factors[k]->kind == IR_EXPR_BUILTIN && term.factors[k]->value == builtin;
      found += is;
      if (!is) term.factors[kept++] = term.factors[k];
    }
    if (found > 1) return false;
    term.factor_count = kept;
    struct polynomial one = {.known = true, .count = 1, .terms = {term}};
    if (found)
      *ret = polynomial_sum(ret, &one, 1);
    else
      rest = polynomial_sum(&rest, &one, 1);
  }
  *p = rest;
  return ret->known && rest.known;
}

/* The number of threads in a block along the axis. */
static struct polynomial block_size(struct code *code, int axis)
{
  if (code->facts.block[axis] > 0) return polynomial_constant(code->facts.block[axis]);
  return polynomial_of(ir_build_builtin(code->arena, IR_BLOCK_DIM + axis));
}

static struct ir_expr *replace_size(struct ir_rewriter *r, struct ir_expr *expr)
{
  const struct code *code = r->context;
  bool is = expr->kind == IR_EXPR_BUILTIN && expr->value >= IR_BLOCK_DIM &&
            expr->value < IR_GRID_DIM && code->facts.block[expr->value % 3] > 0;

  return is ? ir_build_cast(r->arena, expr->type,
                            ir_build_int(r->arena, code->facts.block[expr->value % 3]))
            : NULL;
}

/* NULL: the index stays as it is. */
static struct ir_expr *joined_index(struct code *code, struct ir_expr *index)
{
  struct arena *arena = code->arena;
  struct ir_expr *resolved = code_resolve(code, index), *sum = NULL;
  struct ir_rewriter sizes = {arena, replace_size, code};
  struct polynomial p = {0};

  if (resolved) p = polynomial_of(ir_rewrite_expr(&sizes, resolved));

  for (int axis = 0; axis < 3; axis++) {
    struct polynomial block, thread;
    if (!p.known || !take_factor(&p, IR_BLOCK_IDX + axis, &block) ||
        !take_factor(&p, IR_THREAD_IDX + axis, &thread))
      return NULL;
    if (!block.count && !thread.count) continue;
    struct polynomial size = block_size(code, axis), all = polynomial_product(&thread, &size);
    if (!all.known || (!polynomial_same(&all, &block) && !SEEDED(ID_OF_ANOTHER_WIDTH))) return NULL;
    struct ir_expr *part = shape_global_id(arena, axis);
    bool once =
        thread.count == 1 && !thread.terms[0].factor_count && thread.terms[0].coefficient == 1;
    if (!once) part = ir_build_binary(arena, IR_OP_MUL, polynomial_expr(arena, &thread), part);
    sum = sum ? ir_build_binary(arena, IR_OP_ADD, sum, part) : part;
  }
  if (!sum) return NULL;
  return p.count ? ir_build_binary(arena, IR_OP_ADD, sum, polynomial_expr(arena, &p)) : sum;
}

/* A sum of type int, perhaps of unsigned parts. */
static struct ir_expr *join_sum(struct joining *j, struct ir_expr *expr)
{
  const struct ir_expr *bare = ir_strip(expr);
  bool sum = bare->kind == IR_EXPR_BINARY && (bare->op == IR_OP_ADD || bare->op == IR_OP_SUB) &&
             bare->type->kind == IR_TYPE_INT && bare->type->size == 4;
  struct ir_expr *joined = sum && ir_type_is_int(expr->type) ? joined_index(j->code, expr) : NULL;

  j->count += joined != NULL;
  return joined;
}

static struct ir_expr *join_index(struct ir_rewriter *r, struct ir_expr *expr)
{
  struct joining *j = r->context;
  struct ir_expr *joined = join_sum(j, expr);

  if (joined) return joined;
  if (expr->kind != IR_EXPR_INDEX || expr->operands[0]->type->kind == IR_TYPE_ARRAY) return NULL;
  if (!ir_type_is_int(expr->operands[1]->type)) return NULL;
  struct ir_expr *index = joined_index(j->code, expr->operands[1]);
  if (!index) return NULL;
  struct ir_expr *copy = ARENA_NEW(r->arena, struct ir_expr);
  *copy = *expr;
  copy->operands = arena_alloc(r->arena, 2 * sizeof *copy->operands);
  copy->operands[0] = ir_rewrite_expr(r, expr->operands[0]);
  copy->operands[1] = index;
  j->count++;
  return copy;
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

bool plan_global_ids(struct draft *draft)
{
  struct code *code = &draft->code;
  struct ir_stmt *before = code->facts.kernel->body;
  struct joining j = {.code = code};
  struct ir_rewriter rewriter = {code->arena, join_index, &j};

  if (is_shape_free(code)) return false;
  struct ir_stmt *body = ir_rewrite_stmt(&rewriter, before);
  if (!j.count) return false;
  code_drop_scan(code);
  code->facts.kernel->body = code_without_unused(code->arena, body);
  if (!is_shape_free(code)) {
    code->facts.kernel->body = before;
    return false;
  }
  *ARENA_PUSH(code->arena, &draft->formed) =
      (struct formed){code->kernel->name_place, DIAG_IDS_JOINED, DIAG_IDS_APART, NULL,
                      "indices of blocks and threads put together as global ids"};
  draft_own_body(draft);
  return true;
}

bool plan_untiled_ids(struct draft *draft) { return draft->formed.count && plan_global_ids(draft); }
