/* SPDX-License-Identifier: MIT */
/* ir_print.c - stable text of the IR for --dump-ir and golden tests. Not C++: one line a statement,
 * types shown. */
#include <inttypes.h>
#include <string.h>

#include "translator/ir/ir.h"

static void print_operands(struct text *text, const struct ir_expr *expr, unsigned first)
{
  for (unsigned i = first; i < expr->operand_count; i++) {
    if (i > first) text_add(text, ", ");
    ir_print_expr(text, expr->operands[i]);
  }
}

static void print_unary(struct text *text, const struct ir_expr *expr)
{
  bool postfix = expr->op == IR_OP_POST_INC || expr->op == IR_OP_POST_DEC;
  if (!postfix) text_add(text, ir_op_spelling(expr->op));
  ir_print_expr(text, expr->operands[0]);
  if (postfix) text_add(text, ir_op_spelling(expr->op));
}

static void print_infix(struct text *text, const struct ir_expr *expr)
{
  text_add(text, "(");
  ir_print_expr(text, expr->operands[0]);
  text_format(text, expr->op == IR_OP_COMMA ? "%s " : " %s ", ir_op_spelling(expr->op));
  ir_print_expr(text, expr->operands[1]);
  text_add(text, ")");
}

static const char *effect_name(enum ir_effect effect)
{
  static const char *const names[IR_EFFECT_COUNT] = {
      "", "barrier ", "warp ", "atomic ", "fence ", "load ", "print ", "callee ", "unknown "};
  return names[effect];
}

void ir_print_expr(struct text *text, const struct ir_expr *expr)
{
  if (!expr) {
    text_add(text, "<none>");
    return;
  }
  switch (expr->kind) {
  case IR_EXPR_INT: text_format(text, "%" PRId64, expr->value); break;
  case IR_EXPR_LITERAL: text_add(text, expr->text); break;
  case IR_EXPR_VAR: text_add(text, expr->var->name); break;
  case IR_EXPR_BUILTIN: text_add(text, ir_builtin_spelling((enum ir_builtin)expr->value)); break;
  case IR_EXPR_UNARY: print_unary(text, expr); break;
  case IR_EXPR_BINARY:
  case IR_EXPR_ASSIGN: print_infix(text, expr); break;
  case IR_EXPR_COND:
    text_add(text, "(");
    ir_print_expr(text, expr->operands[0]);
    text_add(text, " ? ");
    ir_print_expr(text, expr->operands[1]);
    text_add(text, " : ");
    ir_print_expr(text, expr->operands[2]);
    text_add(text, ")");
    break;
  case IR_EXPR_INDEX:
    ir_print_expr(text, expr->operands[0]);
    text_add(text, "[");
    ir_print_expr(text, expr->operands[1]);
    text_add(text, "]");
    break;
  case IR_EXPR_MEMBER:
    if (expr->operand_count) ir_print_expr(text, expr->operands[0]);
    text_format(text, "%s%s", expr->is_arrow ? "->" : ".", expr->text);
    break;
  case IR_EXPR_CAST: text_format(text, "cast<%s>(", expr->type->spelling); goto close;
  case IR_EXPR_CONVERT: text_format(text, "convert<%s>(", expr->type->spelling); goto close;
  case IR_EXPR_PAREN: ir_print_expr(text, expr->operands[0]); break;
  case IR_EXPR_CALL: text_format(text, "%s%s(", effect_name(expr->effect), expr->text); goto close;
  case IR_EXPR_CONSTRUCT:
    text_format(text, "construct<%s>(", expr->text ? expr->text : expr->type->spelling);
    goto close;
  case IR_EXPR_INIT_LIST: text_add(text, "list("); goto close;
  case IR_EXPR_SIZEOF:
    if (expr->has_value)
      text_format(text, "%" PRId64, expr->value);
    else
      text_add(text, expr->text);
    break;
  case IR_EXPR_LAUNCH: text_format(text, "launch %" PRId64 "(", expr->value); goto close;
  case IR_EXPR_OPAQUE: text_add(text, "opaque("); goto close;
  case IR_EXPR_KIND_COUNT:
    break;
  close:
    print_operands(text, expr, 0);
    text_add(text, ")");
  }
}

static void indent(struct text *text, unsigned depth)
{
  while (depth--) text_add(text, "  ");
}

static void print_decl(struct text *text, const struct ir_stmt *stmt)
{
  const struct ir_var *var = stmt->var;
  text_format(text, "%s%s: %s",
              var->kind == IR_VAR_SHARED ? "shared "
              : var->is_static           ? "static "
                                         : "var ",
              var->name, var->type->spelling);
  if (stmt->expr) {
    text_add(text, " = ");
    ir_print_expr(text, stmt->expr);
  }
}

static void print_loop(struct text *text, const struct ir_loop *loop)
{
  text_format(text, " [%s from ", loop->iterator->name);
  if (loop->lower)
    ir_print_expr(text, loop->lower);
  else
    text_add(text, "current");
  text_format(text, " while %s ", ir_op_spelling(loop->relation));
  ir_print_expr(text, loop->bound);
  if (loop->step_expr) {
    text_add(text, " step ");
    ir_print_expr(text, loop->step_expr);
  } else {
    text_format(text, " step %" PRId64, loop->step);
  }
  text_add(text, "]");
}

static void print_stmt(struct text *text, const struct ir_stmt *stmt, unsigned depth);

static void print_header(struct text *text, const char *word, const struct ir_expr *expr)
{
  text_format(text, "%s ", word);
  ir_print_expr(text, expr);
}

static void print_for(struct text *text, const struct ir_stmt *stmt, unsigned depth)
{
  text_add(text, "for");
  if (stmt->loop) {
    print_loop(text, stmt->loop);
    text_add(text, "\n");
  } else {
    text_add(text, " ");
    ir_print_expr(text, stmt->expr);
    text_add(text, "; ");
    ir_print_expr(text, stmt->increment);
    text_add(text, "\n");
    if (stmt->init) print_stmt(text, stmt->init, depth + 2);
  }
  print_stmt(text, stmt->body, depth + 1);
}

static void print_children(struct text *text, const struct ir_stmt *stmt, unsigned depth)
{
  for (unsigned i = 0; i < stmt->child_count; i++) print_stmt(text, stmt->children[i], depth);
}

static void print_stmt(struct text *text, const struct ir_stmt *stmt, unsigned depth)
{
  if (stmt->kind == IR_STMT_BLOCK || stmt->kind == IR_STMT_DECLS) {
    print_children(text, stmt, depth);
    return;
  }
  indent(text, depth);
  switch (stmt->kind) {
  case IR_STMT_NULL: text_add(text, "nothing\n"); break;
  case IR_STMT_DECL:
    print_decl(text, stmt);
    text_add(text, "\n");
    break;
  case IR_STMT_EXPR:
    ir_print_expr(text, stmt->expr);
    text_add(text, "\n");
    break;
  case IR_STMT_IF:
    print_header(text, "if", stmt->expr);
    text_add(text, "\n");
    print_stmt(text, stmt->body, depth + 1);
    if (stmt->else_body) {
      indent(text, depth);
      text_add(text, "else\n");
      print_stmt(text, stmt->else_body, depth + 1);
    }
    break;
  case IR_STMT_FOR: print_for(text, stmt, depth); break;
  case IR_STMT_WHILE:
  case IR_STMT_DO:
  case IR_STMT_SWITCH:
    print_header(text,
                 stmt->kind == IR_STMT_WHILE ? "while"
                 : stmt->kind == IR_STMT_DO  ? "do while"
                                             : "switch",
                 stmt->expr);
    text_add(text, "\n");
    print_stmt(text, stmt->body, depth + 1);
    break;
  case IR_STMT_CASE:
    if (stmt->expr)
      print_header(text, "case", stmt->expr);
    else
      text_add(text, "default");
    text_add(text, "\n");
    break;
  case IR_STMT_BREAK: text_add(text, "break\n"); break;
  case IR_STMT_CONTINUE: text_add(text, "continue\n"); break;
  case IR_STMT_GOTO: text_format(text, "goto %s\n", stmt->label); break;
  case IR_STMT_LABEL: text_format(text, "%s:\n", stmt->label); break;
  case IR_STMT_RETURN:
    text_add(text, "return ");
    if (stmt->expr) ir_print_expr(text, stmt->expr);
    text_add(text, "\n");
    break;
  case IR_STMT_OPAQUE:
    text_add(text, "opaque");
    for (unsigned i = 0; i < stmt->expr_count; i++) {
      text_add(text, i ? ", " : " ");
      ir_print_expr(text, stmt->exprs[i]);
    }
    text_add(text, "\n");
    print_children(text, stmt, depth + 1);
    break;
  default: text_add(text, "?\n"); break;
  }
}

void ir_print_function(struct text *text, const struct ir_function *function)
{
  text_format(text, "%s %s(",
              function->is_kernel   ? "kernel"
              : function->is_device ? function->is_host ? "both" : "device"
                                    : "host",
              function->qualified);
  for (unsigned i = 0; i < function->param_count; i++)
    text_format(text, "%s%s: %s", i ? ", " : "", function->params[i]->name,
                function->params[i]->type->spelling);
  text_add(text, ")");
  if (function->is_template) text_add(text, " template");
  if (function->verbatim) text_format(text, " verbatim: %s", function->verbatim);
  text_add(text, "\n");
  if (function->body) print_stmt(text, function->body, 1);
}
