/* SPDX-License-Identifier: MIT */
/* ir_build.c - new expressions, statements, types and variables for transformations.
 *
 *     ir_build_for(i, 0, 8, 1, body)     =>     for (int i = 0; i < 8; i++) body
 */
#include <string.h>

#include "translator/ir/ir_rewrite.h"

static const struct ir_type int_type = {
    .kind = IR_TYPE_INT, .spelling = "int", .size = 4, .align = 4, .is_signed = true, .extent = -1};
static const struct ir_type bool_type = {
    .kind = IR_TYPE_BOOL, .spelling = "bool", .size = 1, .align = 1, .extent = -1};
static const struct ir_type void_type = {
    .kind = IR_TYPE_VOID, .spelling = "void", .size = -1, .align = -1, .extent = -1};

const struct ir_type *ir_int_type(void) { return &int_type; }
const struct ir_type *ir_bool_type(void) { return &bool_type; }

static struct ir_expr *new_expr(struct arena *arena, enum ir_expr_kind kind,
                                const struct ir_type *type, unsigned operands)
{
  struct ir_expr *expr = ARENA_NEW(arena, struct ir_expr);
  expr->kind = kind;
  expr->id = UINT32_MAX;
  expr->type = type;
  expr->operand_count = operands;
  if (operands) expr->operands = arena_alloc(arena, operands * sizeof *expr->operands);
  return expr;
}

struct ir_expr *ir_build_index(struct arena *arena, struct ir_expr *array, struct ir_expr *index)
{
  struct ir_expr *expr = new_expr(arena, IR_EXPR_INDEX, array->type->element, 2);
  expr->operands[0] = array;
  expr->operands[1] = ir_build_converted(arena, index, NULL);
  return expr;
}

struct ir_expr *ir_build_assign(struct arena *arena, struct ir_expr *target, struct ir_expr *value)
{
  struct ir_expr *expr = new_expr(arena, IR_EXPR_ASSIGN, target->type, 2);
  expr->op = IR_OP_ASSIGN;
  expr->operands[0] = target;
  expr->operands[1] = ir_build_converted(arena, value, target->type);
  return expr;
}

struct ir_expr *ir_build_call(struct arena *arena, const char *name, enum ir_effect effect)
{
  struct ir_expr *expr = new_expr(arena, IR_EXPR_CALL, &void_type, 0);
  expr->text = name;
  expr->effect = effect;
  return expr;
}

void ir_add_argument(struct arena *arena, struct ir_expr *call, struct ir_expr *argument)
{
  struct ir_expr **operands = arena_alloc(arena, (call->operand_count + 1) * sizeof *operands);
  for (unsigned i = 0; i < call->operand_count; i++) operands[i] = call->operands[i];
  operands[call->operand_count++] = argument;
  call->operands = operands;
}

struct ir_expr *ir_build_cast(struct arena *arena, const struct ir_type *type,
                              struct ir_expr *operand)
{
  struct ir_expr *expr = new_expr(arena, IR_EXPR_CAST, type, 1);
  /* blockDim.x is a const unsigned int; nvcc warns about const in a cast */
  bool is_const = !type->element && type->is_const && !strncmp(type->spelling, "const ", 6);
  expr->text = type->spelling + (is_const ? 6 : 0);
  expr->operands[0] = operand;
  return expr;
}

struct ir_expr *ir_build_member(struct arena *arena, struct ir_expr *object, const char *name,
                                const struct ir_type *type)
{
  struct ir_expr *expr = new_expr(arena, IR_EXPR_MEMBER, type, 1);
  expr->text = name;
  expr->field_offset = -1;
  expr->operands[0] = object;
  return expr;
}

static enum ir_op opposite(const struct ir_expr *expr)
{
  for (unsigned i = 0; i < 2; i++)
    if (expr->operands[i]->type->kind != IR_TYPE_INT) return IR_OP_COUNT;
  switch (expr->op) {
  case IR_OP_LT: return IR_OP_GE;
  case IR_OP_GE: return IR_OP_LT;
  case IR_OP_GT: return IR_OP_LE;
  case IR_OP_LE: return IR_OP_GT;
  case IR_OP_EQ: return IR_OP_NE;
  case IR_OP_NE: return IR_OP_EQ;
  default: return IR_OP_COUNT;
  }
}

struct ir_expr *ir_build_not(struct arena *arena, struct ir_expr *condition)
{
  struct ir_expr *bare = ir_strip(condition);
  if (bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_NOT) return bare->operands[0];
  if (bare->kind == IR_EXPR_BINARY && (bare->op == IR_OP_LOR || bare->op == IR_OP_LAND))
    return ir_build_binary(arena, bare->op == IR_OP_LOR ? IR_OP_LAND : IR_OP_LOR,
                           ir_build_not(arena, bare->operands[0]),
                           ir_build_not(arena, bare->operands[1]));
  if (bare->kind == IR_EXPR_BINARY && opposite(bare) != IR_OP_COUNT)
    return ir_build_binary(arena, opposite(bare), bare->operands[0], bare->operands[1]);
  return ir_build_unary(arena, IR_OP_NOT, condition);
}

/* ---- statements ---- */

void ir_list_add(struct arena *arena, struct ir_list *list, struct ir_stmt *stmt)
{
  if (stmt) *ARENA_PUSH(arena, &list->items) = stmt;
}

static struct ir_stmt *new_stmt(struct arena *arena, enum ir_stmt_kind kind)
{
  struct ir_stmt *stmt = ARENA_NEW(arena, struct ir_stmt);
  stmt->kind = kind;
  stmt->id = UINT32_MAX;
  return stmt;
}

struct ir_stmt *ir_build_block(struct arena *arena, const struct ir_list *list)
{
  struct ir_stmt *stmt = new_stmt(arena, IR_STMT_BLOCK);
  stmt->child_count = list->items.count;
  stmt->children = arena_alloc(arena, (list->items.count + 1) * sizeof *stmt->children);
  for (unsigned i = 0; i < list->items.count; i++) stmt->children[i] = list->items.items[i];
  return stmt;
}

struct ir_stmt *ir_build_body(struct arena *arena, const struct ir_list *list)
{
  bool alone = list->items.count == 1 && list->items.items[0]->kind != IR_STMT_DECL &&
               list->items.items[0]->kind != IR_STMT_DECLS;
  return alone ? list->items.items[0] : ir_build_block(arena, list);
}

struct ir_stmt *ir_build_decl(struct arena *arena, struct ir_var *var, struct ir_expr *init)
{
  struct ir_stmt *stmt = new_stmt(arena, IR_STMT_DECL);
  stmt->var = var;
  stmt->expr = ir_build_converted(arena, init, var->type);
  stmt->init_style = init ? IR_INIT_ASSIGN : IR_INIT_NONE;
  return stmt;
}

struct ir_stmt *ir_build_zeroed(struct arena *arena, struct ir_var *var)
{
  struct ir_stmt *stmt = ir_build_decl(arena, var, NULL);

  stmt->expr = ARENA_NEW(arena, struct ir_expr);
  stmt->expr->kind = IR_EXPR_INIT_LIST;
  stmt->expr->type = var->type;
  stmt->init_style = IR_INIT_ASSIGN;
  return stmt;
}

struct ir_stmt *ir_build_expr_stmt(struct arena *arena, struct ir_expr *expr)
{
  struct ir_stmt *stmt = new_stmt(arena, IR_STMT_EXPR);
  stmt->expr = expr;
  return stmt;
}

struct ir_stmt *ir_build_if(struct arena *arena, struct ir_expr *condition, struct ir_stmt *body)
{
  struct ir_stmt *stmt = new_stmt(arena, IR_STMT_IF);
  stmt->expr = condition;
  stmt->body = body;
  return stmt;
}

static struct ir_expr *step_of(struct arena *arena, struct ir_var *iterator, int64_t step)
{
  struct ir_expr *self = ir_build_var(arena, iterator);
  if (step == 1) return ir_build_unary(arena, IR_OP_POST_INC, self);
  struct ir_expr *assign = ir_build_assign(arena, self, ir_build_int(arena, step));
  assign->op = IR_OP_ADD_ASSIGN;
  return assign;
}

struct ir_stmt *ir_build_for(struct arena *arena, struct ir_var *iterator, struct ir_expr *lower,
                             struct ir_expr *bound, int64_t step, struct ir_stmt *body)
{
  struct ir_stmt *stmt = new_stmt(arena, IR_STMT_FOR);
  stmt->init = ir_build_decl(arena, iterator, lower);
  stmt->expr = ir_build_binary(arena, IR_OP_LT, ir_build_var(arena, iterator), bound);
  stmt->increment = step_of(arena, iterator, step);
  stmt->body = body;
  stmt->loop = ARENA_NEW(arena, struct ir_loop);
  *stmt->loop = (struct ir_loop){.iterator = iterator,
                                 .lower = lower,
                                 .relation = IR_OP_LT,
                                 .bound = bound,
                                 .step = step,
                                 .declared = true};
  return stmt;
}

/* ---- types and variables ---- */

const struct ir_type *ir_build_array_type(struct arena *arena, const struct ir_type *element,
                                          int64_t extent)
{
  struct ir_type *type = ARENA_NEW(arena, struct ir_type);
  type->kind = IR_TYPE_ARRAY;
  type->spelling = arena_format(arena, "%s[%lld]", element->spelling, (long long)extent);
  type->size = element->size > 0 ? element->size * extent : -1;
  type->align = element->align;
  type->element = element;
  type->extent = extent;
  return type;
}

const struct ir_type *ir_build_pointer_type(struct arena *arena, const struct ir_type *element)
{
  struct ir_type *type = ARENA_NEW(arena, struct ir_type);
  type->kind = IR_TYPE_POINTER;
  type->spelling = arena_format(arena, "%s *", element->spelling);
  type->size = type->align = 8;
  type->element = element;
  type->extent = -1;
  return type;
}

const struct ir_type *ir_plain_type(struct arena *arena, const struct ir_type *type)
{
  if (!type->is_const && !type->is_volatile) return type;
  struct ir_type *plain = ARENA_NEW(arena, struct ir_type);
  *plain = *type;
  plain->is_const = plain->is_volatile = false;
  if (type->is_const && !strncmp(type->spelling, "const ", 6)) plain->spelling = type->spelling + 6;
  return plain;
}

struct ir_function *ir_copy_function(struct arena *arena, const struct ir_function *function)
{
  struct ir_function *copy = ARENA_NEW(arena, struct ir_function);
  *copy = *function;
  return copy;
}

static struct ir_var **appended(struct arena *arena, struct ir_var **vars, unsigned count,
                                struct ir_var *var)
{
  struct ir_var **longer = arena_alloc(arena, (count + 2) * sizeof *longer);
  for (unsigned i = 0; i < count; i++) longer[i] = vars[i];
  longer[count] = var;
  return longer;
}

struct ir_var *ir_add_local(struct arena *arena, struct ir_function *function, const char *name,
                            const struct ir_type *type)
{
  struct ir_var *var = ARENA_NEW(arena, struct ir_var);
  var->kind = IR_VAR_LOCAL;
  var->name = name;
  var->type = type;
  var->function = function;
  var->id = function->var_count;
  function->vars = appended(arena, function->vars, function->var_count, var);
  function->var_count++;
  return var;
}

struct ir_var *ir_add_param(struct arena *arena, struct ir_function *function, const char *name,
                            const struct ir_type *type)
{
  struct ir_var *var = ir_add_local(arena, function, name, type);
  var->kind = IR_VAR_PARAM;
  function->params = appended(arena, function->params, function->param_count, var);
  function->param_count++;
  return var;
}
