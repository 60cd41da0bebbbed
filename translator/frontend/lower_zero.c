/* SPDX-License-Identifier: MIT */
/* lower_zero.c - numbers and pointers that are made without a value: T(), T{}, {}.
 *
 *     T sum = T();     =>     float sum = 0.0f;     in an instance with float
 *
 * Gives up for types whose zero has no literal of that type. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

/* The literal of the type's zero, which means the same in each expression; NULL: it has none. */
static const char *zero_text(const struct ir_type *type)
{
  const char *name = type->spelling;
  if (type->is_const && !strncmp(name, "const ", 6)) name += 6;
  switch (type->kind) {
  case IR_TYPE_BOOL: return "false";
  case IR_TYPE_POINTER: return "nullptr";
  case IR_TYPE_FLOAT:
    if (SEEDED(ZERO_OF_DOUBLE)) return "0.0";
    return !strcmp(name, "float") ? "0.0f" : !strcmp(name, "double") ? "0.0" : NULL;
  case IR_TYPE_INT:
    if (!strcmp(name, "int")) return "0";
    if (!strcmp(name, "unsigned int")) return "0u";
    if (!strcmp(name, "long")) return "0l";
    if (!strcmp(name, "unsigned long")) return "0ul";
    if (!strcmp(name, "long long")) return "0ll";
    return !strcmp(name, "unsigned long long") ? "0ull" : NULL;
  default: return NULL;
  }
}

/* Is it NAME ( ) or has it braces? A call of a function is another kind of cursor. */
static bool is_empty(struct lower *l, CXCursor cursor)
{
  const char *text = text_of(l->frontend, place_of(l->frontend, cursor));
  size_t end = strlen(text);
  if (!end || (text[end - 1] != ')' && text[end - 1] != '}')) return false;
  char open = text[end - 1] == ')' ? '(' : '{';
  for (end--; end && strchr(" \t\r\n", text[end - 1]); end--)
    ;
  return end && text[end - 1] == open;
}

struct ir_expr *lower_zero(struct lower *l, CXCursor cursor)
{
  const struct ir_type *type = type_of(l->frontend, clang_getCursorType(cursor));
  const char *text = zero_text(type);
  if (!text || place_of(l->frontend, cursor).in_macro || !is_empty(l, cursor)) return NULL;
  struct ir_expr *expr =
      new_expr(l, type->kind == IR_TYPE_INT ? IR_EXPR_INT : IR_EXPR_LITERAL, cursor, 0);
  expr->text = text;
  return expr;
}
