/* SPDX-License-Identifier: MIT */
/* calls.c - calls that become few instructions, and the issue slots of others.
 *
 *     expf(x)     5 slots of a scheduler        with -use_fast_math: MODEL_SHORT_COST operations
 *     pow(x, y)   228
 *
 * Requires: a call, or a division for the first question. Never gives up: the name decides, and
 * other functions have what model_call_operations says.
 */
#include "analysis/model/work.h"

#include <string.h>

static bool is_approximated(const char *name)
{
  static const char *const names[] = {"sqrt", "rsqrt", "exp",    "exp2",   "exp10",
                                      "log",  "log2",  "log10",  "pow",    "sin",
                                      "cos",  "tan",   "sincos", "fdivide"};
  size_t space = strncmp(name, "std::", 5) ? 0 : 5;
  bool found = false;

  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    found |= !strncmp(name + space, names[i], length) &&
             (!name[space + length] || !strcmp(name + space + length, "f"));
  }
  return found;
}

bool model_is_short(const struct code *code, const struct ir_expr *expr)
{
  bool number = code->fast_math && expr->type->kind == IR_TYPE_FLOAT && expr->type->size <= 4;
  bool divides = expr->kind == IR_EXPR_BINARY && expr->op == IR_OP_DIV;

  return number && (divides || (expr->kind == IR_EXPR_CALL && is_approximated(expr->text)));
}

/* The issue slots of a scheduler for a call, as measured in kernels that wait for little else (an
 * H200, docs/inside/measurements.md). Doubles take two slots an operation. */
double model_call_slots(const struct code *code, const struct ir_expr *call)
{
  static const struct {
    const char *begin;
    double single, wide;
  } known[] = {{"exp", 5, 34}, {"log", 8, 40}, {"sqrt", 6, 16}, {"rsqrt", 4, 16}, {"pow", 62, 228}};
  const char *name = !strncmp(call->text, "std::", 5) ? call->text + 5 : call->text;
  bool wide = call->type->kind == IR_TYPE_FLOAT && call->type->size > 4;

  if (model_is_short(code, call)) return MODEL_SHORT_COST;
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (!strncmp(name, known[i].begin, strlen(known[i].begin)))
      return wide ? known[i].wide : known[i].single;
  return model_call_operations(code, call) * (wide ? 2.4 : 1);
}
