/* SPDX-License-Identifier: MIT */
/* ir.c - helpers for the IR: operators, stripping, constants, visitors, building. */
#include "translator/ir/ir.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/seeded.h"

#define CONSTANT_DEPTH \
  256u /* deeper expressions are not constants: callers ask again at every level of a long chain \
        */

static const struct {
  const char *spelling;
  int arity, precedence;
} operators[IR_OP_COUNT] = {
#define OP(id, spelling, arity, precedence) {spelling, arity, precedence},
#include "translator/ir/ops.def"
#undef OP
};

static const char *const builtins[IR_BUILTIN_COUNT] = {
    "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y",
    "blockIdx.z",  "blockDim.x",  "blockDim.y",  "blockDim.z", "gridDim.x",
    "gridDim.y",   "gridDim.z",   "warpSize"};

const char *ir_op_spelling(enum ir_op op) { return operators[op].spelling; }
int ir_op_precedence(enum ir_op op) { return operators[op].precedence; }
const char *ir_builtin_spelling(enum ir_builtin builtin) { return builtins[builtin]; }

bool ir_type_is_int(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT && type->size == 4 && type->is_signed;
}

bool ir_type_holds_pointers(const struct ir_type *type)
{
  while (type && type->kind == IR_TYPE_ARRAY) type = type->element;
  return type && (type->kind == IR_TYPE_POINTER ||
                  (type->kind == IR_TYPE_RECORD && type->pointer_count > 0));
}

struct ir_expr *ir_strip(struct ir_expr *expr)
{
  while (expr && (expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_PAREN) &&
         expr->operand_count == 1)
    expr = expr->operands[0];
  return expr;
}

const struct ir_var *ir_holder(const struct ir_expr *expr)
{
  for (expr = ir_strip((struct ir_expr *)expr);
       expr->kind == IR_EXPR_INDEX || expr->kind == IR_EXPR_MEMBER;) {
    bool is_index = expr->kind == IR_EXPR_INDEX;
    if (!expr->operand_count || (!is_index && expr->is_arrow)) return NULL;
    expr = ir_strip(expr->operands[0]);
    if (is_index && expr->type->kind != IR_TYPE_ARRAY) return NULL;
    if (!is_index && expr->type->kind == IR_TYPE_REFERENCE) return NULL;
  }
  return expr->kind == IR_EXPR_VAR && expr->var->type->kind != IR_TYPE_REFERENCE ? expr->var : NULL;
}

unsigned ir_head_params(const struct ir_function *function)
{
  unsigned count = 0;
  while (count < function->param_count && !function->params[count]->part_of) count++;
  return count;
}

/* The value as the type holds it: wrapped to its width. */
static int64_t wrap(int64_t value, const struct ir_type *type)
{
  if (!type) return value;
  if (type->kind == IR_TYPE_BOOL) return value != 0;
  if (type->kind != IR_TYPE_INT || type->size <= 0 || type->size >= 8) return value;
  int unused = 64 - 8 * (int)type->size;
  uint64_t shifted = (uint64_t)value << unused;
  return type->is_signed ? (int64_t)shifted >> unused : (int64_t)(shifted >> unused);
}

static bool is_unsigned64(const struct ir_type *type)
{
  return type && type->kind == IR_TYPE_INT && type->size == 8 && !type->is_signed;
}

static bool constant_at(const struct ir_expr *, unsigned depth, int64_t *ret_value);

static bool constant_binary(const struct ir_expr *expr, unsigned depth, int64_t *ret)
{
  int64_t a, b;
  if (!constant_at(expr->operands[0], depth + 1, &a)) return false;
  if (expr->op == IR_OP_LAND && !a) return *ret = 0, true;
  if (expr->op == IR_OP_LOR && a) return *ret = 1, true;
  if (!constant_at(expr->operands[1], depth + 1, &b)) return false;
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
  bool wide = is_unsigned64(expr->operands[0]->type);
  switch (expr->op) {
  case IR_OP_ADD: a = (int64_t)(ua + ub); break;
  case IR_OP_SUB: a = (int64_t)(ua - ub); break;
  case IR_OP_MUL: a = (int64_t)(ua * ub); break;
  case IR_OP_DIV:
    if (!b || (a == INT64_MIN && b == -1)) return false;
    a = wide ? (int64_t)(ua / ub) : a / b;
    break;
  case IR_OP_REM:
    if (!b || (a == INT64_MIN && b == -1)) return false;
    a = wide ? (int64_t)(ua % ub) : a % b;
    break;
  case IR_OP_SHL:
    if (b < 0 || b > 63) return false;
    a = (int64_t)(ua << b);
    break;
  case IR_OP_SHR:
    if (b < 0 || b > 63) return false;
    a = wide ? (int64_t)(ua >> b) : a >> b;
    break;
  case IR_OP_AND: a &= b; break;
  case IR_OP_OR: a |= b; break;
  case IR_OP_XOR: a ^= b; break;
  case IR_OP_LT: a = wide ? ua < ub : a < b; break;
  case IR_OP_GT: a = wide ? ua > ub : a > b; break;
  case IR_OP_LE: a = wide ? ua <= ub : a <= b; break;
  case IR_OP_GE: a = wide ? ua >= ub : a >= b; break;
  case IR_OP_EQ: a = a == b; break;
  case IR_OP_NE: a = a != b; break;
  case IR_OP_LAND: a = a && b; break;
  case IR_OP_LOR: a = a || b; break;
  default: return false;
  }
  *ret = wrap(a, expr->type);
  return true;
}

static bool constant_unary(const struct ir_expr *expr, unsigned depth, int64_t *ret)
{
  int64_t a;
  if (!constant_at(expr->operands[0], depth + 1, &a)) return false;
  switch (expr->op) {
  case IR_OP_PLUS: break;
  case IR_OP_NEG: a = (int64_t)(0 - (uint64_t)a); break;
  case IR_OP_BIT_NOT: a = ~a; break;
  case IR_OP_NOT: a = !a; break;
  default: return false;
  }
  *ret = wrap(a, expr->type);
  return true;
}

static bool constant_at(const struct ir_expr *expr, unsigned depth, int64_t *ret_value)
{
  if (!expr || depth > CONSTANT_DEPTH) return false;
  bool integral =
      !expr->type || expr->type->kind == IR_TYPE_INT || expr->type->kind == IR_TYPE_BOOL;
  if (!integral) return false;
  int64_t value;
  switch (expr->kind) {
  case IR_EXPR_INT: *ret_value = expr->value; return true;
  case IR_EXPR_SIZEOF:
    if (expr->has_value) *ret_value = expr->value;
    return expr->has_value;
  case IR_EXPR_VAR:
    if (expr->var->has_value) *ret_value = expr->var->value;
    return expr->var->has_value;
  case IR_EXPR_PAREN:
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST:
    if (expr->operand_count != 1 || !constant_at(expr->operands[0], depth + 1, &value))
      return false;
    *ret_value = wrap(value, expr->type);
    return true;
  case IR_EXPR_UNARY: return constant_unary(expr, depth, ret_value);
  case IR_EXPR_BINARY: return constant_binary(expr, depth, ret_value);
  case IR_EXPR_COND:
    if (!constant_at(expr->operands[0], depth + 1, &value)) return false;
    return constant_at(expr->operands[value ? 1 : 2], depth + 1, ret_value);
  default: return false;
  }
}

bool ir_owns(const struct ir_function *function, const struct ir_var *var)
{
  return (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM) &&
         var->id < function->var_count && function->vars[var->id] == var;
}

bool ir_constant(const struct ir_expr *expr, int64_t *ret_value)
{
  return constant_at(expr, 0, ret_value);
}

bool ir_may_trap(const struct ir_expr *expr)
{
  bool divides = expr->kind == IR_EXPR_BINARY && (expr->op == IR_OP_DIV || expr->op == IR_OP_REM);
  bool assigns = expr->kind == IR_EXPR_ASSIGN &&
                 (expr->op == IR_OP_DIV_ASSIGN || expr->op == IR_OP_REM_ASSIGN);
  int64_t divisor;
  return (divides || assigns) && expr->type->kind == IR_TYPE_INT && !SEEDED(DIVISION_SPECULATED) &&
         !(ir_constant(expr->operands[1], &divisor) && divisor > 0);
}

void ir_visit_expr(struct ir_expr *expr, ir_expr_visitor *visit, void *context)
{
  if (!expr) return;
  visit(expr, context);
  for (unsigned i = 0; i < expr->operand_count; i++)
    ir_visit_expr(expr->operands[i], visit, context);
}

void ir_visit_stmts(struct ir_stmt *stmt, ir_stmt_visitor *visit, void *context)
{
  if (!stmt || !visit(stmt, context)) return;
  ir_visit_stmts(stmt->init, visit, context);
  ir_visit_stmts(stmt->body, visit, context);
  ir_visit_stmts(stmt->else_body, visit, context);
  for (unsigned i = 0; i < stmt->child_count; i++)
    ir_visit_stmts(stmt->children[i], visit, context);
}

struct expr_visit {
  ir_expr_visitor *visit;
  void *context;
};

static bool visit_exprs_of(struct ir_stmt *stmt, void *context)
{
  struct expr_visit *v = context;
  ir_visit_expr(stmt->expr, v->visit, v->context);
  ir_visit_expr(stmt->increment, v->visit, v->context);
  for (unsigned i = 0; i < stmt->expr_count; i++)
    ir_visit_expr(stmt->exprs[i], v->visit, v->context);
  return true;
}

void ir_visit_stmt_exprs(struct ir_stmt *stmt, ir_expr_visitor *visit, void *context)
{
  struct expr_visit v = {visit, context};
  ir_visit_stmts(stmt, visit_exprs_of, &v);
}

/* ---- building ---- */

static const struct ir_type int_type = {
    .kind = IR_TYPE_INT, .spelling = "int", .size = 4, .align = 4, .is_signed = true, .extent = -1};
static const struct ir_type unsigned_type = {
    .kind = IR_TYPE_INT, .spelling = "unsigned int", .size = 4, .align = 4, .extent = -1};
static const struct ir_type long_type = {.kind = IR_TYPE_INT,
                                         .spelling = "long long",
                                         .size = 8,
                                         .align = 8,
                                         .is_signed = true,
                                         .extent = -1};
static const struct ir_type bool_type = {
    .kind = IR_TYPE_BOOL, .spelling = "bool", .size = 1, .align = 1, .extent = -1};

static struct ir_expr *build(struct arena *arena, enum ir_expr_kind kind, unsigned operand_count)
{
  struct ir_expr *expr = ARENA_NEW(arena, struct ir_expr);
  expr->kind = kind;
  expr->id = UINT32_MAX;
  expr->type = &int_type;
  expr->operand_count = operand_count;
  if (operand_count) expr->operands = arena_alloc(arena, operand_count * sizeof *expr->operands);
  return expr;
}

struct ir_expr *ir_build_int(struct arena *arena, int64_t value)
{
  struct ir_expr *expr = build(arena, IR_EXPR_INT, 0);
  expr->value = value;
  if (value != (int32_t)value) expr->type = &long_type;
  return expr;
}

struct ir_expr *ir_build_var(struct arena *arena, struct ir_var *var)
{
  struct ir_expr *expr = build(arena, IR_EXPR_VAR, 0);
  expr->var = var;
  if (var->type) expr->type = var->type;
  return expr;
}

struct ir_expr *ir_build_builtin(struct arena *arena, enum ir_builtin builtin)
{
  struct ir_expr *expr = build(arena, IR_EXPR_BUILTIN, 0);
  expr->value = builtin;
  if (builtin != IR_WARP_SIZE) expr->type = &unsigned_type;
  return expr;
}

static bool yields_bool(enum ir_op op)
{
  return (op >= IR_OP_LT && op <= IR_OP_NE) || op == IR_OP_LAND || op == IR_OP_LOR ||
         op == IR_OP_NOT;
}

static bool is_integer(const struct ir_type *type)
{
  return type && (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_BOOL);
}

static const struct ir_type *promoted(const struct ir_type *type)
{
  return type->size < 4 || type->kind == IR_TYPE_BOOL ? &int_type : type;
}

/* The type in which C computes with both operands: pointers and floating-point numbers win, then
 * the larger integer, then the unsigned one. */
static const struct ir_type *common_type(const struct ir_type *a, const struct ir_type *b)
{
  if (!a || !b) return a ? a : b ? b : &int_type;
  if (!is_integer(a) || !is_integer(b))
    return !is_integer(a) && (is_integer(b) || a->kind != IR_TYPE_FLOAT || a->size >= b->size) ? a
                                                                                               : b;
  a = promoted(a);
  b = promoted(b);
  if (a->size != b->size) return a->size > b->size ? a : b;
  return a->is_signed ? b : a;
}

static const struct ir_type *binary_type(enum ir_op op, const struct ir_type *a,
                                         const struct ir_type *b)
{
  if (yields_bool(op)) return &bool_type;
  if (op == IR_OP_SHL || op == IR_OP_SHR) return is_integer(a) ? promoted(a) : a;
  if (op == IR_OP_COMMA) return b;
  bool distance = op == IR_OP_SUB && a && b && !is_integer(a) && !is_integer(b) &&
                  a->kind != IR_TYPE_FLOAT && b->kind != IR_TYPE_FLOAT;
  return distance ? &long_type : common_type(a, b);
}

/* Has every value of `from` the same value in `to`? */
static bool holds(const struct ir_type *to, const struct ir_type *from)
{
  if (!is_integer(to) || !is_integer(from)) return to->kind == from->kind && to->size >= from->size;
  bool is_bool = from->kind == IR_TYPE_BOOL;
  return is_bool ||
         (to->kind == IR_TYPE_INT &&
          (from->is_signed ? to->is_signed && to->size >= from->size
                           : to->size > from->size || (to->size == from->size && !to->is_signed)));
}

static bool is_arithmetic(const struct ir_type *type)
{
  return is_integer(type) || (type && type->kind == IR_TYPE_FLOAT);
}

/* The type of the expression as it is printed, without implicit conversions. */
static const struct ir_type *printed_type(const struct ir_expr *expr)
{
  while (expr->kind == IR_EXPR_CONVERT || expr->kind == IR_EXPR_PAREN) expr = expr->operands[0];
  return expr->type;
}

static bool same_arithmetic(const struct ir_type *a, const struct ir_type *b)
{
  return a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed;
}

/* Has the expression an implicit conversion between numbers, which is not printed? */
static bool loses_conversion(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_CONVERT && is_arithmetic(expr->type) &&
         is_arithmetic(printed_type(expr)) && !SEEDED(CONVERSION_LOST);
}

static struct ir_expr *with_cast(struct arena *arena, struct ir_expr *operand)
{
  struct ir_expr *cast = build(arena, IR_EXPR_CAST, 1);
  cast->type = operand->type;
  cast->text = operand->type->spelling;
  cast->operands[0] = operand;
  return cast;
}

/* An operand from another place may have an implicit conversion around it, which is not printed. A
 * cast replaces it, unless the operation in `type`, beside an operand printed with the type
 * `beside` (NULL: there is none), makes the same conversion. */
static struct ir_expr *moved(struct arena *arena, struct ir_expr *operand,
                             const struct ir_type *beside, const struct ir_type *type)
{
  const struct ir_type *to = operand->type, *from = printed_type(operand);
  if (!loses_conversion(operand)) return operand;
  if (same_arithmetic(common_type(from, beside), type) &&
      (holds(to, from) || same_arithmetic(to, type)))
    return operand;
  return with_cast(arena, operand);
}

struct ir_expr *ir_build_converted(struct arena *arena, struct ir_expr *value,
                                   const struct ir_type *type)
{
  if (!value || !loses_conversion(value)) return value;
  bool kept = holds(value->type, printed_type(value)) ||
              (type && is_arithmetic(type) && same_arithmetic(type, value->type));
  return kept ? value : with_cast(arena, value);
}

struct ir_expr *ir_build_binary(struct arena *arena, enum ir_op op, struct ir_expr *left,
                                struct ir_expr *right)
{
  struct ir_expr *expr = build(arena, IR_EXPR_BINARY, 2);
  bool logical = op == IR_OP_LAND || op == IR_OP_LOR || op == IR_OP_COMMA,
       shifts = op == IR_OP_SHL || op == IR_OP_SHR;
  const struct ir_type *computed = common_type(left->type, shifts ? NULL : right->type);
  expr->op = op;
  expr->type = binary_type(op, left->type, right->type);
  expr->operands[0] =
      logical ? left : moved(arena, left, shifts ? NULL : printed_type(right), computed);
  expr->operands[1] =
      logical || shifts ? right : moved(arena, right, printed_type(expr->operands[0]), computed);
  return expr;
}

struct ir_expr *ir_build_unary(struct arena *arena, enum ir_op op, struct ir_expr *operand)
{
  struct ir_expr *expr = build(arena, IR_EXPR_UNARY, 1);
  bool computes = op == IR_OP_NEG || op == IR_OP_PLUS || op == IR_OP_BIT_NOT;
  expr->op = op;
  expr->type = yields_bool(op)                         ? &bool_type
               : computes && is_integer(operand->type) ? promoted(operand->type)
                                                       : operand->type;
  expr->operands[0] = computes ? moved(arena, operand, NULL, expr->type) : operand;
  return expr;
}

struct ir_expr *ir_build_both(struct arena *arena, struct ir_expr *left, struct ir_expr *right)
{
  if (!left || !right) return left ? left : right;
  return ir_build_binary(arena, IR_OP_LAND, left, right);
}

struct ir_expr *ir_build_cond(struct arena *arena, struct ir_expr *condition, struct ir_expr *yes,
                              struct ir_expr *no)
{
  struct ir_expr *expr = build(arena, IR_EXPR_COND, 3);
  expr->type = yes->type && no->type && is_arithmetic(yes->type) && is_arithmetic(no->type)
                   ? common_type(yes->type, no->type)
                   : yes->type;
  expr->operands[0] = condition;
  expr->operands[1] = moved(arena, yes, printed_type(no), expr->type);
  expr->operands[2] = moved(arena, no, printed_type(expr->operands[1]), expr->type);
  return expr;
}

struct ir_expr *ir_build_safe_quotient(struct arena *arena, struct ir_expr *plain)
{
  struct ir_expr *a = plain->operands[0], *b = plain->operands[1], *zero = ir_build_int(arena, 0);
  int64_t by;

  if (ir_constant(b, &by) && by > 0) return plain;
  struct ir_expr *special = ir_build_binary(arena, IR_OP_EQ, b, zero);
  if (b->type->is_signed) {
    struct ir_expr *minus = ir_build_binary(arena, IR_OP_SUB, zero, ir_build_int(arena, 1));
    special =
        ir_build_binary(arena, IR_OP_LOR, special, ir_build_binary(arena, IR_OP_EQ, b, minus));
  }
  struct ir_expr *other =
      plain->op == IR_OP_REM ? zero : ir_build_binary(arena, IR_OP_SUB, zero, a);
  other->type = plain->type;
  struct ir_expr *made = ir_build_cond(arena, special, other, plain);
  made->type = plain->type;
  return made;
}

const char *ir_private_before(struct arena *arena, const struct ir_expr *member)
{
  bool is_arrow = member->operand_count && member->is_arrow;
  return arena_format(arena, "(*(%s *)((char *)%s(", member->type->spelling, is_arrow ? "" : "&");
}

const char *ir_private_behind(struct arena *arena, int64_t offset)
{
  return arena_format(arena, ") + %" PRId64 "))", offset);
}
