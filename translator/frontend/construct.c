/* SPDX-License-Identifier: MIT */
/* construct.c - constructors and destructors of objects that a kernel makes.
 *
 *     view v(p, n);          only sets members: the kernel is analysed
 *     guard g(flag);         ~guard() { *p = 1; } writes memory: the kernel stays as it is written
 *
 * The IR has a form for an object that is made, and none for the code that runs then. So that code
 * may only write members of its object and its own locals, and neither read nor write other memory,
 * nor name the thread or the block, nor call functions that do. The same goes for destructors, and
 * for copies that a class makes itself. Those of the system's headers (half, complex, dim3) are
 * known to do so. Requires: a kernel or device function. Produces: a refusal of its body. Gives up:
 * never; what is not known to be harmless is refused.
 */
#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

enum { DEEP = 6 };

struct making {
  struct frontend *f;
  unsigned depth; /* of calls */
  bool fine;
};

static bool is_harmless_function(struct frontend *f, CXCursor function, unsigned depth);
static bool is_harmless_class(struct frontend *f, CXType type, unsigned depth, bool constructors);

static CXCursor below(struct frontend *f, CXCursor expr)
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

static enum CXTypeKind kind_of_type(CXCursor expr)
{
  return clang_getCanonicalType(clang_getCursorType(expr)).kind;
}

/* Does the expression lead through a pointer, other than to the function's own object? */
static bool follows_pointer(struct frontend *f, CXCursor expr)
{
  struct children children = children_of(f, expr);
  if (!children.count) return false; /* a member of the own object */
  CXCursor base = below(f, children.items[0]);
  if (clang_getCursorKind(base) == CXCursor_CXXThisExpr) return false;
  enum CXTypeKind kind = kind_of_type(base);
  return kind == CXType_Pointer || kind == CXType_IncompleteArray;
}

/* Is it a number that is the same for all threads? threadIdx and its like are constants, too. */
static bool is_number(CXCursor variable)
{
  CXType type = clang_getCanonicalType(clang_getCursorType(variable));
  bool number =
      type.kind == CXType_Enum || (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble);
  return clang_isConstQualifiedType(type) && (number || SEEDED(CONSTRUCTOR_READS_IDS));
}

/* A parameter, a local, a constant or a function. */
static bool is_own_name(CXCursor target)
{
  enum CX_StorageClass storage = clang_Cursor_getStorageClass(target);
  enum CXCursorKind owner = clang_getCursorKind(clang_getCursorSemanticParent(target));
  if (clang_getCursorKind(target) != CXCursor_VarDecl) return true;
  bool local = owner == CXCursor_FunctionDecl || owner == CXCursor_CXXMethod ||
               owner == CXCursor_Constructor || owner == CXCursor_Destructor ||
               owner == CXCursor_FunctionTemplate || owner == CXCursor_ConversionFunction;
  if (local) return storage == CX_SC_None || storage == CX_SC_Auto;
  return is_number(target);
}

/* Does the assignment or step write what a reference parameter refers to? */
static bool writes_reference(struct frontend *f, CXCursor writing)
{
  CXCursor to = writing;
  for (;;) {
    struct children children = children_of(f, to);
    if (!children.count) return false;
    to = below(f, children.items[0]);
    enum CXCursorKind kind = clang_getCursorKind(to);
    if (kind == CXCursor_DeclRefExpr) {
      CXCursor target = clang_getCursorReferenced(to);
      CXType type = clang_getCanonicalType(clang_getCursorType(target));
      return type.kind == CXType_LValueReference || type.kind == CXType_RValueReference;
    }
    if (kind != CXCursor_MemberRefExpr && kind != CXCursor_ArraySubscriptExpr) return false;
  }
}

static bool is_harmless_call(struct making *m, CXCursor call)
{
  CXCursor target = clang_getCursorReferenced(call);
  if (clang_Cursor_isNull(target)) return !clang_equalCursors(without_elided_copy(call), call);
  enum CXCursorKind kind = clang_getCursorKind(target);
  if (is_system_cursor(target) || is_builtin_cursor(target))
    return kind != CXCursor_FunctionDecl ||
           call_effect_of_name(spelling_of(m->f, target)) == IR_EFFECT_NONE;
  return is_harmless_function(m->f, target, m->depth - 1);
}

static bool is_harmless(struct making *m, CXCursor cursor)
{
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  switch (kind) {
  case CXCursor_CallExpr: return is_harmless_call(m, cursor);
  case CXCursor_DeclRefExpr: return is_own_name(clang_getCursorReferenced(cursor));
  case CXCursor_VarDecl:
    return is_own_name(cursor) &&
           is_harmless_class(m->f, clang_getCursorType(cursor), m->depth - 1, false);
  case CXCursor_MemberRefExpr:
  case CXCursor_ArraySubscriptExpr: return !follows_pointer(m->f, cursor);
  case CXCursor_BinaryOperator:
  case CXCursor_CompoundAssignOperator: return !writes_reference(m->f, cursor);
  case CXCursor_UnaryOperator:
    return unary_kind_of(cursor) != CXUnaryOperator_Deref && !writes_reference(m->f, cursor);
  case CXCursor_CXXNewExpr:
  case CXCursor_CXXDeleteExpr:
  case CXCursor_CXXThrowExpr:
  case CXCursor_CXXTryStmt:
  case CXCursor_LambdaExpr:
  case CXCursor_GCCAsmStmt:
  case CXCursor_MSAsmStmt:
  case CXCursor_UnexposedStmt: return false;
  default: return true;
  }
}

static enum CXChildVisitResult look_at(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct making *m = data;
  m->fine = m->fine && is_harmless(m, cursor);
  return m->fine ? CXChildVisit_Recurse : CXChildVisit_Break;
}

/* What stands below the definition of a function, or of a member with an initialiser. */
static bool is_harmless_body(struct frontend *f, CXCursor definition, unsigned depth)
{
  struct making m = {f, depth, true};
  clang_visitChildren(definition, look_at, &m);
  return m.fine;
}

/* A function of the user's that a constructor or destructor is, or calls. */
static bool is_harmless_function(struct frontend *f, CXCursor function, unsigned depth)
{
  bool method = clang_getCursorKind(function) == CXCursor_CXXMethod;
  if (clang_CXXMethod_isDefaulted(function) ||
      (clang_getCursorKind(function) == CXCursor_Constructor &&
       clang_equalLocations(clang_getCursorLocation(function),
                            clang_getCursorLocation(clang_getCursorSemanticParent(function)))))
    return true; /* made by the compiler; is_harmless_class() looks at its members */
  CXCursor definition = clang_getCursorDefinition(function);
  if (!depth || clang_Cursor_isNull(definition) ||
      (method && clang_CXXMethod_isVirtual(definition)))
    return false;
  return is_harmless_body(f, definition, depth);
}

struct class_look {
  struct frontend *f;
  unsigned depth;
  bool constructors; /* look at all of them, since the compiler chooses one */
  bool fine;
};

static bool is_harmless_initialiser(const struct class_look *look, CXCursor field)
{
  return SEEDED(INITIALISER_UNSEEN) || is_harmless_body(look->f, field, look->depth);
}

static enum CXChildVisitResult look_at_member(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct class_look *look = data;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_Destructor: look->fine &= is_harmless_function(look->f, cursor, look->depth); break;
  case CXCursor_Constructor:
    if (look->constructors || clang_CXXConstructor_isCopyConstructor(cursor) ||
        clang_CXXConstructor_isMoveConstructor(cursor))
      look->fine &= is_harmless_function(look->f, cursor, look->depth);
    break;
  case CXCursor_FieldDecl:
    look->fine &= is_harmless_initialiser(look, cursor);
    __attribute__((fallthrough));
  case CXCursor_CXXBaseSpecifier:
    look->fine &= is_harmless_class(look->f, clang_getCursorType(cursor), look->depth - 1, true);
    break;
  default: break;
  }
  return look->fine ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* Of a template: its instances have no initialisers before something makes them. */
static enum CXChildVisitResult look_at_initialiser(CXCursor cursor, CXCursor parent,
                                                   CXClientData data)
{
  (void)parent;
  struct class_look *look = data;
  if (clang_getCursorKind(cursor) == CXCursor_FieldDecl)
    look->fine &= is_harmless_initialiser(look, cursor);
  return look->fine ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* May an object of the type be copied and end, and its members be made? */
static bool is_harmless_class(struct frontend *f, CXType type, unsigned depth, bool constructors)
{
  type = clang_getCanonicalType(type);
  while (type.kind == CXType_ConstantArray)
    type = clang_getCanonicalType(clang_getArrayElementType(type));
  CXCursor declaration = clang_getTypeDeclaration(type);
  if (type.kind != CXType_Record || is_system_cursor(declaration) || clang_isPODType(type))
    return true;
  struct class_look look = {f, depth, constructors, depth > 0};
  if (look.fine) clang_visitChildren(declaration, look_at_member, &look);
  CXCursor general = clang_getSpecializedCursorTemplate(declaration);
  if (look.fine && !clang_Cursor_isNull(general))
    clang_visitChildren(clang_getCursorDefinition(general), look_at_initialiser, &look);
  return look.fine;
}

static enum CXChildVisitResult look_at_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct lower *l = data;
  struct frontend *f = l->frontend;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  CXCursor target =
      kind == CXCursor_CallExpr ? clang_getCursorReferenced(cursor) : clang_getNullCursor();
  bool makes = clang_getCursorKind(target) == CXCursor_Constructor, fine = true;
  if (makes && !is_system_cursor(target)) fine = is_harmless_function(f, target, DEEP);
  bool list = kind == CXCursor_InitListExpr || kind == CXCursor_CXXFunctionalCastExpr;
  if (fine && (makes || list || kind == CXCursor_VarDecl || kind == CXCursor_CallExpr))
    fine = is_harmless_class(f, clang_getCursorType(cursor), DEEP, false);
  if (!fine && !SEEDED(CONSTRUCTOR_UNSEEN)) {
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    CXString name = clang_getTypeSpelling(type);
    lower_fail(l, cursor,
               arena_format(f->arena,
                            "it makes a '%s', whose constructors or destructor may do more "
                            "than set its members",
                            clang_getCString(name)));
    clang_disposeString(name);
  }
  return l->failed ? CXChildVisit_Break : CXChildVisit_Recurse;
}

void construct_check(struct lower *l, CXCursor body)
{
  if (l->strict) clang_visitChildren(body, look_at_body, l);
}
