/* SPDX-License-Identifier: MIT */
/* temporaries.c - structures that a launch makes in its arguments.
 *
 *     struct view { float *data; int n; };
 *     scale<<<grid, block>>>(view{p, n}, 2);       made: p at offset 0, n at offset 8
 *
 * So the members have values, as those of a variable have (parts.c). Requires an argument that is a
 * list in braces of a class without constructors, or a call of a constructor that does no more than
 * set members: its body is empty, and its initialisers are parameters, numbers and operators.
 * Operands have no effect: the argument's text may be repeated. Gives up, and the argument is a
 * value of which nothing is known: calls of functions, lists with names of members, members that
 * take several items of the list.
 */
#include <limits.h>
#include <string.h>

#include "translator/frontend/internal.h"
#include "translator/ir/ir_rewrite.h"

struct making {
  struct lower *l;
  struct launch_arg *arg;
  const struct ir_expr *made; /* with an operand for each child */
  struct children children;   /* of the list, or arguments of the constructor */
  CXCursor constructor;
  unsigned next; /* of the list: the next item */
  bool fine;
};

static void add_member(struct making *m, CXCursor field, struct ir_expr *value)
{
  long long bits = clang_Cursor_getOffsetOfField(field);
  if (bits < 0 || clang_Cursor_isBitField(field)) return;
  *ARENA_PUSH(m->l->frontend->arena, &m->arg->made) = (struct made_member){bits / CHAR_BIT, value};
}

/* ---- lists ---- */

static bool same_class(CXType a, CXType b)
{
  return clang_equalTypes(clang_getUnqualifiedType(clang_getCanonicalType(a)),
                          clang_getUnqualifiedType(clang_getCanonicalType(b)));
}

static enum CXVisitorResult note_field(CXCursor field, CXClientData data)
{
  struct making *m = data;
  if (m->next >= m->children.count) return CXVisit_Break;
  CXCursor item = m->children.items[m->next];
  CXType type = clang_getCanonicalType(clang_getCursorType(field));
  bool scalar = type.kind == CXType_Pointer || type.kind == CXType_Enum ||
                (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble);
  m->fine &= scalar || (type.kind == CXType_Record && same_class(type, clang_getCursorType(item)));
  if (m->fine && scalar) add_member(m, field, m->made->operands[m->next]);
  m->next++;
  return m->fine ? CXVisit_Continue : CXVisit_Break;
}

/* {.data = p, .n = n} */
static bool names_members(struct making *m, const struct ir_place *place)
{
  const char *text = text_of(m->l->frontend, *place);
  for (unsigned at = 0; text[at];) {
    unsigned next = scan_skip_token(text, at);
    if (next <= at) next = at + 1;
    unsigned behind = scan_skip_space(text, next);
    if (strchr("{,", text[at]) && text[behind] == '.' && scan_is_identifier_start(text[behind + 1]))
      return true;
    at = behind;
  }
  return false;
}

/* ---- constructors ---- */

static bool is_plain(CXCursor cursor)
{
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_UnexposedExpr:
  case CXCursor_ParenExpr:
  case CXCursor_IntegerLiteral:
  case CXCursor_FloatingLiteral:
  case CXCursor_CXXBoolLiteralExpr:
  case CXCursor_CXXNullPtrLiteralExpr: return true;
  case CXCursor_DeclRefExpr:
    return clang_getCursorKind(clang_getCursorReferenced(cursor)) == CXCursor_ParmDecl;
  case CXCursor_BinaryOperator: return binary_kind_of(cursor) < CXBinaryOperator_Assign;
  default: return false;
  }
}

static enum CXChildVisitResult look_at(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  bool *fine = data;
  *fine &= is_plain(cursor);
  return *fine ? CXChildVisit_Recurse : CXChildVisit_Break;
}

/* The argument for a parameter that alone is the value. NULL: the value is another. */
static struct ir_expr *argument_of(const struct making *m, CXCursor value)
{
  for (;;) {
    struct children inner = children_of(m->l->frontend, value);
    enum CXCursorKind kind = clang_getCursorKind(value);
    if ((kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr) || inner.count != 1) break;
    value = inner.items[0];
  }
  if (clang_getCursorKind(value) != CXCursor_DeclRefExpr) return NULL;
  CXCursor target = clang_getCanonicalCursor(clang_getCursorReferenced(value));
  for (unsigned i = 0; i < m->children.count; i++)
    if (clang_equalCursors(target,
                           clang_getCanonicalCursor(clang_Cursor_getArgument(m->constructor, i))))
      return m->made->operands[i];
  return NULL;
}

static void note_initialisers(struct making *m)
{
  struct children parts = children_of(m->l->frontend, m->constructor);
  CXCursor field = clang_getNullCursor();
  bool body = false;
  for (unsigned i = 0; i < parts.count && m->fine; i++) {
    CXCursor part = parts.items[i];
    enum CXCursorKind kind = clang_getCursorKind(part);
    if (kind == CXCursor_CompoundStmt) {
      body = children_of(m->l->frontend, part).count == 0;
    } else if (kind == CXCursor_MemberRef) {
      field = clang_getCursorReferenced(part);
    } else if (clang_isExpression(kind)) {
      m->fine = is_plain(part) && !clang_Cursor_isNull(field);
      if (m->fine) clang_visitChildren(part, look_at, &m->fine);
      struct ir_expr *value = m->fine ? argument_of(m, part) : NULL;
      if (value) add_member(m, field, value);
      field = clang_getNullCursor();
    }
  }
  m->fine &= body;
}

/* ---- the argument ---- */

/* The list, or the call of a constructor, that makes the value. */
static CXCursor maker_of(struct frontend *f, CXCursor cursor)
{
  for (;;) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    struct children children = children_of(f, cursor);
    CXCursor target = clang_getCursorReferenced(cursor);
    bool copies = kind == CXCursor_CallExpr && children.count == 1 &&
                  (clang_CXXConstructor_isCopyConstructor(target) ||
                   clang_CXXConstructor_isMoveConstructor(target));
    bool passes = kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr ||
                  kind == CXCursor_CXXFunctionalCastExpr || copies;
    if (!passes || !children.count) return cursor;
    cursor = children.items[children.count - 1];
  }
}

static bool has_effects(const struct ir_expr *made)
{
  for (unsigned i = 0; i < made->operand_count; i++)
    if (ir_has_effects(made->operands[i])) return true;
  return false;
}

static void note_constructor(struct making *m, CXCursor call)
{
  CXCursor target = clang_getCursorReferenced(call);
  if (clang_getCursorKind(target) != CXCursor_Constructor) return;
  m->constructor = clang_getCursorDefinition(target);
  if (clang_Cursor_isNull(m->constructor) || is_system_cursor(target) ||
      clang_Cursor_getNumArguments(m->constructor) != (int)m->made->operand_count ||
      m->children.count != m->made->operand_count)
    return;
  m->fine = true;
  note_initialisers(m);
}

void temporaries_note(struct lower *l, CXCursor cursor, struct launch_arg *arg)
{
  struct ir_expr *made = ir_strip(arg->expr);
  while (made->kind == IR_EXPR_CAST && made->type->kind == IR_TYPE_RECORD)
    made = ir_strip(made->operands[0]);
  if ((made->kind != IR_EXPR_INIT_LIST && made->kind != IR_EXPR_CONSTRUCT) || !made->type ||
      made->type->kind != IR_TYPE_RECORD || arg->place.in_macro || arg->is_pack ||
      has_effects(made))
    return;
  CXCursor maker = maker_of(l->frontend, cursor);
  struct making m = {.l = l, .arg = arg, .made = made};
  struct children children = children_of(l->frontend, maker);
  for (unsigned i = 0; i < children.count; i++)
    if (clang_isExpression(clang_getCursorKind(children.items[i])))
      *ARENA_PUSH(l->frontend->arena, &m.children) = children.items[i];
  if (clang_getCursorKind(maker) == CXCursor_CallExpr) {
    note_constructor(&m, maker);
  } else if (clang_getCursorKind(maker) == CXCursor_InitListExpr && made->type->is_public &&
             made->type->is_trivial && m.children.count == made->operand_count &&
             !names_members(&m, &arg->place)) {
    m.fine = true;
    clang_Type_visitFields(clang_getCanonicalType(clang_getCursorType(maker)), note_field, &m);
    m.fine &= m.next == m.children.count;
  }
  arg->is_made = m.fine;
}
