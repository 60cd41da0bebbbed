/* SPDX-License-Identifier: MIT */
/* emit_expr.c - expressions of the IR as C++.
 *
 *     BINARY(MUL, BINARY(ADD, i, 1), n)     =>     (i + 1) * n
 */
#include <inttypes.h>
#include <string.h>

#include "codegen/print/print.h"
#include "runtime/seeded.h"

enum precedence {
  PRECEDENCE_COMMA = 1,
  PRECEDENCE_ASSIGN = 2, /* and ?: */
  PRECEDENCE_LOR = 3,
  PRECEDENCE_CAST = 14, /* and prefix operators */
  PRECEDENCE_POSTFIX = 15,
  PRECEDENCE_PRIMARY = 16
};

static bool is_operator_call(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_CALL && !strncmp(expr->text, "operator", 8) &&
         strchr("+-*/%^&|~!=<>", expr->text[8]) && expr->text[8];
}

static int operator_precedence(const char *spelling, unsigned operands)
{
  if (operands == 1) return PRECEDENCE_CAST;
  for (int op = 0; op < IR_OP_COUNT; op++) {
    int precedence = ir_op_precedence((enum ir_op)op);
    bool infix = precedence < PRECEDENCE_CAST;
    if (infix && !strcmp(ir_op_spelling((enum ir_op)op), spelling)) return precedence;
  }
  return PRECEDENCE_POSTFIX; /* ++ and -- with the dummy operand */
}

static int precedence_of(const struct ir_expr *expr)
{
  switch (expr->kind) {
  case IR_EXPR_INT:
    if (expr->text)
      return expr->text[0] == '-' || expr->text[0] == '(' ? PRECEDENCE_CAST : PRECEDENCE_PRIMARY;
    return expr->value < 0 ? PRECEDENCE_CAST : PRECEDENCE_PRIMARY;
  case IR_EXPR_UNARY:
  case IR_EXPR_BINARY:
  case IR_EXPR_ASSIGN: return ir_op_precedence(expr->op);
  case IR_EXPR_COND: return PRECEDENCE_ASSIGN;
  case IR_EXPR_CAST: return PRECEDENCE_CAST;
  case IR_EXPR_CONVERT: return precedence_of(expr->operands[0]);
  case IR_EXPR_SIZEOF: return PRECEDENCE_CAST;
  case IR_EXPR_CALL:
    return is_operator_call(expr) ? operator_precedence(expr->text + 8, expr->operand_count)
                                  : PRECEDENCE_POSTFIX;
  case IR_EXPR_INDEX:
  case IR_EXPR_MEMBER:
  case IR_EXPR_CONSTRUCT: return PRECEDENCE_POSTFIX;
  default: return PRECEDENCE_PRIMARY;
  }
}

static void print_int(struct printer *p, const struct ir_expr *expr)
{
  if (expr->text)
    text_add(p->out, expr->text);
  else if (expr->value == INT64_MIN)
    text_add(p->out, "(-9223372036854775807ll - 1)");
  else if (expr->value > INT32_MAX || expr->value < -INT32_MAX)
    text_format(p->out, "%" PRId64 "ll", expr->value);
  else
    text_format(p->out, "%" PRId64, expr->value);
}

const char *print_var_text(struct arena *arena, const struct ir_var *var)
{
  return var->part_of ? arena_format(arena, "%s%s%s", var->part_before ? var->part_before : "",
                                     print_var_text(arena, var->part_of), var->part)
                      : var->name;
}

void print_var(struct printer *p, const struct ir_var *var, const char *written)
{
  if (var->part_of) {
    if (var->part_before) text_add(p->out, var->part_before);
    print_var(p, var->part_of, NULL);
    text_add(p->out, var->part);
    return;
  }
  const char *renamed = p->rename ? p->rename(p, var) : NULL;
  bool is_local = var->kind == IR_VAR_LOCAL || var->kind == IR_VAR_PARAM;
  text_add(p->out, renamed ? renamed : written && !is_local ? written : var->name);
}

static void print_list(struct printer *p, const struct ir_expr *expr, unsigned first,
                       const char *open, const char *close)
{
  text_add(p->out, open);
  for (unsigned i = first; i < expr->operand_count; i++) {
    if (i > first) text_add(p->out, ", ");
    print_expr(p, expr->operands[i]);
  }
  text_add(p->out, close);
}

/* Prints `op` before the operand, with a blank where both together would be another operator. */
static void print_prefix(struct printer *p, const char *op, const struct ir_expr *operand)
{
  text_add(p->out, op);
  size_t at = p->out->length;
  char last = op[strlen(op) - 1];
  print_expr_at(p, operand, PRECEDENCE_CAST);
  if (p->out->data[at] != last || !strchr("+-&", last)) return;
  const char *rest = arena_string(p->arena, p->out->data + at);
  p->out->length = at;
  text_format(p->out, " %s", rest);
}

static void print_unary(struct printer *p, const struct ir_expr *expr)
{
  const char *op = ir_op_spelling(expr->op);
  if (expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC) {
    print_expr_at(p, expr->operands[0], PRECEDENCE_POSTFIX);
    text_add(p->out, op);
    return;
  }
  print_prefix(p, op, expr->operands[0]);
}

static void print_infix(struct printer *p, const struct ir_expr *expr, const char *op,
                        int precedence)
{
  bool assigns = precedence == PRECEDENCE_ASSIGN;
  print_expr_at(p, expr->operands[0], assigns ? precedence + 1 : precedence);
  text_format(p->out, !strcmp(op, ",") ? "%s " : " %s ", op);
  print_expr_at(p, expr->operands[1],
                assigns || SEEDED(PARENTHESES_LOST) ? precedence : precedence + 1);
}

static void print_cond(struct printer *p, const struct ir_expr *expr)
{
  print_expr_at(p, expr->operands[0], PRECEDENCE_LOR);
  text_add(p->out, " ? ");
  print_expr_at(p, expr->operands[1], PRECEDENCE_ASSIGN);
  text_add(p->out, " : ");
  print_expr_at(p, expr->operands[2], PRECEDENCE_ASSIGN);
}

static void print_operator_call(struct printer *p, const struct ir_expr *expr)
{
  const char *op = expr->text + 8;
  bool steps = !strcmp(op, "++") || !strcmp(op, "--");
  if (expr->operand_count == 1) {
    print_prefix(p, op, expr->operands[0]);
  } else if (steps) {
    print_expr_at(p, expr->operands[0], PRECEDENCE_POSTFIX);
    text_add(p->out, op);
  } else if (expr->operand_count == 2) {
    print_infix(p, expr, op, operator_precedence(op, 2));
  } else {
    p->failed = true;
  }
}

/* Prints x[i] and f(a), operators that are no infix operators; conversions have no written form. */
static void print_other_operator(struct printer *p, const struct ir_expr *expr)
{
  const char *op = expr->text + 8;
  bool index = !strcmp(op, "[]"), call = !strcmp(op, "()");
  if (expr->operand_count < 1 || (!index && !call)) {
    p->failed = true;
    return;
  }
  print_expr_at(p, expr->operands[0], PRECEDENCE_POSTFIX);
  print_list(p, expr, 1, index ? "[" : "(", index ? "]" : ")");
}

static void print_call(struct printer *p, const struct ir_expr *expr)
{
  bool is_operator =
      !strncmp(expr->text, "operator", 8) && (strchr("[(", expr->text[8]) || expr->text[8] == ' ');
  if (is_operator_call(expr)) {
    print_operator_call(p, expr);
  } else if (is_operator) {
    print_other_operator(p, expr);
  } else if (expr->is_method) {
    print_expr_at(p, expr->operands[0], PRECEDENCE_POSTFIX);
    text_format(p->out, "%s%s", expr->is_arrow ? "->" : ".", expr->text);
    print_list(p, expr, 1, "(", ")");
  } else {
    text_add(p->out, expr->text);
    print_list(p, expr, 0, "(", ")");
  }
}

static void print_member(struct printer *p, const struct ir_expr *expr)
{
  if (expr->is_private) {
    text_add(p->out, ir_private_before(p->arena, expr));
    print_expr_at(p, expr->operands[0], PRECEDENCE_COMMA);
    text_add(p->out, ir_private_behind(p->arena, expr->field_offset));
    return;
  }
  if (expr->operand_count) {
    print_expr_at(p, expr->operands[0], PRECEDENCE_POSTFIX);
    text_add(p->out, expr->is_arrow ? "->" : ".");
  }
  text_add(p->out, expr->text);
}

/* Prints a construction; the functional form needs a type of one word. */
static void print_construct(struct printer *p, const struct ir_expr *expr)
{
  text_add(p->out, expr->text ? expr->text : expr->type->spelling);
  print_list(p, expr, 0, expr->is_brace ? "{" : "(", expr->is_brace ? "}" : ")");
}

static void print_bare(struct printer *p, const struct ir_expr *expr)
{
  switch (expr->kind) {
  case IR_EXPR_INT: print_int(p, expr); break;
  case IR_EXPR_LITERAL: text_add(p->out, expr->text); break;
  case IR_EXPR_VAR: print_var(p, expr->var, expr->text); break;
  case IR_EXPR_BUILTIN: text_add(p->out, ir_builtin_spelling((enum ir_builtin)expr->value)); break;
  case IR_EXPR_UNARY: print_unary(p, expr); break;
  case IR_EXPR_BINARY:
  case IR_EXPR_ASSIGN:
    print_infix(p, expr, ir_op_spelling(expr->op), ir_op_precedence(expr->op));
    break;
  case IR_EXPR_COND: print_cond(p, expr); break;
  case IR_EXPR_INDEX:
    print_expr_at(p, expr->operands[0], PRECEDENCE_POSTFIX);
    text_add(p->out, "[");
    print_expr_at(p, expr->operands[1], PRECEDENCE_ASSIGN);
    text_add(p->out, "]");
    break;
  case IR_EXPR_MEMBER: print_member(p, expr); break;
  case IR_EXPR_CAST:
    text_format(p->out, "(%s)", expr->text ? expr->text : print_plain_type(p->arena, expr->type));
    print_expr_at(p, expr->operands[0], PRECEDENCE_CAST);
    break;
  case IR_EXPR_PAREN:
    text_add(p->out, "(");
    print_expr_at(p, expr->operands[0], PRECEDENCE_COMMA);
    text_add(p->out, ")");
    break;
  case IR_EXPR_CALL: print_call(p, expr); break;
  case IR_EXPR_CONSTRUCT: print_construct(p, expr); break;
  case IR_EXPR_INIT_LIST: print_list(p, expr, 0, "{", "}"); break;
  case IR_EXPR_SIZEOF:
    if (expr->text)
      text_add(p->out, expr->text);
    else
      text_format(p->out, "%" PRId64, expr->value);
    break;
  default: p->failed = true; break;
  }
}

static void print_unwrapped(struct printer *p, const struct ir_expr *expr, int precedence)
{
  if (p->replace && p->replace(p, expr)) return;
  if (expr->kind == IR_EXPR_CONVERT) {
    print_expr_at(p, expr->operands[0], precedence);
    return;
  }
  bool parentheses = precedence_of(expr) < precedence;
  if (parentheses) text_add(p->out, "(");
  print_bare(p, expr);
  if (parentheses) text_add(p->out, ")");
}

void print_expr_at(struct printer *p, const struct ir_expr *expr, int precedence)
{
  const char *close = p->wrap ? p->wrap(p, expr) : NULL;
  print_unwrapped(p, expr, close ? PRECEDENCE_ASSIGN : precedence);
  if (close) text_add(p->out, close);
}

void print_expr(struct printer *p, const struct ir_expr *expr)
{
  print_expr_at(p, expr, PRECEDENCE_ASSIGN);
}
