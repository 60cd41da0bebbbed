/* SPDX-License-Identifier: MIT */
/* uniform.c - the values on which all threads of a block agree.
 *
 *     int cell = blockIdx.x * n + w.first, begin = offsets[cell];         uniform
 *     for (int k = begin; k < offsets[cell + 1]; k++)                     a uniform loop
 *       sum += items[k] * x[threadIdx.x];
 *           items[k] is uniform, the sum is not
 *
 * instance.c finds the axes of the thread index that a value depends on. This check is stricter.
 * Each variable must be a number or a pointer, or a structure or array, that only the assignments
 * seen by instance.c can change: no address, no reference, no call that gets the array. A volatile
 * value may differ between threads. Requires: a scan. Gives up: never; a value that is not
 * understood is not uniform.
 */
#include "analysis/code/uniform.h"

/* ---- variables ---- */

static void mark(struct uniform *u, const struct ir_var *var)
{
  if (var && ir_owns(u->code->facts.kernel, var)) u->escapes[var->id] = true;
}

/* Notes a variable's array that is used as a pointer, or a variable that is the object of a member
 * function. */
static void note_escape(struct ir_expr *expr, void *context)
{
  if (expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_PAREN) return;
  for (unsigned i = 0; i < expr->operand_count; i++) {
    struct ir_expr *operand = ir_strip(expr->operands[i]);
    bool element = (expr->kind == IR_EXPR_INDEX && !i) || expr->kind == IR_EXPR_MEMBER;
    bool object = expr->kind == IR_EXPR_CALL && expr->is_method && !i;
    if ((operand->type->kind == IR_TYPE_ARRAY && !element) || object)
      mark(context, ir_holder(operand));
  }
}

static bool note_initial(struct ir_stmt *stmt, void *context)
{
  struct ir_expr *init = stmt->kind == IR_STMT_DECL && stmt->expr ? ir_strip(stmt->expr) : NULL;

  if (init && init->type->kind == IR_TYPE_ARRAY) mark(context, ir_holder(init));
  return true;
}

void uniform_analyze(struct code *code, struct uniform *ret)
{
  ret->code = code;
  ret->escapes = arena_alloc(code->arena, code->facts.kernel->var_count + 1);
  instances_analyze_block(code, &ret->in);
  ir_visit_stmt_exprs(code->facts.kernel->body, note_escape, ret);
  ir_visit_stmts(code->facts.kernel->body, note_initial, ret);
}

bool uniform_var(const struct uniform *u, const struct ir_var *var)
{
  return ir_owns(u->code->facts.kernel, var) && !var->address_taken && !var->type->is_volatile &&
         var->type->kind != IR_TYPE_REFERENCE && var->type->kind != IR_TYPE_OTHER &&
         !instances_of_var(&u->in, var) && !u->escapes[var->id];
}

/* ---- expressions ---- */

struct uniform_search {
  const struct uniform *u;
  bool fails;
};

static void note_part(struct ir_expr *expr, void *context)
{
  struct uniform_search *s = context;
  const struct ir_var *var = expr->kind == IR_EXPR_VAR ? expr->var : NULL;
  const struct code_access *found = code_access_of(s->u->code, expr);

  if (var && (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM))
    s->fails |= !uniform_var(s->u, var);
  if ((found && found->array->element->is_volatile) || expr->type->is_volatile) s->fails = true;
}

bool uniform_expr(const struct uniform *u, struct ir_expr *expr)
{
  struct uniform_search s = {u, false};

  if (!expr || instances_of_expr(&u->in, expr) || ir_has_effects(expr)) return false;
  ir_visit_expr(expr, note_part, &s);
  return !s.fails;
}

/* ---- statements ---- */

static bool is_number(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL ||
         type->kind == IR_TYPE_POINTER;
}

/* begin = offsets[cell], cell++ */
static bool uniform_assignment(const struct uniform *u, struct ir_expr *expr)
{
  expr = ir_strip(expr);
  const struct ir_var *var = ir_assigned_var(expr);

  if (!var || !is_number(var->type) || !uniform_var(u, var)) return false;
  return expr->kind != IR_EXPR_ASSIGN || uniform_expr(u, expr->operands[1]);
}

static bool uniform_decl(const struct uniform *u, struct ir_stmt *stmt)
{
  return uniform_var(u, stmt->var) &&
         (!stmt->expr || (stmt->var->type->kind != IR_TYPE_ARRAY && uniform_expr(u, stmt->expr)));
}

bool uniform_stmt(const struct uniform *u, struct ir_stmt *stmt)
{
  if (!stmt) return true;
  switch (stmt->kind) {
  case IR_STMT_NULL: return true;
  case IR_STMT_DECL: return uniform_decl(u, stmt);
  case IR_STMT_EXPR: return uniform_assignment(u, stmt->expr);
  case IR_STMT_IF:
    return uniform_expr(u, stmt->expr) && uniform_stmt(u, stmt->body) &&
           uniform_stmt(u, stmt->else_body);
  case IR_STMT_FOR:
  case IR_STMT_WHILE: return uniform_loop(u, stmt) && uniform_stmt(u, stmt->body);
  case IR_STMT_BLOCK:
  case IR_STMT_DECLS:
    for (unsigned i = 0; i < stmt->child_count; i++)
      if (!uniform_stmt(u, stmt->children[i])) return false;
    return true;
  default: return false;
  }
}

bool uniform_loop(const struct uniform *u, struct ir_stmt *loop)
{
  return (loop->kind == IR_STMT_FOR || loop->kind == IR_STMT_WHILE) &&
         instances_uniform_loop(&u->in, loop) && uniform_expr(u, loop->expr) &&
         uniform_stmt(u, loop->init) &&
         (!loop->increment || uniform_assignment(u, loop->increment));
}

/* ---- threads ---- */

/* blockDim along an axis, or its known value. */
static struct ir_expr *block_size(struct code *code, int axis)
{
  int64_t size = code->facts.block[axis];
  return size > 0
             ? ir_build_int(code->arena, size)
             : ir_build_cast(code->arena, ir_int_type(),
                             ir_build_builtin(code->arena, (enum ir_builtin)(IR_BLOCK_DIM + axis)));
}

struct ir_expr *block_threads(struct code *code)
{
  struct ir_expr *threads = ir_build_int(code->arena, 1);
  int64_t known, size;

  for (int axis = 2; axis >= 0; axis--) {
    struct ir_expr *along = block_size(code, axis);
    bool both = ir_constant(threads, &known) && ir_constant(along, &size);
    if (both)
      threads = ir_build_int(code->arena, known * size);
    else
      threads = ir_constant(threads, &known) && known == 1
                    ? along
                    : ir_build_binary(code->arena, IR_OP_MUL, threads, along);
  }
  return threads;
}

struct ir_expr *block_thread_number(struct code *code)
{
  struct ir_expr *number = NULL;

  for (int axis = 2; axis >= 0; axis--) {
    if (code->facts.block[axis] == 1 && (axis || number)) continue;
    struct ir_expr *index = ir_build_builtin(code->arena, (enum ir_builtin)(IR_THREAD_IDX + axis));
    if (number) {
      number = ir_build_binary(code->arena, IR_OP_MUL, number, block_size(code, axis));
      number = ir_build_binary(code->arena, IR_OP_ADD, number, index);
      number->type = index->type;
    } else {
      number = index;
    }
  }
  return number;
}
