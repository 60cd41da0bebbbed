/* SPDX-License-Identifier: MIT */
/* emit_stmt.c - statements of the IR as C++, in the lines of the source where possible.
 *
 * Two statements on one line stay on one line. Blank lines keep small distances; a larger distance,
 * or one backwards, takes a #line. Requires: `line` is the source line of the line at which the
 * first statement is printed.
 */
#include <stdio.h>
#include <string.h>

#include "codegen/print/print.h"

enum { BLANK_LINES = 3 }; /* the most that keep a distance */

static void new_line(struct printer *p)
{
  text_add(p->out, "\n");
  if (p->line) p->line++;
}

static void indent(struct printer *p)
{
  for (unsigned i = 0; i < p->indent; i++) text_add(p->out, "  ");
}

void print_line(struct printer *p)
{
  new_line(p);
  indent(p);
  p->joined_line = 0;
}

void print_text_line(struct printer *p, const char *format, ...)
{
  print_line(p);
  va_list arguments;
  va_start(arguments, format);
  text_vformat(p->out, format, arguments);
  va_end(arguments);
}

/* Makes the line after the present one that of `line` of the source. */
static void sync_line(struct printer *p, unsigned line)
{
  if (!p->file || !line || p->line == line) return;
  if (p->line && line > p->line && line - p->line <= BLANK_LINES) {
    while (p->line < line) new_line(p);
    return;
  }
  text_format(p->out, "#line %u %s\n", line, p->file);
  p->line = line;
}

static bool is_simple(const struct ir_stmt *stmt)
{
  switch (stmt->kind) {
  case IR_STMT_IF:
  case IR_STMT_FOR:
  case IR_STMT_WHILE:
  case IR_STMT_DO:
  case IR_STMT_SWITCH:
  case IR_STMT_BLOCK: return false;
  default: return true;
  }
}

static void begin_stmt(struct printer *p, const struct ir_stmt *stmt)
{
  unsigned line = stmt->place.line;
  if (p->joined_line && p->joined_line == line && is_simple(stmt)) {
    text_add(p->out, " ");
    return;
  }
  new_line(p);
  sync_line(p, line);
  indent(p);
}

/* ---- declarations ---- */

static void print_init(struct printer *p, const struct ir_stmt *stmt)
{
  if (!stmt->expr) return;
  const struct ir_expr *value = ir_strip(stmt->expr);
  bool direct = stmt->init_style == IR_INIT_PAREN || stmt->init_style == IR_INIT_BRACE;
  bool brace = stmt->init_style == IR_INIT_BRACE;
  enum ir_type_kind kind = stmt->var->type->kind;
  bool scalar = kind == IR_TYPE_BOOL || kind == IR_TYPE_INT || kind == IR_TYPE_FLOAT ||
                kind == IR_TYPE_POINTER;
  bool list = value->kind == IR_EXPR_INIT_LIST ||
              (value->kind == IR_EXPR_CONSTRUCT &&
               (!value->text || !strcmp(value->text, value->type->spelling)));
  /* a rewritten value may have a wider type, which braces do not allow */
  if (!direct || (brace && scalar && !list)) {
    text_add(p->out, " = ");
    print_expr(p, stmt->expr);
    return;
  }
  text_add(p->out, brace ? "{" : "(");
  if (!list) print_expr(p, stmt->expr);
  for (unsigned i = 0; list && i < value->operand_count; i++) {
    if (i) text_add(p->out, ", ");
    print_expr(p, value->operands[i]);
  }
  text_add(p->out, brace ? "}" : ")");
}

static void print_var_decl(struct printer *p, const struct ir_stmt *stmt)
{
  const struct ir_var *var = stmt->var;
  const char *renamed = p->rename ? p->rename(p, var) : NULL;
  if (var->is_table) text_add(p->out, "static ");
  text_add(p->out, print_declaration(p->arena, var->type, renamed ? renamed : var->name));
  print_init(p, stmt);
}

/* extern __shared__ T s[];  =>  T (&s)[] = *(T (*)[])mesi_cpu_dynamic_shared();  for the CPU */
void print_dynamic_shared(struct printer *p, const struct ir_var *var)
{
  struct ir_type reference = {.kind = IR_TYPE_REFERENCE, .spelling = "&", .element = var->type};
  struct ir_type pointer = {.kind = IR_TYPE_POINTER, .spelling = "*", .element = var->type};
  text_format(p->out, "%s = *(%s)mesi_cpu_dynamic_shared();",
              print_declaration(p->arena, &reference, var->name),
              print_declaration(p->arena, &pointer, ""));
}

/* Has the place a declaration with __shared__? In some headers the word is a macro, hence in_macro
 * does not tell. */
static bool is_written(const struct printer *p, const struct ir_place *place)
{
  static const char word[] = "__shared__";
  if (!p->source) return false;
  for (unsigned at = place->begin; at + strlen(word) <= place->end; at++)
    if (!memcmp(p->source + at, word, strlen(word))) return true;
  return false;
}

/* Prints the declaration as written: the IR does not have alignment and the like. */
static void print_shared(struct printer *p, const struct ir_stmt *stmt)
{
  const struct ir_place *place = &stmt->place;
  if (!is_written(p, place)) {
    text_format(p->out, "%s__shared__ ", stmt->var->is_dynamic_shared ? "extern " : "");
    if (stmt->var->alignment)
      text_format(p->out, "__align__(%lld) ", (long long)stmt->var->alignment);
    text_format(p->out, "%s;", print_declaration(p->arena, stmt->var->type, stmt->var->name));
    return;
  }
  const char *text = stmt->written ? stmt->written : p->source + place->begin;
  size_t length = stmt->written ? strlen(text) : place->end - place->begin;
  text_add_bytes(p->out, text, length);
  if (text[length - 1] != ';') text_add(p->out, ";");
  for (size_t i = 0; i < length && p->line; i++) p->line += text[i] == '\n';
}

static void print_decl(struct printer *p, const struct ir_stmt *stmt)
{
  if (stmt->var->kind == IR_VAR_SHARED) {
    if (stmt->var->is_dynamic_shared && p->target_cpu)
      print_dynamic_shared(p, stmt->var);
    else
      print_shared(p, stmt);
    if (p->declared) p->declared(p, stmt->var);
    return;
  }
  print_var_decl(p, stmt);
  text_add(p->out, ";");
}

static bool one_base(struct printer *p, const struct ir_stmt *stmt)
{
  const struct ir_type *first, *base;
  print_declarator(p->arena, stmt->children[0]->var->type, "", &first);
  for (unsigned i = 1; i < stmt->child_count; i++) {
    print_declarator(p->arena, stmt->children[i]->var->type, "", &base);
    if (strcmp(first->spelling, base->spelling)) return false;
  }
  return true;
}

/* Prints several declarators of one base type, without the ; */
static void print_declarators(struct printer *p, const struct ir_stmt *stmt)
{
  print_var_decl(p, stmt->children[0]);
  for (unsigned i = 1; i < stmt->child_count; i++) {
    const struct ir_var *var = stmt->children[i]->var;
    const struct ir_type *base;
    const char *renamed = p->rename ? p->rename(p, var) : NULL;
    text_format(p->out, ", %s",
                print_declarator(p->arena, var->type, renamed ? renamed : var->name, &base));
    print_init(p, stmt->children[i]);
  }
}

static void print_decls(struct printer *p, const struct ir_stmt *stmt)
{
  bool shared = stmt->children[0]->var->kind == IR_VAR_SHARED;
  if (shared && is_written(p, &stmt->place) &&
      !(p->target_cpu && stmt->children[0]->var->is_dynamic_shared)) {
    print_shared(p, stmt);
    for (unsigned i = 0; p->declared && i < stmt->child_count; i++)
      p->declared(p, stmt->children[i]->var);
  } else if (!shared && one_base(p, stmt)) {
    print_declarators(p, stmt);
    text_add(p->out, ";");
  } else {
    for (unsigned i = 0; i < stmt->child_count; i++) {
      struct ir_stmt one = *stmt->children[i];
      one.place = (struct ir_place){0};
      if (i) text_add(p->out, " ");
      print_decl(p, &one);
    }
  }
}

/* ---- control ---- */

static void print_children(struct printer *p, const struct ir_stmt *block)
{
  for (unsigned i = 0; i < block->child_count; i++) print_stmt(p, block->children[i]);
}

static void print_braces(struct printer *p, const struct ir_stmt *block)
{
  text_add(p->out, "{");
  p->indent++;
  p->joined_line = 0;
  print_children(p, block);
  p->indent--;
  print_line(p);
  text_add(p->out, "}");
}

/* Prints the statement that an if or loop at `line` governs. */
static void print_body(struct printer *p, const struct ir_stmt *body, unsigned line)
{
  if (body->kind == IR_STMT_BLOCK) {
    text_add(p->out, " ");
    print_braces(p, body);
    p->joined_line = 0;
    return;
  }
  p->indent++;
  p->joined_line = line;
  print_stmt(p, body);
  p->indent--;
  p->joined_line = 0;
}

/* Would an else after the statement belong to it: if (a) for (...) if (b) f();? */
static bool takes_else(const struct ir_stmt *stmt)
{
  for (;;) switch (stmt->kind) {
    case IR_STMT_IF:
      if (!stmt->else_body) return true;
      stmt = stmt->else_body;
      break;
    case IR_STMT_FOR:
    case IR_STMT_WHILE: stmt = stmt->body; break;
    default: return false;
    }
}

static void print_else(struct printer *p, const struct ir_stmt *stmt);

static void print_branches(struct printer *p, const struct ir_stmt *stmt)
{
  struct ir_stmt *body = stmt->body, whole = *stmt;
  struct ir_stmt block = {
      .kind = IR_STMT_BLOCK, .place = body->place, .children = &body, .child_count = 1};
  if (stmt->else_body && takes_else(body)) whole.body = &block;
  print_body(p, whole.body, stmt->place.line);
  if (stmt->else_body) print_else(p, &whole);
}

static void print_else(struct printer *p, const struct ir_stmt *stmt)
{
  if (stmt->body->kind == IR_STMT_BLOCK)
    text_add(p->out, " else");
  else
    print_text_line(p, "else");
  if (stmt->else_body->kind == IR_STMT_IF) {
    p->joined_line = 0;
    text_add(p->out, " if (");
    print_expr_at(p, stmt->else_body->expr, 1);
    text_add(p->out, ")");
    print_branches(p, stmt->else_body);
    return;
  }
  print_body(p, stmt->else_body, p->line);
}

static void print_head(struct printer *p, const char *word, const struct ir_stmt *stmt)
{
  text_format(p->out, "%s (", word);
  print_expr_at(p, stmt->expr, 1);
  text_add(p->out, ")");
}

/* Prints the condition of a loop without a known trip count. */
static void print_condition(struct printer *p, const struct ir_expr *condition)
{
  if (p->waits) text_add(p->out, condition ? "mesi_cpu_turn() && (" : "mesi_cpu_turn()");
  if (condition) print_expr_at(p, condition, 1);
  if (p->waits && condition) text_add(p->out, ")");
}

static void print_while(struct printer *p, const struct ir_stmt *stmt)
{
  text_add(p->out, "while (");
  print_condition(p, stmt->expr);
  text_add(p->out, ")");
}

static void print_entered(struct printer *p, const struct ir_stmt *loop)
{
  struct ir_stmt *body = loop->body;
  text_add(p->out, " {");
  p->indent++;
  p->joined_line = 0;
  p->enter(p, loop);
  if (body->kind == IR_STMT_BLOCK)
    print_children(p, body);
  else
    print_stmt(p, body);
  p->indent--;
  print_line(p);
  text_add(p->out, "}");
}

static void print_for(struct printer *p, const struct ir_stmt *stmt)
{
  text_add(p->out, "for (");
  if (stmt->init && stmt->init->kind == IR_STMT_EXPR)
    print_expr_at(p, stmt->init->expr, 1);
  else if (stmt->init && stmt->init->kind == IR_STMT_DECL)
    print_var_decl(p, stmt->init);
  else if (stmt->init && stmt->init->kind == IR_STMT_DECLS)
    print_declarators(p, stmt->init);
  text_add(p->out, ";");
  if (stmt->expr) text_add(p->out, " ");
  if (stmt->loop)
    print_expr_at(p, stmt->expr, 1);
  else
    print_condition(p, stmt->expr);
  text_add(p->out, ";");
  if (stmt->increment) {
    text_add(p->out, " ");
    print_expr_at(p, stmt->increment, 1);
  }
  text_add(p->out, ")");
  if (p->enter && p->entered == stmt)
    print_entered(p, stmt);
  else
    print_body(p, stmt->body, stmt->place.line);
}

static void print_do(struct printer *p, const struct ir_stmt *stmt)
{
  text_add(p->out, "do");
  print_body(p, stmt->body, stmt->place.line);
  if (stmt->body->kind == IR_STMT_BLOCK)
    text_add(p->out, " ");
  else
    print_line(p);
  print_while(p, stmt);
  text_add(p->out, ";");
}

static void print_switch(struct printer *p, const struct ir_stmt *stmt)
{
  print_head(p, "switch", stmt);
  print_body(p, stmt->body, stmt->place.line);
}

static void print_case(struct printer *p, const struct ir_stmt *stmt)
{
  if (stmt->expr) {
    text_add(p->out, "case ");
    print_expr(p, stmt->expr);
    text_add(p->out, ":");
  } else {
    text_add(p->out, "default:");
  }
}

static void print_return(struct printer *p, const struct ir_stmt *stmt)
{
  if (stmt->expr) {
    text_add(p->out, "return ");
    print_expr_at(p, stmt->expr, 1);
    text_add(p->out, ";");
  } else {
    if (p->return_text) p->returned = true;
    text_add(p->out, p->return_text ? p->return_text : "return;");
  }
}

static void print_kind(struct printer *p, const struct ir_stmt *stmt)
{
  switch (stmt->kind) {
  case IR_STMT_NULL: text_add(p->out, ";"); break;
  case IR_STMT_DECL: print_decl(p, stmt); break;
  case IR_STMT_DECLS: print_decls(p, stmt); break;
  case IR_STMT_EXPR:
    print_expr_at(p, stmt->expr, 1);
    text_add(p->out, ";");
    break;
  case IR_STMT_BLOCK: print_braces(p, stmt); break;
  case IR_STMT_IF:
    print_head(p, "if", stmt);
    print_branches(p, stmt);
    break;
  case IR_STMT_FOR: print_for(p, stmt); break;
  case IR_STMT_WHILE:
    print_while(p, stmt);
    print_body(p, stmt->body, stmt->place.line);
    break;
  case IR_STMT_DO: print_do(p, stmt); break;
  case IR_STMT_SWITCH: print_switch(p, stmt); break;
  case IR_STMT_CASE: print_case(p, stmt); break;
  case IR_STMT_BREAK: text_add(p->out, "break;"); break;
  case IR_STMT_CONTINUE: text_add(p->out, "continue;"); break;
  case IR_STMT_GOTO: text_format(p->out, "goto %s;", stmt->label); break;
  case IR_STMT_LABEL: text_format(p->out, "%s:;", stmt->label); break;
  case IR_STMT_RETURN: print_return(p, stmt); break;
  default: p->failed = true; break;
  }
}

void print_stmt(struct printer *p, const struct ir_stmt *stmt)
{
  const char *pragma = stmt->pragma          ? stmt->pragma
                       : stmt == p->unrolled ? "#pragma unroll 4"
                                             : NULL;
  if (pragma) {
    if (*pragma == '#')
      new_line(p);
    else
      print_line(p);
    text_add(p->out, pragma);
    p->joined_line = 0;
  }
  begin_stmt(p, stmt);
  print_kind(p, stmt);
  p->joined_line = is_simple(stmt) ? stmt->place.line : 0;
}
