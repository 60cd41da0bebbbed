/* SPDX-License-Identifier: MIT */
/* temporaries.c - structures that a launch makes in its arguments.
 *
 *     struct view { float *data; int n; };
 *     scale<<<grid, block>>>(view{p, n}, 2);       made: p at offset 0, n at offset 8
 *
 * So the members have values, as those of a variable have (parts.c). Requires an argument that is a
 * list in braces of a class without constructors, or a call of a constructor that does no more than
 * set members: its body is empty, and its initialisers are parameters, numbers and operators.
 * Structures in it are made likewise, or are copies of variables: sum(leaf(a), leaf(b)).
 * Operands have no effect: the argument's text may be repeated. Gives up, and the argument is a
 * value of which nothing is known: calls of functions, lists with names of members, members that
 * take several items of the list.
 */
#include <limits.h>
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"
#include "translator/ir/ir_rewrite.h"

struct making {
  struct lower *l;
  struct launch_arg *arg;
  const struct ir_expr *made; /* with an operand for each child */
  struct children children;   /* of the list, or arguments of the constructor */
  CXCursor constructor;
  int64_t at;     /* of the structure in the argument: bytes */
  unsigned depth; /* of structures in one another, at most */
  unsigned next;  /* of the list: the next item */
  bool fine;
};

enum { DEEPEST = 4 };

static bool look_into(struct making *outer, CXCursor field, CXCursor cursor, struct ir_expr *value);

static int64_t offset_of(CXCursor field)
{
  long long bits = clang_Cursor_getOffsetOfField(field);
  return bits < 0 || clang_Cursor_isBitField(field) ? -1 : bits / CHAR_BIT;
}

static void add_member(struct making *m, CXCursor field, struct ir_expr *value)
{
  int64_t offset = offset_of(field);
  if (offset >= 0)
    *ARENA_PUSH(m->l->frontend->arena, &m->arg->made) = (struct made_member){m->at + offset, value};
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
  if (m->fine && !scalar) m->fine = look_into(m, field, item, m->made->operands[m->next]);
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

/* The copy of a structure by its bytes? */
static bool is_copy(CXCursor cursor)
{
  CXCursor target = clang_getCursorReferenced(cursor);
  return clang_getCursorKind(cursor) == CXCursor_CallExpr &&
         (clang_CXXConstructor_isCopyConstructor(target) ||
          clang_CXXConstructor_isMoveConstructor(target)) &&
         type_is_copied(clang_getCanonicalType(clang_getCursorType(cursor)));
}

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
  case CXCursor_CallExpr: return is_copy(cursor);
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

/* The number of the argument for a parameter that alone is the value. -1: the value is another. */
static int argument_of(const struct making *m, CXCursor value)
{
  for (;;) {
    struct children inner = children_of(m->l->frontend, value);
    enum CXCursorKind kind = clang_getCursorKind(value);
    bool passes = kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr || is_copy(value);
    if (!passes || inner.count != 1) break;
    value = inner.items[0];
  }
  if (clang_getCursorKind(value) != CXCursor_DeclRefExpr) return -1;
  CXCursor target = clang_getCanonicalCursor(clang_getCursorReferenced(value));
  for (unsigned i = 0; i < m->children.count; i++)
    if (clang_equalCursors(target,
                           clang_getCanonicalCursor(clang_Cursor_getArgument(m->constructor, i))))
      return (int)i;
  return -1;
}

/* The value of a member is an argument, or nothing is known of it. */
static void note_value(struct making *m, CXCursor field, CXCursor value)
{
  int argument = argument_of(m, value);
  if (argument < 0) return;
  CXType type = clang_getCanonicalType(clang_getCursorType(field));
  if (type.kind != CXType_Record)
    add_member(m, field, m->made->operands[argument]);
  else
    m->fine &= look_into(m, field, m->children.items[argument], m->made->operands[argument]);
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
      if (m->fine) note_value(m, field, part);
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

/* Notes the value that the list or the constructor makes. */
static void note_made(struct making *m, CXCursor cursor)
{
  CXCursor maker = maker_of(m->l->frontend, cursor);
  struct children children = children_of(m->l->frontend, maker);
  for (unsigned i = 0; i < children.count; i++)
    if (clang_isExpression(clang_getCursorKind(children.items[i])))
      *ARENA_PUSH(m->l->frontend->arena, &m->children) = children.items[i];
  if (clang_getCursorKind(maker) == CXCursor_CallExpr) {
    note_constructor(m, maker);
  } else if (clang_getCursorKind(maker) == CXCursor_InitListExpr && m->made->type->is_public &&
             (m->made->type->is_trivial || m->made->type->is_copied) &&
             m->children.count == m->made->operand_count && !names_members(m, &m->arg->place)) {
    m->fine = true;
    clang_Type_visitFields(clang_getCanonicalType(clang_getCursorType(maker)), note_field, m);
    m->fine &= m->next == m->children.count;
  }
}

/* The list or the construction in the value. */
static struct ir_expr *made_by(struct ir_expr *value)
{
  struct ir_expr *made = ir_strip(value);
  while (made->kind == IR_EXPR_CAST && made->type->kind == IR_TYPE_RECORD)
    made = ir_strip(made->operands[0]);
  bool is = (made->kind == IR_EXPR_INIT_LIST || made->kind == IR_EXPR_CONSTRUCT) && made->type &&
            made->type->kind == IR_TYPE_RECORD;
  return is ? made : NULL;
}

/* A structure in the structure: made likewise, or a variable's copy. */
static bool look_into(struct making *outer, CXCursor field, CXCursor cursor, struct ir_expr *value)
{
  const struct ir_expr *made = made_by(value), *named = ir_strip(value);
  if (!made)
    return (named->kind == IR_EXPR_VAR || named->kind == IR_EXPR_MEMBER) && named->type &&
           (named->type->is_trivial || named->type->is_copied);
  if (offset_of(field) < 0 || outer->depth == DEEPEST || has_effects(made)) return false;
  struct making m = {.l = outer->l,
                     .arg = outer->arg,
                     .made = made,
                     .at = SEEDED(MADE_APART) ? 0 : outer->at + offset_of(field),
                     .depth = outer->depth + 1};
  note_made(&m, cursor);
  return m.fine;
}

void temporaries_note(struct lower *l, CXCursor cursor, struct launch_arg *arg)
{
  const struct ir_expr *made = made_by(arg->expr);
  if (!made || arg->place.in_macro || arg->is_pack || has_effects(made)) return;
  struct making m = {.l = l, .arg = arg, .made = made};
  note_made(&m, cursor);
  arg->is_made = m.fine;
}
