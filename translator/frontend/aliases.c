/* SPDX-License-Identifier: MIT */
/* aliases.c - types that the body of device code gives a name of its own.
 *
 *     using acc = typename traits<T>::acc;       (T is float, traits<float>::acc is double)
 *     __shared__ acc tile[32];             =>    __shared__ double tile[32];
 *     s += convert<acc>(x[i]);             =>    s += convert<double>(x[i]);
 *
 * The IR has the types themselves, and the emitted text has no such declaration. What is copied
 * from the source as text gets the type in the alias's place. Requires: all other statements are
 * lowered. Gives up, and the function is kept, where such a text names an alias whose type has no
 * name that can stand there, that is declared twice with different types, that a variable or a
 * member has as its name, too, or that stands in front of a parenthesis where its type takes
 * several words.
 */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

void alias_declare(struct lower *l, CXCursor declaration)
{
  struct frontend *f = l->frontend;
  CXType type = clang_getCanonicalType(clang_getTypedefDeclUnderlyingType(declaration));
  CXSourceLocation end =
      l->instance ? l->instance->end : clang_getRangeEnd(clang_getCursorExtent(declaration));
  struct instance_argument alias = {.name = spelling_of(f, declaration)};

  if (!instance_type_obstacle(f, type, end)) alias.text = type_spelling(f, type);
  for (unsigned i = 0; i < l->aliases.arguments.count; i++) {
    struct instance_argument *earlier = &l->aliases.arguments.items[i];
    if (strcmp(earlier->name, alias.name)) continue;
    if (!alias.text || !earlier->text ||
        (strcmp(earlier->text, alias.text) && !SEEDED(ALIAS_DECLARED_FIRST)))
      earlier->text = NULL;
    return;
  }
  *ARENA_PUSH(f->arena, &l->aliases.arguments) = alias;
}

static const struct instance_argument *named_alias(const struct lower *l, const char *text)
{
  for (unsigned i = 0; i < l->aliases.arguments.count; i++)
    if (ir_text_has_name(text, l->aliases.arguments.items[i].name))
      return &l->aliases.arguments.items[i];
  return NULL;
}

bool alias_is_named(const struct lower *l, const char *text) { return named_alias(l, text); }

static bool is_other_name(const struct lower *l, const char *name)
{
  for (unsigned i = 0; i < l->vars.count; i++)
    if (!strcmp(l->vars.items[i]->name, name)) return true;
  return false;
}

/* Does the alias stand in front of a parenthesis? `unsigned int(x)` is no expression. */
static bool is_converted_by(const char *text, const char *name)
{
  const size_t length = strlen(name);

  for (const char *at = strstr(text, name); at; at = strstr(at + length, name)) {
    char behind = text[scan_skip_space(text, (unsigned)(at - text + (ptrdiff_t)length))];
    if (behind == '(' || behind == '{') return true;
  }
  return false;
}

const char *alias_text(struct lower *l, const char *text)
{
  for (unsigned i = 0; i < l->aliases.arguments.count; i++) {
    const struct instance_argument *alias = &l->aliases.arguments.items[i];
    if (!ir_text_has_name(text, alias->name)) continue;
    if (!alias->text || is_other_name(l, alias->name)) return NULL;
    if (strpbrk(alias->text, " *&[") && is_converted_by(text, alias->name)) return NULL;
  }
  return instance_text(l->frontend, &l->aliases, text);
}

static void put_types(struct ir_expr *expr, void *context)
{
  struct lower *l = context;
  const struct instance_argument *alias = NULL;

  if (l->failed || !expr->text || expr->kind == IR_EXPR_VAR || expr->kind == IR_EXPR_MEMBER) return;
  alias = named_alias(l, expr->text);
  if (!alias) return;
  const char *text = alias_text(l, expr->text);
  if (text) {
    expr->text = text;
    return;
  }
  l->failed = arena_format(l->frontend->arena,
                           "the type '%s' of the body is named where it must stay", alias->name);
  l->failed_place = expr->place;
}

/* A shared array is printed as written: the IR does not have its alignment. */
static bool put_shared_types(struct ir_stmt *stmt, void *context)
{
  struct lower *l = context;
  const struct ir_stmt *first =
      stmt->kind == IR_STMT_DECLS && stmt->child_count ? stmt->children[0] : stmt;

  if (l->failed || first->kind != IR_STMT_DECL || first->var->kind != IR_VAR_SHARED) return true;
  const char *text = lowered_text(l, stmt->place);
  if (!named_alias(l, text)) return true;
  stmt->written = alias_text(l, text);
  if (stmt->written) return true;
  l->failed = "a shared array of a type that the body declares";
  l->failed_place = stmt->place;
  return true;
}

void aliases_end(struct lower *l, struct ir_stmt *body)
{
  if (!l->aliases.arguments.count) return;
  ir_visit_stmt_exprs(body, put_types, l);
  ir_visit_stmts(body, put_shared_types, l);
}
