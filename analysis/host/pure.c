/* SPDX-License-Identifier: MIT */
/* pure.c - host functions that a launch's arguments may call twice.
 *
 *     int blocks_for(int n) { return n < 1 ? 1 : (n - 1) / 128 + 1; }
 *     k<<<blocks_for(n), 128>>>(a, n)      a choice in front of the launch may evaluate
 *         blocks_for(n) too
 *
 * Requires: a lowered body. A function is pure if it only assigns and steps its own variables, and
 * only calls pure functions and those of system headers that are known to compute their result from
 * their arguments alone (rand() has only scalars, too, but is none). Gives up (not pure): bodies
 * that are not visible, members, recursion, statements and expressions without IR form, static and
 * volatile variables, objects with constructors.
 */
#include "analysis/host/pure.h"

#include <string.h>

enum {
  MOST_EXPRESSIONS = 2000
}; /* the most expressions that are visited for a call, with
    * callees */

struct purity {
  const struct ir_function *function;
  unsigned *left; /* expressions that may still be visited */
  bool spoiled;
};

static bool is_pure(const struct ir_function *function, unsigned *left);

/* Names that may have f or l behind them, for float and long double, and may be in std. */
static const char *const mathematical[] = {
    "abs",   "acos",      "acosh",    "asin",    "asinh",   "atan",    "atan2",    "atanh",
    "cbrt",  "ceil",      "copysign", "cos",     "cosh",    "erf",     "erfc",     "exp",
    "exp10", "exp2",      "expm1",    "fabs",    "fdim",    "floor",   "fma",      "fmax",
    "fmin",  "fmod",      "hypot",    "isalnum", "isalpha", "isdigit", "isfinite", "isinf",
    "isnan", "isspace",   "labs",     "ldexp",   "llabs",   "llrint",  "llround",  "log",
    "log10", "log1p",     "log2",     "lrint",   "lround",  "max",     "min",      "nearbyint",
    "pow",   "remainder", "rint",     "round",   "rsqrt",   "signbit", "sin",      "sinh",
    "sqrt",  "tan",       "tanh",     "tgamma",  "tolower", "toupper", "trunc"};

/* Is it a function of a system header, by the name as written? std::max<int> is max. */
static bool is_mathematical(const char *text)
{
  while (!strncmp(text, "::", 2) || !strncmp(text, "std::", 5)) text += text[0] == ':' ? 2 : 5;
  size_t length = strcspn(text, "<");
  while (length && text[length - 1] == ' ') length--;
  for (unsigned i = 0; i < sizeof mathematical / sizeof *mathematical; i++) {
    size_t own = strlen(mathematical[i]);
    bool suffix = length == own + 1 && (text[own] == 'f' || text[own] == 'l');
    if ((length == own || suffix) && !strncmp(text, mathematical[i], own)) return true;
  }
  return false;
}

static bool is_simple(const struct ir_type *type)
{
  return type && !type->is_volatile &&
         (type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL ||
          type->kind == IR_TYPE_POINTER);
}

static bool is_own(const struct purity *p, const struct ir_var *var)
{
  return var && var->function == p->function && !var->is_static && is_simple(var->type);
}

static bool is_step(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_UNARY && (expr->op == IR_OP_PRE_INC || expr->op == IR_OP_PRE_DEC ||
                                         expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC);
}

/* Does the expression construct an object? dim3(a, b) does not count: it only holds its
 * arguments. */
static bool makes_object(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_CONSTRUCT && strcmp(expr->text, "dim3");
}

static bool is_pure_call(const struct ir_expr *call, unsigned *left)
{
  if (call->is_method) return false;
  return call->callee ? is_pure(call->callee, left)
                      : call->effect == IR_EFFECT_NONE && is_mathematical(call->text);
}

static void look_at(struct ir_expr *expr, void *context)
{
  struct purity *p = context;

  p->spoiled |= !*p->left || expr->kind == IR_EXPR_OPAQUE || expr->kind == IR_EXPR_LAUNCH ||
                makes_object(expr) || (expr->type && expr->type->is_volatile);
  if (p->spoiled) return;
  --*p->left;
  if (expr->kind == IR_EXPR_ASSIGN || is_step(expr))
    p->spoiled |= !is_own(p, ir_holder(expr->operands[0]));
  if (expr->kind == IR_EXPR_CALL) p->spoiled |= !is_pure_call(expr, p->left);
}

static bool look_at_stmt(struct ir_stmt *stmt, void *context)
{
  struct purity *p = context;

  p->spoiled |=
      stmt->kind == IR_STMT_OPAQUE || (stmt->kind == IR_STMT_DECL && !is_own(p, stmt->var));
  return !p->spoiled;
}

static bool is_pure(const struct ir_function *function, unsigned *left)
{
  struct purity p = {.function = function, .left = left};

  if (!function || !function->body || !function->is_host || function->is_template ||
      function->is_method || function->calls_itself)
    return false;
  for (unsigned i = 0; i < function->param_count; i++)
    if (!is_simple(function->params[i]->type)) return false;
  ir_visit_stmts(function->body, look_at_stmt, &p);
  if (!p.spoiled) ir_visit_stmt_exprs(function->body, look_at, &p);
  return !p.spoiled;
}

bool pure_call(const struct ir_expr *call)
{
  unsigned left = MOST_EXPRESSIONS;

  if (call->only_reads) return true;
  return is_pure_call(call, &left);
}
