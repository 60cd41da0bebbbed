/* SPDX-License-Identifier: MIT */
/* ir_names.c - the names in the text of a function that is printed from its body.
 *
 *     float scale = 0;            a local of the function's own
 *     s += tab[i] * weight(i);    "tab" and "weight" are other names
 */
#include <ctype.h>
#include <string.h>

#include "translator/ir/ir.h"

static bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The length of the character constant or string that begins here; 0: none does. `before`: what
 * stands in front of it, a prefix or the digits of 1'000, with its length. */
static size_t literal_length(const char *at, const char *before, size_t length)
{
  bool digits = length && isdigit((unsigned char)before[0]),
       raw = length && before[length - 1] == 'R';
  size_t end = 1;

  if (*at != '\'' && *at != '"') return 0;
  if (digits || raw) return 1;
  while (at[end] && at[end] != *at) end += at[end] == '\\' && at[end + 1] ? 2 : 1;
  return at[end] ? end + 1 : 0;
}

bool ir_text_has_name(const char *text, const char *name)
{
  size_t wanted = strlen(name);

  for (const char *at = text; text && *at;) {
    size_t length = 0;
    while (is_name_char(at[length])) length++;
    if (length == wanted && !strncmp(at, name, length)) return true;
    size_t literal = literal_length(at + length, at, length);
    at += length + literal ? length + literal : 1;
  }
  return false;
}

const char *ir_named_type(const struct ir_type *type)
{
  while (type->element) type = type->element;
  return type->spelling;
}

bool ir_has_text(const struct ir_expr *expr)
{
  return expr->kind == IR_EXPR_CALL || expr->kind == IR_EXPR_CAST ||
         expr->kind == IR_EXPR_CONSTRUCT || expr->kind == IR_EXPR_SIZEOF ||
         expr->kind == IR_EXPR_INT;
}

struct name_search {
  const struct ir_function *function;
  const char *name;
  const struct ir_var *but;
  bool found;
};

/* sizeof(i) and (decltype(i))x: the name may be that of the local in question. */
static bool may_name_own(const struct name_search *s, const struct ir_expr *expr)
{
  return s->but && expr->text && (expr->kind == IR_EXPR_SIZEOF || strchr(expr->text, '('));
}

/* Is the variable named here? A shared array in the body of a device function is only named
 * there. */
static bool is_named(const struct name_search *s, const struct ir_var *var)
{
  bool inside = var->kind == IR_VAR_SHARED && !var->qualified;

  return var != s->but && !ir_owns(s->function, var) &&
         (!inside || s->but || s->function->is_kernel);
}

static void look_at_expr(struct ir_expr *expr, void *context)
{
  struct name_search *s = context;

  if (expr->kind == IR_EXPR_VAR && is_named(s, expr->var))
    s->found |= ir_text_has_name(expr->text, s->name) || ir_text_has_name(expr->var->name, s->name);
  if (ir_has_text(expr) && !expr->is_method && !may_name_own(s, expr))
    s->found |= ir_text_has_name(expr->text, s->name);
}

static bool look_at_stmt(struct ir_stmt *stmt, void *context)
{
  struct name_search *s = context;

  if (stmt->kind == IR_STMT_DECL)
    s->found |= ir_text_has_name(ir_named_type(stmt->var->type), s->name);
  return true;
}

bool ir_names_other(const struct ir_function *function, const char *name, const struct ir_var *but)
{
  struct name_search s = {function, name, but, false};

  ir_visit_stmts(function->body, look_at_stmt, &s);
  ir_visit_stmt_exprs(function->body, look_at_expr, &s);
  return s.found;
}
