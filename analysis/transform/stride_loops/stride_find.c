/* SPDX-License-Identifier: MIT */
/* stride_find.c - the loops that are the body of a kernel. */
#include "analysis/code/shape_linear.h"
#include "analysis/transform/stride_loops/stride_loops.h"

/* ---- declarations in front of a loop ---- */

bool stride_is_plain(const struct ir_stmt *stmt)
{
  if (stmt->kind == IR_STMT_NULL) return true;
  if (stmt->kind == IR_STMT_DECL)
    return stmt->var->write_count <= 1 && (!stmt->expr || !ir_has_effects(stmt->expr)) &&
           stmt->var->type->kind != IR_TYPE_ARRAY;
  if (stmt->kind != IR_STMT_DECLS) return false;
  for (unsigned i = 0; i < stmt->child_count; i++)
    if (!stride_is_plain(stmt->children[i])) return false;
  return true;
}

/* The loop that ends the block, behind declarations alone. NULL: there is none. */
static struct ir_stmt *only_loop(struct ir_stmt *stmt)
{
  while (stmt && stmt->kind == IR_STMT_BLOCK && stmt->child_count) {
    for (unsigned i = 0; i + 1 < stmt->child_count; i++)
      if (!stride_is_plain(stmt->children[i])) return NULL;
    stmt = stmt->children[stmt->child_count - 1];
  }
  return stmt && stmt->kind == IR_STMT_FOR && stmt->loop ? stmt : NULL;
}

/* ---- one loop ---- */

/* Is the expression made of parameters that the kernel does not change, and of constants? */
static bool is_of_launch(const struct ir_expr *expr)
{
  if (expr->kind == IR_EXPR_INT) return true;
  if (expr->kind == IR_EXPR_VAR)
    return expr->var->kind == IR_VAR_PARAM && !expr->var->write_count &&
           expr->var->type->kind == IR_TYPE_INT;
  bool arithmetic = expr->kind == IR_EXPR_BINARY &&
                    (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB || expr->op == IR_OP_MUL);
  if (!arithmetic && expr->kind != IR_EXPR_CONVERT && expr->kind != IR_EXPR_CAST &&
      expr->kind != IR_EXPR_PAREN)
    return false;
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (!is_of_launch(expr->operands[i])) return false;
  return expr->operand_count > 0;
}

static bool is_int(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT && type->size == 4 && type->is_signed;
}

static const struct ir_expr *bare_of(struct code *code, struct ir_expr *expr)
{
  struct ir_expr *resolved = code_resolve(code, expr);

  return resolved ? linear_bare(resolved) : NULL;
}

static bool is_builtin(const struct ir_expr *expr, int builtin)
{
  return expr && expr->kind == IR_EXPR_BUILTIN && expr->value == builtin;
}

/* Is the expression the number of the launch's threads along the axis? */
static bool is_total(struct code *code, struct ir_expr *expr, int axis)
{
  const struct ir_expr *product = bare_of(code, expr);

  if (!product || product->kind != IR_EXPR_BINARY || product->op != IR_OP_MUL) return false;
  const struct ir_expr *a = linear_bare(product->operands[0]),
                       *b = linear_bare(product->operands[1]);
  return (is_builtin(a, IR_BLOCK_DIM + axis) && is_builtin(b, IR_GRID_DIM + axis)) ||
         (is_builtin(b, IR_BLOCK_DIM + axis) && is_builtin(a, IR_GRID_DIM + axis));
}

/* blockIdx * blockDim + threadIdx along the axis, as written */
static bool is_id(struct code *code, struct ir_expr *expr, int axis)
{
  const struct ir_expr *sum = bare_of(code, expr);

  if (!sum || sum->kind != IR_EXPR_BINARY || sum->op != IR_OP_ADD) return false;
  for (int side = 0; side < 2; side++) {
    const struct ir_expr *thread = linear_bare(sum->operands[side]),
                         *first = linear_bare(sum->operands[!side]);
    if (!is_builtin(thread, IR_THREAD_IDX + axis) || first->kind != IR_EXPR_BINARY ||
        first->op != IR_OP_MUL)
      continue;
    const struct ir_expr *a = linear_bare(first->operands[0]), *b = linear_bare(first->operands[1]);
    if ((is_builtin(a, IR_BLOCK_IDX + axis) && is_builtin(b, IR_BLOCK_DIM + axis)) ||
        (is_builtin(b, IR_BLOCK_IDX + axis) && is_builtin(a, IR_BLOCK_DIM + axis)))
      return true;
  }
  return false;
}

static bool find_level(struct code *code, struct ir_stmt *stmt, struct stride_level *ret,
                       bool *ret_of_block)
{
  struct ir_loop *loop = stmt->loop;

  if (!loop->lower || !loop->bound || !loop->step_expr || loop->relation != IR_OP_LT ||
      !loop->declared || !is_int(loop->iterator->type) || loop->iterator->write_count > 2 ||
      !is_of_launch(loop->bound) || !is_int(loop->bound->type))
    return false;
  *ret = (struct stride_level){stmt, -1, loop->bound};
  *ret_of_block = is_builtin(bare_of(code, loop->lower), IR_THREAD_IDX) &&
                  is_builtin(bare_of(code, loop->step_expr), IR_BLOCK_DIM);
  if (*ret_of_block) ret->axis = 0;
  for (int axis = 0; axis < 2 && ret->axis < 0; axis++)
    if (is_id(code, loop->lower, axis) && is_total(code, loop->step_expr, axis)) ret->axis = axis;
  return ret->axis >= 0;
}

static bool note_loop(struct ir_stmt *stmt, void *context)
{
  *(bool *)context |=
      stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE || stmt->kind == IR_STMT_DO;
  return true;
}

bool stride_find(struct code *code, struct stride_nest *ret)
{
  struct ir_stmt *loop = only_loop(code->facts.kernel->body);

  *ret = (struct stride_nest){.count = 0};
  while (loop && ret->count < 2) {
    bool of_block;
    if (!find_level(code, loop, &ret->levels[ret->count], &of_block)) break;
    if (ret->count && (of_block || ret->of_block || ret->levels[0].axis == ret->levels[1].axis))
      return false;
    ret->of_block = of_block;
    ret->body = loop->body;
    ret->count++;
    loop = only_loop(loop->body);
  }
  bool loops = false;
  if (ret->count) ir_visit_stmts(ret->body, note_loop, &loops);
  return loops;
}
