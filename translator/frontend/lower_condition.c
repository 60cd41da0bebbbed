/* SPDX-License-Identifier: MIT */
/* lower_condition.c - if, while and switch with a declaration or a statement in the condition.
 *
 *     if (int d = f(i); d < best) best = d;   =>  { int d = f(i); if (d < best) best = d; }
 *     if (int v = a[i]) s += v; else s--;     =>  { int v = a[i]; if (v) s += v; else s--; }
 *     while (unsigned b = v & -v) v ^= b;     =>  while (true) { unsigned b = v & -v;
 *                                                                if (!b) break; v ^= b; }
 *     switch (int k = c & 3; k) { ... }       =>  { int k = c & 3; switch (k) { ... } }
 *
 * That is how C++ defines them: the names are valid in the else part, too, and `continue` makes the
 * variable of a while anew. The change is in the IR alone, and of device code alone: in host code,
 * where text may be put in front of statements, these forms are OPAQUE.
 * libclang does not tell an expression in front of the semicolon from a condition, and leaves out
 * the first part of a switch, so that the text decides. Gives up: where the text is not known
 * (macros that are made of pieces), and the first part of a switch that is no single declaration of
 * a variable that the switch uses.
 */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"
#include "translator/ir/ir_rewrite.h"

/* ---- the text in the parentheses ---- */

struct head {
  const char *text;
  unsigned begin, semicolon, end; /* after the (, of the first semicolon, of the ) */
  bool has_first;                 /* there is a semicolon */
};

/* Where the keyword is written: in the file, or in a macro's definition. */
static const char *keyword_at(struct frontend *f, CXCursor cursor, unsigned *ret_at)
{
  CXFile file;
  size_t length;
  CXSourceLocation location = clang_getRangeStart(clang_getCursorExtent(cursor));
  struct ir_place place = place_of(f, cursor);
  if (!place.in_macro) {
    *ret_at = place.begin;
    return f->unit->files.items[place.file].text;
  }
  clang_getSpellingLocation(location, &file, NULL, NULL, ret_at);
  return file ? clang_getFileContents(f->tu, file, &length) : NULL;
}

static bool head_of(struct frontend *f, CXCursor cursor, const char *keyword, struct head *ret)
{
  unsigned at;
  size_t length = strlen(keyword);
  const char *text = keyword_at(f, cursor, &at);
  if (!text || strncmp(text + at, keyword, length)) return false;
  at = scan_skip_space(text, at + (unsigned)length);
  if (!strncmp(text + at, "constexpr", 9)) at = scan_skip_space(text, at + 9);
  if (text[at] != '(') return false;
  *ret = (struct head){.text = text, .begin = at + 1, .end = scan_skip_group(text, at) - 1};
  for (at = scan_skip_space(text, at + 1); at < ret->end && !ret->has_first;) {
    ret->has_first = text[at] == ';';
    ret->semicolon = at;
    at = strchr("([{", text[at]) ? scan_skip_group(text, at) : scan_skip_token(text, at);
    at = scan_skip_space(text, at);
  }
  return true;
}

/* Has the switch a part in front of a semicolon, or is its text not known? libclang visits neither
 * that part nor, where it is a declaration, the declared variable. */
bool switch_has_first(struct frontend *f, CXCursor cursor)
{
  struct head head;
  return !head_of(f, cursor, "switch", &head) || head.has_first;
}

/* ---- the parts ---- */

struct condition {
  CXCursor first;    /* the part in front of the semicolon; null: there is none */
  CXCursor variable; /* the declaration that is the condition; null: there is none */
  CXCursor value;    /* the condition */
  unsigned behind;   /* the number of the child after it */
};

static bool is_declaration(CXCursor cursor)
{
  return clang_getCursorKind(cursor) == CXCursor_VarDecl;
}

/* The children are the variable, the first part, the condition, and the rest. */
static bool find_parts(const struct children *children, bool has_first, struct condition *ret)
{
  unsigned at = 0;
  ret->first = ret->variable = clang_getNullCursor();
  if (at < children->count && is_declaration(children->items[at]))
    ret->variable = children->items[at++];
  if (has_first) {
    if (at >= children->count) return false;
    ret->first = children->items[at++];
  }
  if (at >= children->count || !clang_isExpression(clang_getCursorKind(children->items[at])))
    return false;
  ret->value = children->items[at];
  ret->behind = at + 1;
  return true;
}

static bool is_plain(const struct condition *c)
{
  return clang_Cursor_isNull(c->first) && clang_Cursor_isNull(c->variable);
}

/* ---- build ---- */

static void add_variable(struct lower *l, struct ir_list *list, const struct condition *c)
{
  if (!clang_Cursor_isNull(c->variable))
    ir_list_add(l->frontend->arena, list,
                lower_decl(l, c->variable, place_of(l->frontend, c->variable)));
}

static void add_declarations(struct lower *l, struct ir_list *list, const struct condition *c)
{
  if (!clang_Cursor_isNull(c->first))
    ir_list_add(l->frontend->arena, list, lower_stmt(l, c->first));
  add_variable(l, list, c);
}

static struct ir_stmt *block_of(struct lower *l, CXCursor cursor, const struct ir_list *list)
{
  struct ir_stmt *block = new_stmt(l, IR_STMT_BLOCK, cursor);
  block->children = list->items.items;
  block->child_count = list->items.count;
  return block;
}

struct ir_stmt *lower_if(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  struct condition c;
  struct head head = {0};
  struct ir_list list = {0};
  bool told = head_of(l->frontend, cursor, "if", &head);
  head.has_first = head.has_first && !SEEDED(CONDITION_UNREAD);
  bool sure = told || (children.count == 2 && !is_declaration(children.items[0]));
  if (!sure || !find_parts(&children, head.has_first, &c) || children.count < c.behind + 1 ||
      children.count > c.behind + 2)
    return lower_opaque_stmt(l, cursor, "an if statement of an unusual form");
  if (!is_plain(&c) && !l->strict)
    return lower_opaque_stmt(l, cursor, "an if statement with a declaration in its condition");
  add_declarations(l, &list, &c);
  struct ir_stmt *stmt = new_stmt(l, IR_STMT_IF, cursor);
  stmt->expr = lower_expr(l, c.value);
  stmt->body = lower_stmt(l, children.items[c.behind]);
  if (children.count == c.behind + 2) stmt->else_body = lower_stmt(l, children.items[c.behind + 1]);
  if (is_plain(&c)) return stmt;
  ir_list_add(l->frontend->arena, &list, stmt);
  return block_of(l, cursor, &list);
}

static struct ir_stmt *break_unless(struct lower *l, CXCursor value)
{
  struct ir_stmt *stmt = new_stmt(l, IR_STMT_IF, value);
  struct ir_expr *condition = lower_expr(l, value);
  stmt->expr = condition;
  stmt->body = new_stmt(l, IR_STMT_BREAK, value);
  if (SEEDED(CONDITION_INVERTED)) return stmt;
  stmt->expr = new_expr(l, IR_EXPR_UNARY, value, 1);
  stmt->expr->op = IR_OP_NOT;
  stmt->expr->operands[0] = condition;
  return stmt;
}

/* while (T d = ...) body */
static struct ir_stmt *lower_declaring_while(struct lower *l, CXCursor cursor,
                                             const struct condition *c, CXCursor body)
{
  struct ir_list list = {0};
  struct ir_stmt *stmt = new_stmt(l, IR_STMT_WHILE, cursor);
  stmt->expr = new_expr(l, IR_EXPR_LITERAL, c->value, 0);
  stmt->expr->text = "true";
  add_variable(l, &list, c);
  ir_list_add(l->frontend->arena, &list, break_unless(l, c->value));
  ir_list_add(l->frontend->arena, &list, lower_stmt(l, body));
  stmt->body = block_of(l, cursor, &list);
  return stmt;
}

struct ir_stmt *lower_while(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  struct condition c;
  bool fine = find_parts(&children, false, &c) && children.count == c.behind + 1;
  if (!fine || (!is_plain(&c) && !l->strict))
    return lower_opaque_stmt(l, cursor, "a loop with a declaration in its condition");
  if (!is_plain(&c)) return lower_declaring_while(l, cursor, &c, children.items[c.behind]);
  struct ir_stmt *stmt = new_stmt(l, IR_STMT_WHILE, cursor);
  stmt->expr = lower_expr(l, c.value);
  stmt->body = lower_stmt(l, children.items[c.behind]);
  return stmt;
}

/* ---- switch ---- */

struct declared_search {
  struct lower *lower;
  const struct head *head;
  unsigned file;
  LIST_OF(CXCursor) found; /* in the order of their first uses */
};

static enum CXChildVisitResult find_declared(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct declared_search *s = data;
  CXCursor target = clang_getCursorKind(cursor) == CXCursor_DeclRefExpr
                        ? clang_getCursorReferenced(cursor)
                        : clang_getNullCursor();
  if (!is_declaration(target)) return CXChildVisit_Recurse;
  struct ir_place place = place_of(s->lower->frontend, target);
  if (place.in_macro || place.file != s->file || place.begin < s->head->begin ||
      place.end > s->head->semicolon)
    return CXChildVisit_Recurse;
  for (unsigned i = 0; i < s->found.count; i++)
    if (clang_equalCursors(s->found.items[i], target)) return CXChildVisit_Recurse;
  *ARENA_PUSH(s->lower->frontend->arena, &s->found) = target;
  return CXChildVisit_Recurse;
}

/* The variables that the part in front of the semicolon declares, as far as the switch uses them.
 */
static struct declared_search first_variables(struct lower *l, CXCursor cursor,
                                              const struct head *head)
{
  struct declared_search search = {
      .lower = l, .head = head, .file = place_of(l->frontend, cursor).file};
  if (!place_of(l->frontend, cursor).in_macro) clang_visitChildren(cursor, find_declared, &search);
  return search;
}

/* The only variable that this part declares; null: it is not found. */
static CXCursor first_variable(struct lower *l, CXCursor cursor, const struct head *head)
{
  struct declared_search search = first_variables(l, cursor, head);
  unsigned at = scan_skip_space(head->text, head->begin), commas = 0;
  while (at < head->semicolon) {
    commas += head->text[at] == ',';
    at = strchr("([{", head->text[at]) ? scan_skip_group(head->text, at)
                                       : scan_skip_token(head->text, at);
    at = scan_skip_space(head->text, at);
  }
  return !commas && search.found.count ? search.found.items[0] : clang_getNullCursor();
}

/* A switch of host code, with the variables of its first part. */
static struct ir_stmt *opaque_switch(struct lower *l, CXCursor cursor, const struct head *head)
{
  static const char reason[] = "a switch with a declaration in its condition";
  struct declared_search search = first_variables(l, cursor, head);
  struct ir_stmt *stmt = lower_opaque_stmt(l, cursor, reason);
  struct ir_list list = {0};
  for (unsigned i = 0; i < search.found.count && !l->strict && !SEEDED(SWITCH_FIRST_UNDECLARED);
       i++)
    ir_list_add(l->frontend->arena, &list,
                lower_decl(l, search.found.items[i], place_of(l->frontend, search.found.items[i])));
  for (unsigned i = 0; i < stmt->child_count; i++)
    ir_list_add(l->frontend->arena, &list, stmt->children[i]);
  stmt->children = list.items.items;
  stmt->child_count = list.items.count;
  return stmt;
}

/* Refuses a launch in the part in front of the semicolon, which libclang leaves out: its data would
 * not be brought, and the CPU backend has no launches in this form. */
static void refuse_launch(struct lower *l, CXCursor cursor, const struct head *head)
{
  struct frontend *f = l->frontend;
  struct diag_place place = diag_place_of(f, place_of(f, cursor));
  bool found = false;
  for (unsigned at = scan_skip_space(head->text, head->begin); at < head->semicolon && !found;) {
    found = !strncmp(head->text + at, "<<<", 3);
    at = scan_skip_space(head->text, scan_skip_token(head->text, at));
  }
  if (found && !SEEDED(SWITCH_LAUNCH_RAW) && (f->options->device_on_host || f->unit->vs_vars.count))
    diag_report(f->diag, DIAG_UNSUPPORTED, &place,
                "a launch in the first part of a switch is not supported");
}

struct ir_stmt *lower_switch(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  struct condition c;
  struct head head = {0};
  struct ir_list list = {0};
  bool told = head_of(l->frontend, cursor, "switch", &head);
  bool fine = told && find_parts(&children, false, &c) && children.count == c.behind + 1;
  if (told && head.has_first) refuse_launch(l, cursor, &head);
  if (!fine) return lower_opaque_stmt(l, cursor, "a switch of an unusual form");
  if (head.has_first || !is_plain(&c)) {
    CXCursor first = head.has_first ? first_variable(l, cursor, &head) : clang_getNullCursor();
    if (!l->strict || (head.has_first && clang_Cursor_isNull(first)))
      return opaque_switch(l, cursor, &head);
    if (head.has_first)
      ir_list_add(l->frontend->arena, &list, lower_decl(l, first, place_of(l->frontend, first)));
  }
  add_variable(l, &list, &c);
  struct ir_stmt *stmt = new_stmt(l, IR_STMT_SWITCH, cursor);
  stmt->expr = lower_expr(l, c.value);
  stmt->body = lower_stmt(l, children.items[c.behind]);
  if (stmt->body->kind != IR_STMT_BLOCK && l->strict)
    lower_fail(l, cursor, "a switch without a block");
  if (!list.items.count) return stmt;
  ir_list_add(l->frontend->arena, &list, stmt);
  return block_of(l, cursor, &list);
}
