/* SPDX-License-Identifier: MIT */
/* only_reads.c - functions of the host that a launch's arguments may call twice.
 *
 *     template <class T> class buffer { T *data() { if (!p) throw empty(); return p; } ... };
 *     k<<<g, b>>>(in.data(), *out, in->size())
 *
 * A choice in front of the launch evaluates its arguments, too. Such a function reads what it is
 * given and what its object has, writes its own locals, and returns a number, a pointer, a
 * reference or a dim3. The body of a member of a class template is that of the instance. Members of
 * the standard library's and Thrust's containers and pointers are known by their names. Requires: a
 * call in a launch. Refused: virtual functions, bodies that are not visible, static and volatile
 * variables, and whatever is not known to be harmless.
 */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

enum { DEEP_MOST = 6, CURSORS_MOST = 400 };

struct reading {
  struct frontend *f;
  unsigned depth, *cursors;
  bool fine;
};

static bool reads(struct frontend *f, CXCursor target, unsigned depth, unsigned *cursors);

/* ---- libraries ---- */

static bool is_among(const char *name, const char *const *names, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    if (!strcmp(name, names[i])) return true;
  return false;
}

#define AMONG(name, names) is_among(name, names, sizeof(names) / sizeof *(names))

static bool is_known_reader(struct frontend *f, CXCursor target)
{
  static const char *const classes[] = {
      "unique_ptr", "shared_ptr",       "__shared_ptr",     "__shared_ptr_access", "vector",
      "array",      "basic_string",     "vector_base",      "device_ptr",          "pointer",
      "reference",  "device_reference", "tagged_reference", "unique_ptr<T[]>"};
  static const char *const members[] = {"get",  "operator->", "operator*", "operator[]",
                                        "at",   "front",      "back",      "data",
                                        "size", "empty",      "length",    "operator&"};
  const char *name = spelling_of(f, target);

  if (clang_getCursorKind(target) == CXCursor_FunctionDecl)
    return !strcmp(name, "raw_pointer_cast");
  return AMONG(spelling_of(f, clang_getCursorSemanticParent(target)), classes) &&
         AMONG(name, members);
}

/* ---- types ---- */

static bool is_shape(CXType type)
{
  CXString spelling = clang_getTypeSpelling(clang_getCanonicalType(type));
  bool is = !strcmp(clang_getCString(spelling), "dim3") ||
            !strcmp(clang_getCString(spelling), "const dim3");
  clang_disposeString(spelling);
  return is;
}

static bool is_scalar(CXType type)
{
  type = clang_getCanonicalType(type);
  return !clang_isVolatileQualifiedType(type) &&
         (type.kind == CXType_Enum || type.kind == CXType_Pointer ||
          (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble));
}

static bool is_value(CXType type)
{
  type = clang_getCanonicalType(type);
  return is_scalar(type) || type.kind == CXType_LValueReference || is_shape(type);
}

/* ---- bodies ---- */

static CXCursor bare(struct frontend *f, CXCursor expr)
{
  for (;;) {
    enum CXCursorKind kind = clang_getCursorKind(expr);
    struct children children = {0};
    if (kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr)
      children = children_of(f, expr);
    if (children.count != 1) return expr;
    expr = children.items[0];
  }
}

/* Is it a local of the function that is no reference, or a member of such a local? */
static bool is_own(struct frontend *f, CXCursor expr)
{
  expr = bare(f, expr);
  if (clang_getCursorKind(expr) == CXCursor_MemberRefExpr) {
    struct children children = children_of(f, expr);
    CXCursor object = children.count ? bare(f, children.items[0]) : clang_getNullCursor();
    return clang_getCursorKind(object) == CXCursor_DeclRefExpr && is_own(f, object) &&
           is_shape(clang_getCursorType(object));
  }
  CXCursor target = clang_getCursorReferenced(expr);
  enum CXCursorKind kind = clang_getCursorKind(target),
                    owner = clang_getCursorKind(clang_getCursorSemanticParent(target));
  bool local = owner == CXCursor_FunctionDecl || owner == CXCursor_CXXMethod ||
               owner == CXCursor_ConversionFunction;
  CXType type = clang_getCanonicalType(clang_getCursorType(target));
  enum CX_StorageClass storage = clang_Cursor_getStorageClass(target);
  return clang_getCursorKind(expr) == CXCursor_DeclRefExpr && local &&
         (kind == CXCursor_ParmDecl || kind == CXCursor_VarDecl) &&
         (kind == CXCursor_ParmDecl || storage == CX_SC_None || storage == CX_SC_Auto) &&
         (is_scalar(type) || is_shape(type));
}

static bool writes_own(struct frontend *f, CXCursor expr)
{
  struct children children = children_of(f, expr);
  return children.count && (is_own(f, children.items[0]) || SEEDED(READER_WRITES));
}

static bool is_local(CXCursor variable)
{
  enum CX_StorageClass storage = clang_Cursor_getStorageClass(variable);
  return (storage == CX_SC_None || storage == CX_SC_Auto) &&
         is_value(clang_getCursorType(variable));
}

static bool is_harmless_unary(struct frontend *f, CXCursor unary)
{
  switch (unary_kind_of(unary)) {
  case CXUnaryOperator_PostInc:
  case CXUnaryOperator_PostDec:
  case CXUnaryOperator_PreInc:
  case CXUnaryOperator_PreDec: return writes_own(f, unary);
  case CXUnaryOperator_Plus:
  case CXUnaryOperator_Minus:
  case CXUnaryOperator_Not:
  case CXUnaryOperator_LNot:
  case CXUnaryOperator_AddrOf:
  case CXUnaryOperator_Deref: return true;
  default: return false;
  }
}

static bool is_harmless_call(struct reading *r, CXCursor call)
{
  CXCursor target = clang_getCursorReferenced(call);
  if (clang_Cursor_isNull(target))
    return !clang_equalCursors(without_elided_copy(call), call) &&
           is_shape(clang_getCursorType(call));
  if (clang_getCursorKind(target) == CXCursor_Constructor)
    return is_shape(clang_getCursorType(call));
  return r->depth && reads(r->f, target, r->depth - 1, r->cursors);
}

static bool is_harmless(struct reading *r, CXCursor cursor)
{
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_CompoundStmt:
  case CXCursor_DeclStmt:
  case CXCursor_ReturnStmt:
  case CXCursor_IfStmt:
  case CXCursor_ForStmt:
  case CXCursor_WhileStmt:
  case CXCursor_SwitchStmt:
  case CXCursor_CaseStmt:
  case CXCursor_DefaultStmt:
  case CXCursor_BreakStmt:
  case CXCursor_ContinueStmt:
  case CXCursor_NullStmt:
  case CXCursor_ParenExpr:
  case CXCursor_UnexposedExpr:
  case CXCursor_IntegerLiteral:
  case CXCursor_FloatingLiteral:
  case CXCursor_CharacterLiteral:
  case CXCursor_CXXBoolLiteralExpr:
  case CXCursor_CXXNullPtrLiteralExpr:
  case CXCursor_ConditionalOperator:
  case CXCursor_ArraySubscriptExpr:
  case CXCursor_UnaryExpr: /* sizeof */
  case CXCursor_CXXThisExpr:
  case CXCursor_TypeRef:
  case CXCursor_TemplateRef:
  case CXCursor_NamespaceRef: return true;
  case CXCursor_BinaryOperator:
    return binary_kind_of(cursor) < CXBinaryOperator_Assign ||
           binary_kind_of(cursor) == CXBinaryOperator_Comma || writes_own(r->f, cursor);
  case CXCursor_CompoundAssignOperator: return writes_own(r->f, cursor);
  case CXCursor_VarDecl: return is_local(cursor);
  case CXCursor_UnaryOperator: return is_harmless_unary(r->f, cursor);
  case CXCursor_CStyleCastExpr:
  case CXCursor_CXXStaticCastExpr:
  case CXCursor_CXXConstCastExpr:
  case CXCursor_CXXReinterpretCastExpr:
  case CXCursor_CXXFunctionalCastExpr: return is_value(clang_getCursorType(cursor));
  case CXCursor_MemberRefExpr:
  case CXCursor_DeclRefExpr:
    return !clang_isVolatileQualifiedType(clang_getCanonicalType(clang_getCursorType(cursor)));
  case CXCursor_CallExpr: return is_harmless_call(r, cursor);
  default: return false;
  }
}

static enum CXChildVisitResult look_at(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct reading *r = data;
  if (clang_getCursorKind(cursor) == CXCursor_CXXThrowExpr) return CXChildVisit_Continue;
  r->fine = r->fine && (*r->cursors)++ < CURSORS_MOST && is_harmless(r, cursor);
  return r->fine ? CXChildVisit_Recurse : CXChildVisit_Break;
}

static bool reads(struct frontend *f, CXCursor target, unsigned depth, unsigned *cursors)
{
  enum CXCursorKind kind = clang_getCursorKind(target);
  bool member = kind == CXCursor_CXXMethod || kind == CXCursor_ConversionFunction;

  if (!member && kind != CXCursor_FunctionDecl) return false;
  if (is_system_cursor(target)) return is_known_reader(f, target);
  if (is_builtin_cursor(target) || clang_Cursor_isVariadic(target) ||
      (member && clang_CXXMethod_isVirtual(target)) ||
      !is_value(clang_getResultType(clang_getCursorType(target))))
    return false;
  for (int i = 0; i < clang_Cursor_getNumArguments(target); i++)
    if (!is_value(clang_getCursorType(clang_Cursor_getArgument(target, (unsigned)i)))) return false;
  CXCursor definition = clang_getCursorDefinition(target);
  if (clang_Cursor_isNull(definition)) return false;
  struct reading r = {f, depth, cursors, true};
  struct children parts = children_of(f, definition);
  bool found = false;
  for (unsigned i = 0; i < parts.count; i++) {
    if (clang_getCursorKind(parts.items[i]) != CXCursor_CompoundStmt) continue;
    found = true;
    clang_visitChildren(parts.items[i], look_at, &r);
  }
  return found && r.fine;
}

bool only_reads(struct frontend *f, CXCursor target)
{
  unsigned cursors = 0;

  return !clang_Cursor_isNull(target) && reads(f, target, DEEP_MOST, &cursors);
}
