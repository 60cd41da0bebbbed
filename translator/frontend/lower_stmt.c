/* SPDX-License-Identifier: MIT */
/* lower_stmt.c - cursors of statements to IR. Forms without an IR statement are OPAQUE in host
 * functions and end the lowering of a kernel (lower_fail). */
#include <ctype.h>
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

struct ir_stmt *new_stmt(struct lower *l, enum ir_stmt_kind kind, CXCursor cursor)
{
  struct ir_stmt *stmt = ARENA_NEW(l->frontend->arena, struct ir_stmt);
  stmt->kind = kind;
  stmt->id = l->function->stmt_count++;
  stmt->place = place_of(l->frontend, cursor);
  return stmt;
}

/* ---- blocks ---- */

struct stmt_list {
  struct ir_stmt **items;
  unsigned count, capacity;
};

static void add(struct lower *l, struct stmt_list *list, struct ir_stmt *stmt)
{
  *ARENA_PUSH(l->frontend->arena, list) = stmt;
}

/* A case label's statement follows it as its sibling, labels of labels included. */
static void lower_into(struct lower *l, struct stmt_list *list, CXCursor cursor)
{
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind != CXCursor_CaseStmt && kind != CXCursor_DefaultStmt) {
    add(l, list, lower_stmt(l, cursor));
    return;
  }
  struct children children = children_of(l->frontend, cursor);
  unsigned labels = kind == CXCursor_CaseStmt ? 1 : 0;
  if (children.count != labels + 1) {
    add(l, list, lower_opaque_stmt(l, cursor, "a case range"));
    return;
  }
  struct ir_stmt *label = new_stmt(l, IR_STMT_CASE, cursor);
  if (labels) label->expr = lower_expr(l, children.items[0]);
  add(l, list, label);
  lower_into(l, list, children.items[labels]);
}

static struct ir_stmt *lower_block(struct lower *l, CXCursor cursor)
{
  struct ir_stmt *block = new_stmt(l, IR_STMT_BLOCK, cursor);
  struct children children = children_of(l->frontend, cursor);
  struct stmt_list list = {0};
  unsigned outer_end = l->block_end;
  l->block_end = block->place.end;
  for (unsigned i = 0; i < children.count; i++) lower_into(l, &list, children.items[i]);
  l->block_end = outer_end;
  block->children = list.items;
  block->child_count = list.count;
  return block;
}

/* ---- declarations ---- */

static bool is_construction(CXCursor init)
{
  return clang_getCursorKind(init) == CXCursor_CallExpr &&
         clang_getCursorKind(clang_getCursorReferenced(init)) == CXCursor_Constructor;
}

/* Is the initialiser the default construction of a class without an initialiser in the source? */
static bool is_default_construction(CXCursor init)
{
  return is_construction(init) && clang_Cursor_getNumArguments(init) <= 0;
}

/* The style of an initialiser in a macro, whose text is not in the file. */
static enum ir_init_style init_style_of_macro(CXCursor init)
{
  if (is_default_construction(init)) return IR_INIT_NONE;
  return is_construction(init) ? IR_INIT_PAREN : IR_INIT_ASSIGN;
}

static enum ir_init_style init_style(struct lower *l, CXCursor declaration, CXCursor init)
{
  struct ir_place place = place_of(l->frontend, declaration);
  const struct unit_file *file = &l->frontend->unit->files.items[place.file];
  unsigned at = place_of_location(l->frontend, clang_getCursorLocation(declaration)).begin;
  if (at >= place.end) return IR_INIT_ASSIGN;
  at = scan_skip_space(file->text, scan_skip_token(file->text, at));
  while (at < place.end && (file->text[at] == '[' || file->text[at] == ')'))
    at = scan_skip_space(file->text,
                         file->text[at] == '[' ? scan_skip_group(file->text, at) : at + 1);
  if (at >= place.end) return init_style_of_macro(init);
  if (file->text[at] == '(') return IR_INIT_PAREN;
  if (file->text[at] == '{') return IR_INIT_BRACE;
  return IR_INIT_ASSIGN;
}

static void register_local(struct lower *l, struct ir_var *var)
{
  for (unsigned i = 0; i < l->vars.count; i++)
    if (l->vars.items[i] == var) return;
  var->id = l->vars.count;
  *ARENA_PUSH(l->frontend->arena, &l->vars) = var;
}

static const char a_static[] = "a static local variable";

struct ir_stmt *lower_decl(struct lower *l, CXCursor declaration, struct ir_place place)
{
  struct frontend *f = l->frontend;
  struct ir_stmt *stmt = new_stmt(l, IR_STMT_DECL, declaration);
  stmt->place = place;
  struct ir_var *var = var_of(f, declaration, l->function);
  stmt->var = var;
  if (var->function) register_local(l, var);
  if (var->kind == IR_VAR_SHARED && lambda_is_in_text(l, text_of(f, place)))
    lower_fail(l, declaration, "a lambda in the type of a shared array");
  if (l->strict && var->type->is_unnamed)
    lower_fail(l, declaration, "a variable of an unnamed type (a lambda)");
  bool is_memory = var->kind == IR_VAR_DEVICE && !SEEDED(STATIC_OF_DEVICE_KEPT);
  bool is_static = l->strict && (var->kind == IR_VAR_LOCAL || is_memory) && var->is_static;
  CXCursor init = without_elided_copy(clang_Cursor_getVarDeclInitializer(declaration));
  if (clang_Cursor_isNull(init)) {
    if (is_static) lower_fail(l, declaration, a_static);
    return stmt;
  }
  stmt->init_style = init_style(l, declaration, init);
  if (stmt->init_style == IR_INIT_NONE) { /* implicit default construction */
    if (is_default_construction(init)) return stmt;
    stmt->init_style = IR_INIT_ASSIGN;
  }
  stmt->expr = lower_expr(l, init);
  if (stmt->init_style != IR_INIT_ASSIGN && ir_strip(stmt->expr)->kind == IR_EXPR_CONSTRUCT &&
      !ir_strip(stmt->expr)->operand_count) { /* T x{} */
    stmt->init_style = IR_INIT_BRACE;
  }
  var->init = stmt->expr;
  if (is_static && (is_memory || !table_declare(var, var->init)))
    lower_fail(l, declaration, a_static);
  return stmt;
}

static struct ir_stmt *lower_decl_stmt(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  struct ir_place place = place_of(l->frontend, cursor);
  struct stmt_list list = {0};
  for (unsigned i = 0; i < children.count; i++) {
    enum CXCursorKind kind = clang_getCursorKind(children.items[i]);
    if (kind == CXCursor_VarDecl && lambda_declare(l, children.items[i])) continue;
    if (kind == CXCursor_VarDecl)
      add(l, &list, lower_decl(l, children.items[i], place));
    else if (l->strict && (kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl))
      alias_declare(l, children.items[i]);
    else if (l->strict && (kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl ||
                           kind == CXCursor_ClassDecl || kind == CXCursor_EnumDecl ||
                           kind == CXCursor_UsingDeclaration || kind == CXCursor_UsingDirective))
      lower_fail(l, children.items[i], "a type or using declaration in the body");
    else if (clang_isUnexposed(kind) || clang_isInvalid(kind) || kind == CXCursor_FunctionDecl)
      return lower_opaque_stmt(l, cursor, "a declaration that is not analysed");
  }
  const char *written = l->instance ? lowered_text(l, place) : NULL;
  if (written && (!list.count || alias_is_named(l, written))) written = NULL;
  if (list.count == 1) {
    list.items[0]->written = written;
    return list.items[0];
  }
  struct ir_stmt *stmt = new_stmt(l, list.count ? IR_STMT_DECLS : IR_STMT_NULL, cursor);
  stmt->written = written;
  stmt->children = list.items;
  stmt->child_count = list.count;
  return stmt;
}

/* ---- opaque ---- */

struct ir_stmt *lower_opaque_stmt(struct lower *l, CXCursor cursor, const char *reason)
{
  if (l->strict) lower_fail(l, cursor, reason);
  struct ir_stmt *stmt = new_stmt(l, IR_STMT_OPAQUE, cursor);
  struct children children = children_of(l->frontend, cursor);
  struct stmt_list list = {0};
  LIST_OF(struct ir_expr *) exprs = {0};
  for (unsigned i = 0; i < children.count; i++) {
    enum CXCursorKind kind = clang_getCursorKind(children.items[i]);
    if (clang_isExpression(kind))
      *ARENA_PUSH(l->frontend->arena, &exprs) = lower_expr(l, children.items[i]);
    else if (clang_isStatement(kind))
      add(l, &list, lower_stmt(l, children.items[i]));
    else if (kind == CXCursor_VarDecl)
      add(l, &list, lower_decl(l, children.items[i], place_of(l->frontend, children.items[i])));
  }
  stmt->children = list.items;
  stmt->child_count = list.count;
  stmt->exprs = exprs.items;
  stmt->expr_count = exprs.count;
  return stmt;
}

/* ---- control ---- */

/* Finds which of init, condition and increment exist: libclang leaves out missing ones, and the
 * text has the semicolons. */
static bool for_parts(struct lower *l, CXCursor cursor, struct children children, CXCursor *ret,
                      bool *present)
{
  struct ir_place place = place_of(l->frontend, cursor);
  const char *text = l->frontend->unit->files.items[place.file].text;
  unsigned count = children.count - 1; /* the body is last */
  if (count == 3) {
    for (unsigned i = 0; i < 3; i++) ret[i] = children.items[i], present[i] = true;
    return true;
  }
  if (place.in_macro || strncmp(text + place.begin, "for", 3)) return false;
  unsigned at = scan_skip_space(text, place.begin + 3);
  if (text[at] != '(') return false;
  unsigned semicolons[2], found = 0, close = scan_skip_group(text, at);
  for (at = scan_skip_space(text, at + 1); at + 1 < close && found < 2;) {
    if (text[at] == ';') semicolons[found++] = at;
    at = strchr("([{", text[at]) ? scan_skip_group(text, at) : scan_skip_token(text, at);
    at = scan_skip_space(text, at);
  }
  if (found != 2) return false;
  for (unsigned i = 0; i < count; i++) {
    unsigned begin = place_of(l->frontend, children.items[i]).begin;
    unsigned part = begin < semicolons[0] ? 0 : begin < semicolons[1] ? 1 : 2;
    if (present[part]) return false;
    ret[part] = children.items[i];
    present[part] = true;
  }
  return true;
}

static struct ir_stmt *lower_for(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  CXCursor parts[3];
  bool present[3] = {false, false, false};
  if (!children.count || children.count > 4 || !for_parts(l, cursor, children, parts, present) ||
      (present[1] && !clang_isExpression(clang_getCursorKind(parts[1]))))
    return lower_opaque_stmt(l, cursor, "a for statement of an unusual form");
  struct ir_stmt *stmt = new_stmt(l, IR_STMT_FOR, cursor);
  if (present[0]) {
    stmt->init = clang_isExpression(clang_getCursorKind(parts[0]))
                     ? new_stmt(l, IR_STMT_EXPR, parts[0])
                     : NULL;
    if (stmt->init)
      stmt->init->expr = lower_expr(l, parts[0]);
    else
      stmt->init = lower_stmt(l, parts[0]);
  }
  if (present[1]) stmt->expr = lower_expr(l, parts[1]);
  if (present[2]) stmt->increment = lower_expr(l, parts[2]);
  stmt->body = lower_stmt(l, children.items[children.count - 1]);
  return stmt;
}

static struct ir_stmt *lower_do(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  if (children.count != 2 || !clang_isExpression(clang_getCursorKind(children.items[1])))
    return lower_opaque_stmt(l, cursor, "a loop of an unusual form");
  struct ir_stmt *stmt = new_stmt(l, IR_STMT_DO, cursor);
  stmt->body = lower_stmt(l, children.items[0]);
  stmt->expr = lower_expr(l, children.items[1]);
  return stmt;
}

/* { x, y } that a method returns is point{ x, y } wherever it stands. */
static void make_value(struct ir_expr *expr)
{
  expr = ir_strip(expr);
  if (expr->kind != IR_EXPR_INIT_LIST || expr->type->kind != IR_TYPE_RECORD) return;
  expr->kind = IR_EXPR_CONSTRUCT;
  expr->text = expr->type->spelling;
  expr->is_brace = true;
}

static struct ir_stmt *lower_return(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor);
  struct ir_stmt *stmt = new_stmt(l, IR_STMT_RETURN, cursor);
  if (children.count == 1) stmt->expr = lower_expr(l, children.items[0]);
  if (l->is_member && stmt->expr) make_value(stmt->expr);
  return stmt;
}

/* A line of text without surrounding space, its line ends as spaces. */
static const char *one_line(struct arena *arena, const char *text, size_t length)
{
  while (length && isspace((unsigned char)text[length - 1])) length--;
  while (length && isspace((unsigned char)*text)) text++, length--;
  char *copy = arena_copy(arena, text, length);
  for (char *c = copy; *c; c++)
    if (*c == '\n' || *c == '\r') *c = ' ';
  return copy;
}

/* The pragma before the attributed statement: "#pragma unroll 4", _Pragma("unroll 4"), or a macro
 * with that text. NULL: another attribute. */
static const char *pragma_text(struct lower *l, const struct ir_place *outer,
                               const struct ir_place *inner)
{
  const char *file = l->frontend->unit->files.items[outer->file].text, *line = file + outer->begin;
  while (line > file && line[-1] != '\n') line--;
  if (line[scan_skip_space(line, 0)] == '#') {
    const char *text = arena_copy(l->frontend->arena, line, strcspn(line, "\r\n"));
    return strstr(text, "unroll") ? text : NULL;
  }
  bool before =
      inner->file == outer->file && inner->begin > outer->begin && file[outer->begin] != '[';
  return before ? one_line(l->frontend->arena, file + outer->begin, inner->begin - outer->begin)
                : NULL;
}

/* Attributed statements (#pragma unroll): the statement inside. */
static struct ir_stmt *lower_unexposed_stmt(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor), inner = {0};
  for (unsigned i = 0; i < children.count; i++)
    if (clang_isStatement(clang_getCursorKind(children.items[i])))
      *ARENA_PUSH(l->frontend->arena, &inner) = children.items[i];
  if (inner.count == 1 && children.count <= 2) {
    struct ir_stmt *stmt = lower_stmt(l, inner.items[0]);
    struct ir_place outer = place_of(l->frontend, cursor),
                    place = place_of(l->frontend, inner.items[0]);
    const char *pragma = pragma_text(l, &outer, &place);
    stmt->pragma = pragma ? instance_text(l->frontend, l->instance, pragma) : NULL;
    return stmt;
  }
  return lower_opaque_stmt(l, cursor, "a statement that is not analysed");
}

struct ir_stmt *lower_stmt(struct lower *l, CXCursor cursor)
{
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (clang_isExpression(kind)) {
    struct ir_stmt *stmt = new_stmt(l, IR_STMT_EXPR, cursor);
    l->whole = cursor;
    stmt->expr = lower_expr(l, cursor);
    return stmt;
  }
  switch (kind) {
  case CXCursor_NullStmt: return new_stmt(l, IR_STMT_NULL, cursor);
  case CXCursor_CompoundStmt: return lower_block(l, cursor);
  case CXCursor_DeclStmt: return lower_decl_stmt(l, cursor);
  case CXCursor_IfStmt: return lower_if(l, cursor);
  case CXCursor_ForStmt: return lower_for(l, cursor);
  case CXCursor_WhileStmt: return lower_while(l, cursor);
  case CXCursor_DoStmt: return lower_do(l, cursor);
  case CXCursor_SwitchStmt: return lower_switch(l, cursor);
  case CXCursor_BreakStmt: return new_stmt(l, IR_STMT_BREAK, cursor);
  case CXCursor_ContinueStmt: return new_stmt(l, IR_STMT_CONTINUE, cursor);
  case CXCursor_ReturnStmt: return lower_return(l, cursor);
  case CXCursor_UnexposedStmt: return lower_unexposed_stmt(l, cursor);
  case CXCursor_GotoStmt:
  case CXCursor_LabelStmt: return lower_opaque_stmt(l, cursor, "a goto or label");
  case CXCursor_AsmStmt:
  case CXCursor_MSAsmStmt: return lower_opaque_stmt(l, cursor, "inline assembly");
  case CXCursor_CXXForRangeStmt: return lower_opaque_stmt(l, cursor, "a range-based for statement");
  default: return lower_opaque_stmt(l, cursor, "a statement that is not analysed");
  }
}
