/* SPDX-License-Identifier: MIT */
/* constants.c - constant propagation in host code, on demand.
 *
 *     static const int bx = 16;
 *     int blocks = (n + bx - 1) / bx;    // n: parameter of a static function, 1000 at every call
 *     dim3 grid(blocks); grid.y = 2;
 *     k<<<grid, bx>>>(p);                // grid {63, 2, 1}, block {16, 1, 1}
 *
 * Requires verified IR. Produces the value of an expression at a place, if it is the same on every
 * path that reaches the place, with the arithmetic of C (constants_math.c). Gives up (false) at
 * everything else: a variable that escapes or has more than one reaching definition, a call, signed
 * overflow, a division by zero.
 */
#include "analysis/host/constants.h"

#include <string.h>

#include "analysis/host/constants_math.h"
#include "analysis/host/host_calls.h"
#include "analysis/data/host_edit.h"
#include "runtime/seeded.h"

#define MAX_DEPTH 400

struct constants {
  struct host_index *index;
  unsigned depth; /* nested evaluations: limits recursion through definitions and callers */
  unsigned steps; /* evaluations for the current question: limits the work */
};

#define MAX_STEPS 100000

static bool evaluate(struct constants *, const struct ir_expr *, struct host_point,
                     struct number *ret);
static bool component(struct constants *, const struct ir_expr *, unsigned axis, struct host_point,
                      struct number *ret);

struct constants *constants_create(struct unit *unit)
{
  struct host_index *index = host_index_create(unit);
  struct constants *constants = ARENA_NEW(host_index_arena(index), struct constants);
  constants->index = index;
  return constants;
}

void constants_destroy(struct constants *constants)
{
  if (constants) host_index_destroy(constants->index);
}

struct host_index *constants_index(struct constants *constants) { return constants->index; }

/* ---- variables ---- */

bool constants_never_changes(struct constants *c, const struct ir_var *var)
{
  struct host_var *entry = host_var_of(c->index, var);
  if (!var->is_static || var->write_count > 1 || !entry || entry->escapes) return false;
  unsigned writes = 0;
  for (unsigned i = 0; i < entry->writes.count; i++) writes += entry->writes.items[i].node != NULL;
  return writes == 0 && !host_unseen_use(c->index, var);
}

typedef bool evaluator(struct constants *, const struct ir_expr *, unsigned axis, struct host_point,
                       struct number *);

static bool same_number(struct number a, struct number b)
{
  return a.is_float == b.is_float && (a.is_float ? a.real == b.real : a.integer == b.integer);
}

/* The value that every call of a static function passes for its parameter. */
static bool of_callers(struct constants *c, const struct ir_var *param, evaluator *value,
                       unsigned axis, struct number *ret)
{
  struct ir_function *function = param->function;
  unsigned number = 0;
  while (number < function->param_count && function->params[number] != param) number++;
  const struct host_function *entry = host_function_of(c->index, function);
  if (number == function->param_count || !entry->calls.count ||
      !host_callers_known(c->index, function))
    return false;
  struct number first = {0};
  for (unsigned i = 0; i < entry->calls.count; i++) {
    const struct host_node *call = entry->calls.items[i];
    struct number passed;
    if (number >= call->expr->operand_count) return false; /* a default argument */
    if (!value(c, call->expr->operands[number], axis,
               (struct host_point){call->function, call->stmt, NULL}, &passed))
      return false;
    if (i && !same_number(passed, first) && !SEEDED(FIRST_CALLER_ONLY)) return false;
    first = passed;
  }
  *ret = first;
  return true;
}

static bool of_local(struct constants *c, const struct ir_var *var, evaluator *value, int axis,
                     struct host_point at, struct number *ret)
{
  const struct host_write *write;
  switch (host_reach(c->index, var, axis, at, &write)) {
  case HOST_REACH_ENTRY:
    return var->kind == IR_VAR_PARAM &&
           of_callers(c, var, value, axis < 0 ? 0 : (unsigned)axis, ret);
  case HOST_REACH_WRITE: {
    struct host_point there = host_point_of_write(write, at.function);
    if (write->value) {
      if (axis >= 0 && write->component >= 0) return evaluate(c, write->value, there, ret);
      return value(c, write->value, axis < 0 ? 0 : (unsigned)axis, there, ret);
    }
    if (axis < 0 || write->node) return false;
    *ret = number_of_int(1, NULL); /* dim3 g; */
    return true;
  }
  default: return false;
  }
}

static bool of_var(struct constants *c, const struct ir_var *var, evaluator *value, int axis,
                   struct host_point at, struct number *ret)
{
  if (var->type->is_volatile) return false;
  bool automatic =
      var->function && !var->is_static && (var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM);
  if (automatic) return of_local(c, var, value, axis, at, ret);
  if (var->kind != IR_VAR_HOST && var->kind != IR_VAR_LOCAL) return false;
  const struct ir_expr *init = var->init;
  struct host_var *entry = host_var_of(c->index, var);
  if (!init && entry && entry->writes.count == 1) init = entry->writes.items[0].value;
  if (!init || (!constants_never_changes(c, var) && !SEEDED(MODIFIED_IS_CONSTANT))) return false;
  return value(c, init, axis < 0 ? 0 : (unsigned)axis,
               (struct host_point){var->function, NULL, NULL}, ret);
}

static bool evaluate_any_axis(struct constants *c, const struct ir_expr *expr, unsigned axis,
                              struct host_point at, struct number *ret)
{
  (void)axis;
  return evaluate(c, expr, at, ret);
}

static bool evaluate_var(struct constants *c, const struct ir_expr *expr, struct host_point at,
                         struct number *ret)
{
  const struct ir_var *var = expr->var;
  if (var->has_value) {
    *ret = number_of_int(var->value, expr->type);
    return true;
  }
  if (!number_type(var->type)) return false;
  return of_var(c, var, evaluate_any_axis, -1, at, ret) && number_convert(ret, var->type);
}

/* ---- dim3 ---- */

static bool component_of_list(struct constants *c, const struct ir_expr *expr, unsigned axis,
                              struct host_point at, struct number *ret)
{
  if (expr->operand_count == 1 && host_type_is_dim3(expr->operands[0]->type))
    return component(c, expr->operands[0], axis, at, ret);
  if (axis >= expr->operand_count) {
    *ret = number_of_int(1, NULL);
    return expr->operand_count <= 3;
  }
  return evaluate(c, expr->operands[axis], at, ret);
}

static bool component_of_cond(struct constants *c, const struct ir_expr *expr, unsigned axis,
                              struct host_point at, struct number *ret)
{
  struct number condition, no;
  if (evaluate(c, expr->operands[0], at, &condition))
    return component(c, expr->operands[number_true(condition) ? 1 : 2], axis, at, ret);
  return component(c, expr->operands[1], axis, at, ret) &&
         component(c, expr->operands[2], axis, at, &no) && same_number(*ret, no);
}

static bool component_here(struct constants *c, const struct ir_expr *expr, unsigned axis,
                           struct host_point at, struct number *ret)
{
  if (!host_type_is_dim3(expr->type)) {
    if (axis == 0) return evaluate(c, expr, at, ret);
    *ret = number_of_int(1, NULL);
    return number_type(expr->type);
  }
  switch (expr->kind) {
  case IR_EXPR_PAREN: return component(c, expr->operands[0], axis, at, ret);
  case IR_EXPR_CONVERT:
  case IR_EXPR_CAST:
  case IR_EXPR_CONSTRUCT:
  case IR_EXPR_INIT_LIST: return component_of_list(c, expr, axis, at, ret);
  case IR_EXPR_CALL: {
    bool makes = !expr->is_method && !expr->callee &&
                 (!strcmp(expr->text, "dim3") ||
                  (!strcmp(expr->text, "make_uint3") && expr->operand_count == 3));
    return makes && component_of_list(c, expr, axis, at, ret);
  }
  case IR_EXPR_VAR:
    return host_type_is_dim3(expr->var->type) &&
           of_var(c, expr->var, component, (int)axis, at, ret);
  case IR_EXPR_COND: return component_of_cond(c, expr, axis, at, ret);
  default: return false;
  }
}

static bool component(struct constants *c, const struct ir_expr *expr, unsigned axis,
                      struct host_point at, struct number *ret)
{
  static const struct ir_type unsigned_int = {.kind = IR_TYPE_INT, .size = 4};
  if (c->depth >= MAX_DEPTH || ++c->steps > MAX_STEPS) return false;
  c->depth++;
  bool known = component_here(c, expr, axis, at, ret) && number_convert(ret, &unsigned_int);
  c->depth--;
  return known;
}

/* ---- expressions ---- */

static bool evaluate_member(struct constants *c, const struct ir_expr *expr, struct host_point at,
                            struct number *ret)
{
  const char *name = expr->text;
  if (expr->is_arrow || !expr->operand_count || !name || name[0] < 'x' || name[0] > 'z' || name[1])
    return false;
  return host_type_is_dim3(expr->operands[0]->type) &&
         component(c, expr->operands[0], (unsigned)(name[0] - 'x'), at, ret);
}

static bool evaluate_cond(struct constants *c, const struct ir_expr *expr, struct host_point at,
                          struct number *ret)
{
  struct number condition, no;
  if (evaluate(c, expr->operands[0], at, &condition))
    return evaluate(c, expr->operands[number_true(condition) ? 1 : 2], at, ret);
  return evaluate(c, expr->operands[1], at, ret) && evaluate(c, expr->operands[2], at, &no) &&
         same_number(*ret, no);
}

static bool evaluate_binary(struct constants *c, const struct ir_expr *expr, struct host_point at,
                            struct number *ret)
{
  struct number left, right;
  if (expr->op == IR_OP_COMMA) return evaluate(c, expr->operands[1], at, ret);
  if (!evaluate(c, expr->operands[0], at, &left)) return false;
  bool decided = (expr->op == IR_OP_LAND && !number_true(left)) ||
                 (expr->op == IR_OP_LOR && number_true(left));
  if (decided) {
    *ret = number_of_int(expr->op == IR_OP_LOR, expr->type);
    return true;
  }
  return evaluate(c, expr->operands[1], at, &right) && number_binary(expr->op, left, right, ret);
}

/* ceil(n / 16.0), std::min(n, 64) and similar functions of the system headers. */
static bool evaluate_call(struct constants *c, const struct ir_expr *expr, struct host_point at,
                          struct number *ret)
{
  if (expr->callee || expr->is_method || expr->operand_count < 1 || expr->operand_count > 2)
    return false;
  struct number arguments[2] = {{0}};
  for (unsigned i = 0; i < expr->operand_count; i++)
    if (!evaluate(c, expr->operands[i], at, &arguments[i])) return false;
  const char *name = strncmp(expr->text, "std::", 5) == 0 ? expr->text + 5 : expr->text;
  return number_call(name, arguments, expr->operand_count, ret);
}

static bool evaluate_here(struct constants *c, const struct ir_expr *expr, struct host_point at,
                          struct number *ret)
{
  switch (expr->kind) {
  case IR_EXPR_INT: *ret = number_of_int(expr->value, expr->type); return true;
  case IR_EXPR_SIZEOF: *ret = number_of_int(expr->value, expr->type); return expr->has_value;
  case IR_EXPR_LITERAL: return number_of_literal(expr->text, expr->type, ret);
  case IR_EXPR_VAR: return evaluate_var(c, expr, at, ret);
  case IR_EXPR_UNARY: return evaluate(c, expr->operands[0], at, ret) && number_unary(expr->op, ret);
  case IR_EXPR_BINARY: return evaluate_binary(c, expr, at, ret);
  case IR_EXPR_COND: return evaluate_cond(c, expr, at, ret);
  case IR_EXPR_CAST:
  case IR_EXPR_CONVERT:
  case IR_EXPR_PAREN:
  case IR_EXPR_CONSTRUCT:
  case IR_EXPR_INIT_LIST:
    return expr->operand_count == 1 && number_type(expr->type) &&
           evaluate(c, expr->operands[0], at, ret);
  case IR_EXPR_MEMBER: return evaluate_member(c, expr, at, ret);
  case IR_EXPR_CALL: return evaluate_call(c, expr, at, ret);
  default: return false;
  }
}

static bool evaluate(struct constants *c, const struct ir_expr *expr, struct host_point at,
                     struct number *ret)
{
  if (!expr || c->depth >= MAX_DEPTH || ++c->steps > MAX_STEPS) return false;
  c->depth++;
  bool known = evaluate_here(c, expr, at, ret) && number_convert(ret, expr->type);
  c->depth--;
  return known;
}

/* ---- entry points ---- */

bool constants_at(struct constants *c, const struct ir_expr *expr, struct host_point at,
                  int64_t *ret)
{
  struct number value;
  c->steps = 0;
  if (!evaluate(c, expr, at, &value) || value.is_float) return false;
  if (value.is_unsigned && value.integer < 0) return false; /* does not fit */
  *ret = value.integer;
  return true;
}

bool constants_launch_point(struct constants *c, const struct launch *launch,
                            struct host_point *ret)
{
  const struct host_node *node = host_launch_node(c->index, launch);
  *ret = (struct host_point){0};
  if (!node || !launch->host) return false;
  *ret = (struct host_point){node->function, node->stmt, NULL};
  return true;
}

bool constants_of_expr(struct constants *c, const struct ir_expr *expr, const struct launch *at,
                       int64_t *ret)
{
  struct host_point point;
  constants_launch_point(c, at, &point);
  return constants_at(c, expr, point, ret);
}

bool constants_dim3(struct constants *c, const struct ir_expr *expr, const struct launch *at,
                    int64_t ret[3], bool known[3])
{
  struct host_point point;
  constants_launch_point(c, at, &point);
  bool any = false;
  for (unsigned axis = 0; axis < 3; axis++) {
    struct number value;
    c->steps = 0;
    known[axis] = expr && component(c, expr, axis, point, &value);
    if (known[axis]) ret[axis] = value.integer;
    any = any || known[axis];
  }
  return any;
}
