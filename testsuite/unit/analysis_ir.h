/* SPDX-License-Identifier: MIT */
/* analysis_ir.h - kernels built by hand for the analysis tests. */
#ifndef MESI_TEST_ANALYSIS_IR_H
#define MESI_TEST_ANALYSIS_IR_H

#include <string.h>

#include "analysis/plan/staging/plan_kernel.h"

struct builder {
  struct arena *arena;
  struct unit *unit;
  struct ir_function *function;
  struct ir_type *type_int, *type_unsigned, *type_float, *type_bool, *type_void;
  unsigned exprs, stmts;
};

static struct ir_type *make_type(struct builder *b, enum ir_type_kind kind, const char *spelling,
                                 int64_t size, bool is_signed)
{
  struct ir_type *type = ARENA_NEW(b->arena, struct ir_type);

  type->kind = kind;
  type->spelling = spelling;
  type->size = type->align = size;
  type->is_signed = is_signed;
  type->extent = -1;
  return type;
}

static inline struct ir_type *make_array(struct builder *b, struct ir_type *element, int64_t extent)
{
  struct ir_type *type = make_type(b, IR_TYPE_ARRAY, "array", element->size * extent, false);

  type->element = element;
  type->extent = extent;
  return type;
}

static inline struct ir_type *make_pointer(struct builder *b, struct ir_type *element)
{
  struct ir_type *type = make_type(b, IR_TYPE_POINTER, "pointer", 8, false);

  type->element = element;
  return type;
}

static inline void build_begin(struct builder *b, const char *name)
{
  memset(b, 0, sizeof *b);
  b->arena = arena_create();
  b->unit = ARENA_NEW(b->arena, struct unit);
  b->unit->arena = b->arena;
  b->type_int = make_type(b, IR_TYPE_INT, "int", 4, true);
  b->type_unsigned = make_type(b, IR_TYPE_INT, "unsigned int", 4, false);
  b->type_float = make_type(b, IR_TYPE_FLOAT, "float", 4, true);
  b->type_bool = make_type(b, IR_TYPE_BOOL, "bool", 1, false);
  b->type_void = make_type(b, IR_TYPE_VOID, "void", 0, false);
  b->function = ARENA_NEW(b->arena, struct ir_function);
  b->function->name = b->function->qualified = name;
  b->function->is_kernel = b->function->has_definition = true;
  b->function->result = b->type_void;
  b->function->params = arena_alloc(b->arena, 16 * sizeof *b->function->params);
  b->function->vars = arena_alloc(b->arena, 32 * sizeof *b->function->vars);
  *ARENA_PUSH(b->arena, &b->unit->functions) = b->function;
}

static inline struct ir_var *make_var(struct builder *b, enum ir_var_kind kind, const char *name,
                                      struct ir_type *type)
{
  struct ir_var *var = ARENA_NEW(b->arena, struct ir_var);

  var->kind = kind;
  var->name = name;
  var->type = type;
  var->function = b->function;
  var->id = b->function->var_count;
  b->function->vars[b->function->var_count++] = var;
  if (kind == IR_VAR_PARAM) b->function->params[b->function->param_count++] = var;
  return var;
}

static inline struct ir_expr *make_expr(struct builder *b, enum ir_expr_kind kind,
                                        const struct ir_type *type, struct ir_expr *first,
                                        struct ir_expr *second)
{
  struct ir_expr *expr = ARENA_NEW(b->arena, struct ir_expr);

  expr->kind = kind;
  expr->id = b->exprs++;
  expr->type = type;
  expr->place.line = 1;
  expr->operands = arena_alloc(b->arena, 3 * sizeof *expr->operands);
  expr->operands[0] = first;
  expr->operands[1] = second;
  expr->operand_count = (first != NULL) + (second != NULL);
  return expr;
}

static inline struct ir_expr *num(struct builder *b, int64_t value)
{
  struct ir_expr *expr = make_expr(b, IR_EXPR_INT, b->type_int, NULL, NULL);
  expr->value = value;
  return expr;
}

static inline struct ir_expr *use(struct builder *b, struct ir_var *var)
{
  struct ir_expr *expr = make_expr(b, IR_EXPR_VAR, var->type, NULL, NULL);
  expr->var = var;
  return expr;
}

static inline struct ir_expr *builtin(struct builder *b, enum ir_builtin which)
{
  struct ir_expr *expr = make_expr(b, IR_EXPR_BUILTIN, b->type_unsigned, NULL, NULL);
  expr->value = which;
  return expr;
}

static inline struct ir_expr *convert(struct builder *b, const struct ir_type *type,
                                      struct ir_expr *expr)
{
  return make_expr(b, IR_EXPR_CONVERT, type, expr, NULL);
}

static inline struct ir_expr *binary(struct builder *b, enum ir_op op, struct ir_expr *left,
                                     struct ir_expr *right)
{
  bool logical = (op >= IR_OP_LT && op <= IR_OP_NE) || op == IR_OP_LAND || op == IR_OP_LOR;
  struct ir_expr *expr =
      make_expr(b, IR_EXPR_BINARY, logical ? b->type_bool : left->type, left, right);
  expr->op = op;
  return expr;
}

static inline struct ir_expr *assign(struct builder *b, enum ir_op op, struct ir_expr *left,
                                     struct ir_expr *right)
{
  struct ir_expr *expr = make_expr(b, IR_EXPR_ASSIGN, left->type, left, right);
  expr->op = op;
  return expr;
}

static inline struct ir_expr *at(struct builder *b, struct ir_expr *array, struct ir_expr *index)
{
  return make_expr(b, IR_EXPR_INDEX, array->type->element, array, index);
}

static inline struct ir_stmt *make_stmt(struct builder *b, enum ir_stmt_kind kind)
{
  struct ir_stmt *stmt = ARENA_NEW(b->arena, struct ir_stmt);
  stmt->kind = kind;
  stmt->id = b->stmts++;
  stmt->place.line = 1;
  return stmt;
}

static inline struct ir_stmt *run(struct builder *b, struct ir_expr *expr)
{
  struct ir_stmt *stmt = make_stmt(b, IR_STMT_EXPR);
  stmt->expr = expr;
  return stmt;
}

static inline struct ir_stmt *declare(struct builder *b, struct ir_var *var, struct ir_expr *init)
{
  struct ir_stmt *stmt = make_stmt(b, IR_STMT_DECL);
  stmt->var = var;
  stmt->expr = init;
  stmt->init_style = init ? IR_INIT_ASSIGN : IR_INIT_NONE;
  return stmt;
}

static inline struct ir_stmt *when(struct builder *b, struct ir_expr *condition,
                                   struct ir_stmt *body)
{
  struct ir_stmt *stmt = make_stmt(b, IR_STMT_IF);
  stmt->expr = condition;
  stmt->body = body;
  return stmt;
}

/* for (var = lower; var < bound; var++) body */
static inline struct ir_stmt *loop(struct builder *b, struct ir_var *var, struct ir_expr *lower,
                                   struct ir_expr *bound, struct ir_stmt *body)
{
  struct ir_stmt *stmt = make_stmt(b, IR_STMT_FOR);
  stmt->init = run(b, assign(b, IR_OP_ASSIGN, use(b, var), lower));
  stmt->expr = binary(b, IR_OP_LT, use(b, var), bound);
  stmt->increment = make_expr(b, IR_EXPR_UNARY, var->type, use(b, var), NULL);
  stmt->increment->op = IR_OP_POST_INC;
  stmt->body = body;
  stmt->loop = ARENA_NEW(b->arena, struct ir_loop);
  *stmt->loop = (struct ir_loop){
      .iterator = var, .lower = lower, .relation = IR_OP_LT, .bound = bound, .step = 1};
  return stmt;
}

static inline void build_end(struct builder *b, struct ir_stmt *const *stmts, unsigned count)
{
  struct ir_stmt *body = make_stmt(b, IR_STMT_BLOCK);
  body->children = arena_alloc(b->arena, (count + 1) * sizeof *body->children);
  memcpy(body->children, stmts, count * sizeof *stmts);
  body->child_count = count;
  b->function->body = body;
  b->function->expr_count = b->exprs;
  b->function->stmt_count = b->stmts;
}

/* (int)(blockDim.axis * blockIdx.axis + threadIdx.axis) */
static inline struct ir_expr *global_id(struct builder *b, unsigned axis)
{
  struct ir_expr *base =
      binary(b, IR_OP_MUL, builtin(b, IR_BLOCK_DIM + axis), builtin(b, IR_BLOCK_IDX + axis));
  return convert(b, b->type_int, binary(b, IR_OP_ADD, base, builtin(b, IR_THREAD_IDX + axis)));
}

static inline struct kernel_facts make_facts(struct builder *b, int64_t threads, int64_t grid_x,
                                             int64_t grid_y)
{
  struct kernel_facts facts = {
      .kernel = b->function, .block = {threads, 1, 1}, .grid = {grid_x, grid_y, 1}};
  facts.scalars = arena_alloc(b->arena, 16 * sizeof *facts.scalars);
  facts.pointers = arena_alloc(b->arena, 16 * sizeof *facts.pointers);
  return facts;
}

/* Parameter i points to the start of its own object of `bytes`. */
static inline void bind(struct kernel_facts *facts, unsigned i, int64_t bytes)
{
  facts->pointers[i] = (struct pointer_fact){true, facts->kernel->params[i], bytes > 0, 0, bytes};
}

#endif
