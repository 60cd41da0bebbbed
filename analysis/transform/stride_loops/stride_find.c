/* SPDX-License-Identifier: MIT */
/* stride_find.c - the loops that are the body of a kernel. */
#include "analysis/code/shape_linear.h"
#include "analysis/transform/stride_loops/stride_loops.h"
#include "runtime/seeded.h"

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

/* Is it a number that is declared in front, and that one statement steps? */
static bool is_counter(const struct ir_stmt *stmt)
{
  return stmt->kind == IR_STMT_DECL && stmt->var->write_count == 2 && stmt->expr &&
         !ir_has_effects(stmt->expr) && stmt->var->type->kind == IR_TYPE_INT &&
         stmt->var->type->size >= 4 && !stmt->var->address_taken;
}

struct front { /* what stands in front of a loop */
  const struct ir_var *counter;
  bool computes; /* more than sums and products of indices, arguments and constants */
  bool failed;
};

static void note_cost(struct ir_expr *expr, void *context)
{
  struct front *front = context;
  bool cheap = expr->kind == IR_EXPR_INT || expr->kind == IR_EXPR_VAR ||
               expr->kind == IR_EXPR_BUILTIN || expr->kind == IR_EXPR_PAREN ||
               expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_CAST ||
               (expr->kind == IR_EXPR_BINARY &&
                (expr->op == IR_OP_ADD || expr->op == IR_OP_SUB || expr->op == IR_OP_MUL));

  front->computes |= !cheap;
}

static void note_front(struct front *front, struct ir_stmt *stmt)
{
  for (unsigned i = 0; stmt->kind == IR_STMT_DECLS && i < stmt->child_count; i++)
    note_front(front, stmt->children[i]);
  if (stmt->kind == IR_STMT_DECLS) return;
  bool counter = is_counter(stmt);
  front->failed |= (counter && front->counter) || (!counter && !stride_is_plain(stmt));
  if (counter) front->counter = stmt->var;
  if (stmt->kind == IR_STMT_DECL && stmt->expr) ir_visit_expr(stmt->expr, note_cost, front);
}

/* The loop that ends the block, behind declarations alone. NULL: there is none. */
static struct ir_stmt *only_loop(struct ir_stmt *stmt, struct front *front)
{
  front->counter = NULL;
  while (stmt && stmt->kind == IR_STMT_BLOCK && stmt->child_count) {
    for (unsigned i = 0; i + 1 < stmt->child_count; i++) note_front(front, stmt->children[i]);
    stmt = stmt->children[stmt->child_count - 1];
  }
  bool loop = stmt && (stmt->kind == IR_STMT_FOR || stmt->kind == IR_STMT_WHILE);
  return loop && !front->failed ? stmt : NULL;
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

static bool is_number(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT && type->size >= 4;
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

struct counter_search {
  const struct ir_var *var;
  struct ir_expr *first;
};

static bool note_counter(struct ir_stmt *stmt, void *context)
{
  struct counter_search *s = context;

  if (stmt->kind == IR_STMT_DECL && stmt->var == s->var) s->first = stmt->expr;
  return true;
}

/* What a counter starts with that is declared in front of its loop and used nowhere else. */
static struct ir_expr *first_of(struct code *code, const struct ir_stmt *loop,
                                const struct ir_var *counter)
{
  struct ir_stmt *body = code->facts.kernel->body;
  struct counter_search s = {counter, NULL};

  if (ir_count_var(body, counter) != ir_count_var((struct ir_stmt *)loop, counter) &&
      !SEEDED(STRIDE_COUNTER_NAMED))
    return NULL;
  ir_visit_stmts(body, note_counter, &s);
  return s.first;
}

/* `i += step;` at the end of a body */
static struct ir_expr *step_at_end(const struct ir_stmt *body, const struct ir_var *counter)
{
  const struct ir_stmt *last = body->kind == IR_STMT_BLOCK && body->child_count > 1
                                   ? body->children[body->child_count - 1]
                                   : NULL;
  const struct ir_expr *step =
      last && last->kind == IR_STMT_EXPR && last->expr ? ir_strip(last->expr) : NULL;
  bool adds = step && step->kind == IR_EXPR_ASSIGN && step->op == IR_OP_ADD_ASSIGN &&
              ir_assigned_var(step) == counter && !ir_expr_has_var(step->operands[1], counter);

  return adds && !ir_has_effects(step->operands[1]) ? step->operands[1] : NULL;
}

/* while (i < bound) { ...; i += step; } as a loop in canonical form. NULL: it has another one. */
static struct ir_stmt *counting(struct arena *arena, struct ir_stmt *stmt,
                                const struct ir_var *counter)
{
  const struct ir_expr *test = stmt->expr ? ir_strip(stmt->expr) : NULL;
  struct ir_expr *step = counter ? step_at_end(stmt->body, counter) : NULL;

  if (!step || test->kind != IR_EXPR_BINARY || test->op != IR_OP_LT ||
      ir_strip(test->operands[0])->kind != IR_EXPR_VAR ||
      ir_strip(test->operands[0])->var != counter)
    return NULL;
  struct ir_stmt *copy = ARENA_NEW(arena, struct ir_stmt), *body = ir_copy_stmt(arena, stmt->body);
  *copy = *stmt;
  body->child_count--;
  copy->kind = IR_STMT_FOR;
  copy->body = body;
  copy->loop = ARENA_NEW(arena, struct ir_loop);
  *copy->loop = (struct ir_loop){.iterator = (struct ir_var *)counter,
                                 .relation = IR_OP_LT,
                                 .bound = test->operands[1],
                                 .step_expr = step};
  return copy;
}

static bool find_level(struct code *code, struct ir_stmt *stmt, const struct front *front,
                       struct stride_level *ret, bool *ret_of_block)
{
  struct ir_stmt *counted =
      stmt->kind == IR_STMT_WHILE ? counting(code->arena, stmt, front->counter) : stmt;
  struct ir_loop *loop = counted ? counted->loop : NULL;

  if (!loop || !loop->bound || !loop->step_expr || loop->relation != IR_OP_LT ||
      !is_number(loop->iterator->type) || loop->iterator->write_count > 2 ||
      !is_of_launch(loop->bound) || !is_number(loop->bound->type) ||
      (front->counter && front->counter != loop->iterator))
    return false;
  struct ir_expr *first = loop->declared ? loop->lower : first_of(code, stmt, loop->iterator);
  if (!first) return false;
  *ret = (struct stride_level){.source = stmt, .loop = counted, .axis = -1, .bound = loop->bound};
  *ret_of_block = is_builtin(bare_of(code, first), IR_THREAD_IDX) &&
                  is_builtin(bare_of(code, loop->step_expr), IR_BLOCK_DIM);
  if (*ret_of_block) ret->axis = 0;
  for (int axis = 0; axis < 2 && ret->axis < 0; axis++)
    if (is_id(code, first, axis) && is_total(code, loop->step_expr, axis)) ret->axis = axis;
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
  struct front front = {0};
  struct ir_stmt *loop = only_loop(code->facts.kernel->body, &front);

  *ret = (struct stride_nest){.count = 0};
  while (loop && ret->count < 2) {
    bool of_block;
    struct stride_level *level = &ret->levels[ret->count];
    if (!find_level(code, loop, &front, level, &of_block)) break;
    if (ret->count && (of_block || ret->of_block || ret->levels[0].axis == ret->levels[1].axis))
      return false;
    ret->of_block = of_block;
    ret->body = level->loop->body;
    ret->count++;
    loop = only_loop(ret->body, &front);
  }
  bool loops = false;
  if (ret->count) ir_visit_stmts(ret->body, note_loop, &loops);
  ret->flat = !loops && ret->count == 1 && !ret->of_block && !front.computes;
  return loops || ret->flat;
}
