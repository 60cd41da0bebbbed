/* SPDX-License-Identifier: MIT */
/* lower_literal.c - literals, sizes and names of constants to IR.
 *
 *     if constexpr (std::is_same_v<T, float>)     =>     if (true)     in an instance with float
 *
 * A literal keeps its text where it does not come from a macro. Gives up for what has no value. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

static struct ir_expr *lower_int_value(struct lower *l, CXCursor cursor, const char *suffix_text)
{
  CXEvalResult result = clang_Cursor_Evaluate(cursor);
  bool fine = result && clang_EvalResult_getKind(result) == CXEval_Int;
  int64_t value = 0;
  if (fine)
    value = clang_EvalResult_isUnsignedInt(result)
                ? (int64_t)clang_EvalResult_getAsUnsigned(result)
                : (int64_t)clang_EvalResult_getAsLongLong(result);
  if (result) clang_EvalResult_dispose(result);
  if (!fine) return lower_opaque(l, cursor);
  struct ir_expr *expr = new_expr(l, IR_EXPR_INT, cursor, 0);
  expr->value = value;
  expr->text = suffix_text;
  return expr;
}

/* The token as written, where the text is the parsed text; NULL: it comes from a macro. */
static const char *literal_text(struct lower *l, CXCursor cursor)
{
  struct ir_place place = place_of(l->frontend, cursor);
  const char *text = text_of(l->frontend, place);
  if (!*text || scan_skip_token(text, 0) != strlen(text)) return NULL;
  bool is_literal = (*text >= '0' && *text <= '9') || *text == '.' || *text == '\'' || *text == '"';
  return is_literal ? text : NULL;
}

const char *lower_int_text(struct lower *l, const struct ir_type *type, int64_t value)
{
  struct arena *arena = l->frontend->arena;
  const char *spelling = type->spelling;
  bool is_long = strstr(spelling, "long") != NULL,
       is_long_long = strstr(spelling, "long long") != NULL;
  const char *suffix = is_long_long ? "ll" : is_long ? "l" : "";
  if (!type->is_signed) return arena_format(arena, "%lluu%s", (unsigned long long)value, suffix);
  if (value == INT64_MIN) return "(-9223372036854775807ll - 1)";
  return arena_format(arena, "%lld%s", (long long)value, suffix);
}

static struct ir_expr *lower_integer(struct lower *l, CXCursor cursor)
{
  const char *text = literal_text(l, cursor);
  struct ir_expr *expr = lower_int_value(l, cursor, text);
  if (!text && expr->kind == IR_EXPR_INT) expr->text = lower_int_text(l, expr->type, expr->value);
  return expr;
}

static struct ir_expr *literal(struct lower *l, CXCursor cursor, const char *text)
{
  struct ir_expr *expr = new_expr(l, IR_EXPR_LITERAL, cursor, 0);
  expr->text = text;
  return expr;
}

static struct ir_expr *lower_floating(struct lower *l, CXCursor cursor)
{
  const char *text = literal_text(l, cursor);
  if (text) return literal(l, cursor, text);
  CXEvalResult result = clang_Cursor_Evaluate(cursor);
  if (!result || clang_EvalResult_getKind(result) != CXEval_Float) {
    if (result) clang_EvalResult_dispose(result);
    return lower_opaque(l, cursor);
  }
  double value = clang_EvalResult_getAsDouble(result);
  clang_EvalResult_dispose(result);
  bool single = clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Float;
  char digits[64];
  snprintf(digits, sizeof digits, single ? "%.9g" : "%.17g", value);
  const char *point = strpbrk(digits, ".eEn") ? "" : ".0";
  return literal(l, cursor,
                 arena_format(l->frontend->arena, "%s%s%s", digits, point, single ? "f" : ""));
}

static struct ir_expr *lower_character(struct lower *l, CXCursor cursor)
{
  const char *text = literal_text(l, cursor);
  struct ir_expr *expr = lower_int_value(l, cursor, text);
  if (!text && expr->kind == IR_EXPR_INT)
    expr->text =
        arena_format(l->frontend->arena, "(%s)%lld", expr->type->spelling, (long long)expr->value);
  return expr;
}

static struct ir_expr *lower_bool(struct lower *l, CXCursor cursor)
{
  struct ir_expr *expr = lower_int_value(l, cursor, NULL);
  if (expr->kind == IR_EXPR_INT) expr->text = expr->value ? "true" : "false";
  return expr;
}

static struct ir_expr *lower_string(struct lower *l, CXCursor cursor)
{
  struct ir_place place = place_of(l->frontend, cursor);
  const char *text = text_of(l->frontend, place);
  bool plain = !place.in_macro && strchr("\"LuUR", *text) && *text && text[strlen(text) - 1] == '"';
  return literal(l, cursor, plain ? text : spelling_of(l->frontend, cursor));
}

static enum CXChildVisitResult find_expression(CXCursor cursor, CXCursor parent, CXClientData found)
{
  (void)parent;
  *(bool *)found |= clang_isExpression(clang_getCursorKind(cursor));
  return *(bool *)found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* sizeof(sum), sizeof(__func__), alignof(decltype(sum)): in code that a transformation makes the
 * names in it may be those of other things. */
static bool names_things(struct lower *l, CXCursor cursor)
{
  bool found = false;

  clang_visitChildren(cursor, find_expression, &found);
  return found && l->strict && !SEEDED(SIZE_AS_TEXT);
}

static struct ir_expr *lower_sizeof(struct lower *l, CXCursor cursor)
{
  struct ir_expr *value = NULL;
  CXEvalResult result = clang_Cursor_Evaluate(cursor);
  if (result && clang_EvalResult_getKind(result) == CXEval_Int) {
    value = new_expr(l, IR_EXPR_SIZEOF, cursor, 0);
    value->has_value = true;
    value->value = (int64_t)clang_EvalResult_getAsUnsigned(result);
    if (!clang_EvalResult_isUnsignedInt(result))
      value->value = (int64_t)clang_EvalResult_getAsLongLong(result);
    bool number = value->place.in_macro || names_things(l, cursor);
    value->text =
        number ? lower_int_text(l, value->type, value->value) : lowered_text(l, value->place);
    if (strncmp(value->text, "sizeof", 6) && strncmp(value->text, "alignof", 7))
      value->text = lower_int_text(l, value->type, value->value);
  }
  if (result) clang_EvalResult_dispose(result);
  return value ? value : lower_opaque(l, cursor);
}

struct ir_expr *lower_literal(struct lower *l, CXCursor cursor)
{
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_IntegerLiteral: return lower_integer(l, cursor);
  case CXCursor_FloatingLiteral: return lower_floating(l, cursor);
  case CXCursor_CharacterLiteral: return lower_character(l, cursor);
  case CXCursor_CXXBoolLiteralExpr: return lower_bool(l, cursor);
  case CXCursor_StringLiteral: return lower_string(l, cursor);
  case CXCursor_CXXNullPtrLiteralExpr: return literal(l, cursor, "nullptr");
  case CXCursor_GNUNullExpr: return literal(l, cursor, "0");
  default: return lower_sizeof(l, cursor);
  }
}

/* Has the name a finite value that the compiler knows? Then it is one of this kind. */
static bool has_value(CXCursor cursor, CXEvalResultKind kind)
{
  CXEvalResult result = clang_Cursor_Evaluate(cursor);
  bool has = result && clang_EvalResult_getKind(result) == kind &&
             (kind != CXEval_Float || isfinite(clang_EvalResult_getAsDouble(result)));

  if (result) clang_EvalResult_dispose(result);
  return has;
}

struct ir_expr *lower_constant(struct lower *l, CXCursor cursor)
{
  const struct ir_type *type = type_of(l->frontend, clang_getCursorType(cursor));
  bool real = type->kind == IR_TYPE_FLOAT, yes = type->kind == IR_TYPE_BOOL;

  if (type->is_volatile || (!real && !yes && type->kind != IR_TYPE_INT) ||
      !has_value(cursor, real ? CXEval_Float : CXEval_Int))
    return NULL;
  struct ir_expr *expr = real             ? lower_floating(l, cursor)
                         : yes            ? lower_bool(l, cursor)
                         : type->size < 4 ? lower_character(l, cursor)
                                          : lower_integer(l, cursor);
  if (yes && SEEDED(CONSTANT_TRUE)) expr->text = "true";
  if (expr->text && (*expr->text == '-' || *expr->text == '('))
    expr->text = arena_format(l->frontend->arena, "(%s)", expr->text);
  return expr;
}
