/* SPDX-License-Identifier: MIT */
/* known_calls.c - calls of the toolkit's functions and operators, by their meanings.
 *
 *     __stcs(&c[i], x)                    =>  c[i] = x                  the hint is a hint
 *     h += x       (__half)               =>  h = h + x
 *     h2 = y       (__half2)              =>  h2 = y
 *     block.thread_rank()                 =>  the sum of threadIdx and blockDim that it computes
 *     sincosf(x, &s, &c)                  =>  the call stays, with a model: a function with a
 *         body { *s = f(x); *c = f(x); } that analyses read and nothing prints
 *
 * Requires: device code (strict). Gives up: NULL, and the call has unknown effects, or those in
 * effects.def. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

static bool begins(const char *text, const char *with)
{
  return !strncmp(text, with, strlen(with));
}

/* Is the cursor in the toolkit, or in the prelude that replaces it? */
bool is_toolkit_cursor(struct frontend *f, CXCursor target)
{
  CXFile file;
  clang_getExpansionLocation(clang_getCursorLocation(target), &file, NULL, NULL, NULL);
  return is_system_cursor(target) || is_builtin_cursor(target) || source_file_index(f, file) < 0;
}

/* ---- operators of half and bfloat16 ---- */

static bool is_small_float(struct frontend *f, CXType type)
{
  type = clang_getCanonicalType(type);
  if (type.kind == CXType_LValueReference || type.kind == CXType_RValueReference)
    type = clang_getCanonicalType(clang_getPointeeType(type));
  CXCursor declaration = clang_getTypeDeclaration(type);
  if (clang_Cursor_isNull(declaration) || !is_system_cursor(declaration)) return false;
  const char *name = spelling_of(f, declaration);
  return begins(name, "__half") || begins(name, "__nv_bfloat16");
}

static bool is_read_twice(const struct ir_expr *expr)
{
  if (expr->kind == IR_EXPR_CALL || expr->kind == IR_EXPR_ASSIGN || expr->kind == IR_EXPR_OPAQUE ||
      (expr->kind == IR_EXPR_UNARY && expr->op >= IR_OP_POST_INC && expr->op <= IR_OP_PRE_DEC))
    return false;
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (!is_read_twice(expr->operands[i])) return false;
  return true;
}

/* The value of h = float(2), by the class's conversion. */
static struct ir_expr *converted(struct lower *l, CXCursor cursor, struct ir_expr *value,
                                 const struct ir_type *type)
{
  const struct ir_type *own = value->type;
  if (own->kind == type->kind && (own->kind != IR_TYPE_RECORD || own->size == type->size))
    return value;
  struct ir_expr *cast = new_expr(l, IR_EXPR_CAST, cursor, 1);
  cast->type = type;
  cast->text = type->spelling;
  cast->operands[0] = value;
  return cast;
}

static struct ir_expr *assignment(struct lower *l, CXCursor cursor, struct ir_expr *to,
                                  struct ir_expr *value)
{
  struct ir_expr *expr = new_expr(l, IR_EXPR_ASSIGN, cursor, 2);
  expr->op = IR_OP_ASSIGN;
  expr->type = to->type;
  expr->operands[0] = to;
  expr->operands[1] = value;
  return expr;
}

struct ir_expr *lower_known_operator(struct lower *l, CXCursor cursor, const char *name,
                                     CXCursor left, CXCursor right)
{
  struct frontend *f = l->frontend;
  static const char *const arithmetic[] = {"operator+=", "operator-=", "operator*=", "operator/="};
  if (!l->strict || !is_small_float(f, clang_getCursorType(left))) return NULL;
  bool plain = !strcmp(name, "operator="), compound = false;
  for (unsigned i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++)
    compound |= !strcmp(name, arithmetic[i]);
  if (!plain && !compound) return NULL;
  struct ir_expr *to = lower_expr(l, left);
  if (plain) return assignment(l, cursor, to, converted(l, right, lower_expr(l, right), to->type));
  if (!is_read_twice(to) || !is_small_float(f, clang_getCursorType(right))) return NULL;
  struct ir_expr *sum = new_expr(l, IR_EXPR_CALL, cursor, 2);
  sum->type = to->type;
  sum->text = arena_copy(f->arena, name, strlen(name) - 1);
  sum->effect = IR_EFFECT_NONE;
  sum->operands[0] = lower_expr(l, left);
  sum->operands[1] = lower_expr(l, right);
  return assignment(l, cursor, to, sum);
}

/* The meaning of float(h), and of h where a float is expected: a cast. */
struct ir_expr *lower_known_conversion(struct lower *l, CXCursor cursor, CXCursor target,
                                       CXCursor object)
{
  CXCursor parent = clang_getCursorSemanticParent(target);
  if (!l->strict || clang_getCursorKind(target) != CXCursor_ConversionFunction ||
      !is_small_float(l->frontend, clang_getCursorType(parent)))
    return NULL;
  struct ir_expr *cast = new_expr(l, IR_EXPR_CAST, cursor, 1);
  cast->text = cast->type->spelling;
  cast->operands[0] = lower_expr(l, object);
  return cast;
}

/* ---- cooperative groups: the block ---- */

static bool is_block_method(struct frontend *f, CXCursor target)
{
  CXCursor parent = clang_getCursorSemanticParent(target);
  return !clang_Cursor_isNull(parent) &&
         strstr(qualified_name(f, target), "cooperative_groups::") &&
         begins(spelling_of(f, parent), "thread_block") &&
         !begins(spelling_of(f, parent), "thread_block_tile");
}

int known_block_member(struct frontend *f, CXCursor object)
{
  static const struct {
    const char *name;
    int builtin;
  } methods[] = {{"thread_index", IR_THREAD_IDX},
                 {"group_index", IR_BLOCK_IDX},
                 {"group_dim", IR_BLOCK_DIM},
                 {"dim_threads", IR_BLOCK_DIM}};
  while (clang_getCursorKind(object) == CXCursor_UnexposedExpr) {
    struct children children = children_of(f, object);
    if (children.count != 1) return -1;
    object = children.items[0];
  }
  CXCursor target = clang_getCursorReferenced(object);
  if (clang_getCursorKind(object) != CXCursor_CallExpr || clang_Cursor_isNull(target) ||
      !is_block_method(f, target))
    return -1;
  for (unsigned i = 0; i < sizeof methods / sizeof *methods; i++)
    if (!strcmp(spelling_of(f, target), methods[i].name)) return methods[i].builtin;
  return -1;
}

static struct ir_expr *builtin(struct lower *l, CXCursor cursor, int value)
{
  struct ir_expr *expr = new_expr(l, IR_EXPR_BUILTIN, cursor, 0);
  expr->value = value;
  return expr;
}

static struct ir_expr *binary(struct lower *l, CXCursor cursor, enum ir_op op, struct ir_expr *left,
                              struct ir_expr *right)
{
  struct ir_expr *expr = new_expr(l, IR_EXPR_BINARY, cursor, 2);
  expr->op = op;
  expr->operands[0] = left;
  expr->operands[1] = right;
  return expr;
}

/* x + blockDim.x * (y + blockDim.y * z), in parentheses. */
static struct ir_expr *thread_rank(struct lower *l, CXCursor cursor)
{
  struct ir_expr *sum = builtin(l, cursor, IR_THREAD_IDX + 2);
  for (int axis = 1; axis >= 0; axis--) {
    struct ir_expr *inner = new_expr(l, IR_EXPR_PAREN, cursor, 1);
    inner->operands[0] = sum;
    sum = binary(l, cursor, IR_OP_ADD, builtin(l, cursor, IR_THREAD_IDX + axis),
                 binary(l, cursor, IR_OP_MUL, builtin(l, cursor, IR_BLOCK_DIM + axis), inner));
  }
  struct ir_expr *whole = new_expr(l, IR_EXPR_PAREN, cursor, 1);
  whole->operands[0] = sum;
  return whole;
}

static struct ir_expr *thread_count(struct lower *l, CXCursor cursor)
{
  struct ir_expr *product = builtin(l, cursor, IR_BLOCK_DIM);
  for (int axis = 1; axis < 3; axis++)
    product = binary(l, cursor, IR_OP_MUL, product, builtin(l, cursor, IR_BLOCK_DIM + axis));
  struct ir_expr *whole = new_expr(l, IR_EXPR_PAREN, cursor, 1);
  whole->operands[0] = product;
  return whole;
}

struct ir_expr *lower_known_method(struct lower *l, CXCursor cursor, CXCursor target)
{
  if (!l->strict || clang_Cursor_isNull(target) || !is_block_method(l->frontend, target))
    return NULL;
  const char *name = spelling_of(l->frontend, target);
  if (!strcmp(name, "thread_rank")) return thread_rank(l, cursor);
  if (!strcmp(name, "size") || !strcmp(name, "num_threads")) return thread_count(l, cursor);
  return NULL;
}

/* ---- stores with a hint ---- */

static struct ir_expr *pointed(struct lower *l, CXCursor cursor, struct ir_expr *pointer)
{
  struct ir_expr *bare = ir_strip(pointer);
  if (bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_ADDRESS) return bare->operands[0];
  struct ir_expr *expr = new_expr(l, IR_EXPR_UNARY, cursor, 1);
  expr->op = IR_OP_DEREF;
  expr->type = pointer->type->element;
  expr->operands[0] = pointer;
  return expr;
}

static bool is_hinted_store(const char *name)
{
  return !strcmp(name, "__stcs") || !strcmp(name, "__stcg") || !strcmp(name, "__stwb");
}

struct ir_expr *lower_known_call(struct lower *l, CXCursor cursor, CXCursor target,
                                 const struct children *arguments)
{
  if (!l->strict || clang_Cursor_isNull(target) || arguments->count != 2 ||
      !is_toolkit_cursor(l->frontend, target) || !is_hinted_store(spelling_of(l->frontend, target)))
    return NULL;
  struct ir_expr *pointer = lower_expr(l, arguments->items[0]);
  if (pointer->type->kind != IR_TYPE_POINTER) return NULL;
  struct ir_expr *to = pointed(l, cursor, pointer);
  return assignment(l, cursor, to,
                    converted(l, cursor, lower_expr(l, arguments->items[1]), to->type));
}

/* ---- models ---- */

static bool is_writer(const char *name)
{
#define WRITER(text) \
  if (!strcmp(name, text)) return true;
#include "translator/frontend/known_calls.def"
  return false;
}

static struct ir_expr *node(struct frontend *f, struct ir_function *function,
                            enum ir_expr_kind kind, const struct ir_type *type, unsigned operands)
{
  struct ir_expr *expr = ARENA_NEW(f->arena, struct ir_expr);
  expr->kind = kind;
  expr->id = function->expr_count++;
  expr->type = type;
  expr->operand_count = operands;
  expr->operands = arena_alloc(f->arena, (operands + 1) * sizeof *expr->operands);
  return expr;
}

static const struct ir_type byte_type = {
    .kind = IR_TYPE_INT, .spelling = "char", .size = 1, .align = 1, .is_signed = true};

/* The value of a parameter, or of its pointee. */
static struct ir_expr *value_of(struct frontend *f, struct ir_function *function,
                                struct ir_var *param)
{
  struct ir_expr *named = node(f, function, IR_EXPR_VAR, param->type, 0);
  named->var = param;
  named->text = param->name;
  if (param->type->kind != IR_TYPE_POINTER) return named;
  const struct ir_type *element = param->type->element;
  struct ir_expr *expr =
      node(f, function, IR_EXPR_UNARY, element->kind == IR_TYPE_VOID ? &byte_type : element, 1);
  expr->op = IR_OP_DEREF;
  expr->operands[0] = named;
  return expr;
}

static bool is_written(const struct ir_var *param)
{
  return param->type->kind == IR_TYPE_POINTER && !param->type->element->is_const;
}

/* f(x) over all parameters that are not written. */
static struct ir_expr *result_of(struct frontend *f, struct ir_function *function,
                                 const struct ir_type *type)
{
  struct ir_expr *call = node(f, function, IR_EXPR_CALL, type, function->param_count);
  call->text = function->name;
  call->effect = IR_EFFECT_NONE;
  call->operand_count = 0;
  for (unsigned i = 0; i < function->param_count; i++)
    if (!is_written(function->params[i]))
      call->operands[call->operand_count++] = value_of(f, function, function->params[i]);
  return call;
}

static struct ir_stmt *store(struct frontend *f, struct ir_function *function, struct ir_var *param)
{
  struct ir_stmt *stmt = ARENA_NEW(f->arena, struct ir_stmt);
  struct ir_expr *to = value_of(f, function, param),
                 *expr = node(f, function, IR_EXPR_ASSIGN, to->type, 2);
  expr->op = IR_OP_ASSIGN;
  expr->operands[0] = to;
  expr->operands[1] = result_of(f, function, to->type);
  stmt->kind = IR_STMT_EXPR;
  stmt->id = function->stmt_count++;
  stmt->expr = expr;
  return stmt;
}

static void add_parameters(struct frontend *f, struct ir_function *function, CXCursor target)
{
  int count = clang_Cursor_getNumArguments(target);
  function->param_count = function->var_count = count > 0 ? (unsigned)count : 0;
  function->params = function->vars =
      arena_alloc(f->arena, (function->param_count + 1) * sizeof *function->params);
  for (unsigned i = 0; i < function->param_count; i++) {
    struct ir_var *var = ARENA_NEW(f->arena, struct ir_var);
    var->id = i;
    var->kind = IR_VAR_PARAM;
    var->name = arena_format(f->arena, "p%u", i);
    var->type = type_of(f, clang_getCursorType(clang_Cursor_getArgument(target, i)));
    var->function = function;
    function->params[i] = var;
  }
}

static void add_body(struct frontend *f, struct ir_function *function)
{
  struct ir_stmt *body = ARENA_NEW(f->arena, struct ir_stmt);
  body->kind = IR_STMT_BLOCK;
  body->id = function->stmt_count++;
  body->children = arena_alloc(f->arena, (function->param_count + 1) * sizeof *body->children);
  for (unsigned i = 0; i < function->param_count; i++)
    if (is_written(function->params[i]) && !SEEDED(WRITER_FORGOTTEN))
      body->children[body->child_count++] = store(f, function, function->params[i]);
  function->body = body;
}

struct ir_function *known_function(struct frontend *f, CXCursor target)
{
  if (clang_getCursorKind(target) != CXCursor_FunctionDecl || !is_toolkit_cursor(f, target) ||
      !is_writer(spelling_of(f, target)))
    return NULL;
  CXCursor canonical = clang_getCanonicalCursor(target);
  struct ir_function *function = cursor_map_get(&f->functions, canonical);
  if (function) return function;
  function = ARENA_NEW(f->arena, struct ir_function);
  cursor_map_put(f->arena, &f->functions, canonical, function);
  function->id = f->unit->functions.count;
  *ARENA_PUSH(f->arena, &f->unit->functions) = function;
  *ARENA_PUSH(f->arena, &f->bodies) = clang_getNullCursor();
  function->name = function->qualified = spelling_of(f, target);
  function->is_device = function->is_host = function->is_model = true;
  function->result = type_of(f, clang_getResultType(clang_getCursorType(target)));
  add_parameters(f, function, target);
  add_body(f, function);
  return function;
}
