/* SPDX-License-Identifier: MIT */
/* pure_method.c - member functions that only compute.
 *
 *     struct line { float a, b; __device__ float operator()(float x) const { return a * x + b; } };
 *     y[i] = f(x[i]);                     =>  the call has no effect on memory, like sqrtf(x)
 *
 * Such a function reads its object and its arguments, writes its own locals and returns a value.
 * Its body is checked as written, and everything not known to be harmless is refused. Requires a
 * call in device code. It need not be const, if it writes no member; constructors write members of
 * what they make. Refused: virtual functions; mutable or volatile fields; copies other than of
 * bytes; pointers and references except to const parameters; other variables; calls of functions
 * that this file does not accept; bodies that may differ between host and device; loops and long
 * bodies, since the model would not know their time.
 */
#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

enum {
  NESTED_MOST = 4,
  FIELDS_DEEP = 8,
  OPERATIONS_MOST = 16, /* the model counts a call as a few operations */
  CALL_OPERATIONS = 4,
};

struct look {
  struct frontend *f;
  unsigned depth;       /* of calls */
  unsigned *operations; /* so far, in all of them */
  bool keeps_object;    /* the function may write no member, though it is not const */
  bool fine;
};

static bool is_plain(CXType type, unsigned depth);

static enum CXVisitorResult note_field(CXCursor field, CXClientData data)
{
  unsigned *depth = data;
  bool fine = !clang_CXXField_isMutable(field) && is_plain(clang_getCursorType(field), *depth - 1);
  if (!fine) *depth = 0;
  return fine ? CXVisit_Continue : CXVisit_Break;
}

static enum CXChildVisitResult note_base(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  bool *based = data;
  *based |= clang_getCursorKind(cursor) == CXCursor_CXXBaseSpecifier;
  return CXChildVisit_Continue;
}

/* May the member of a class run other code than is looked at, where an object is made or copied? */
static enum CXChildVisitResult note_member(CXCursor cursor, CXCursor parent, CXClientData data)
{
  bool *fine = data, of_field = clang_getCursorKind(parent) == CXCursor_FieldDecl;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_FieldDecl: return CXChildVisit_Recurse;
  case CXCursor_FunctionTemplate:
    if (clang_getTemplateCursorKind(cursor) == CXCursor_Constructor) *fine = false;
    break;
  case CXCursor_TypeRef:
  case CXCursor_TemplateRef:
  case CXCursor_NamespaceRef:
  case CXCursor_IntegerLiteral:
  case CXCursor_FloatingLiteral:
  case CXCursor_CXXBoolLiteralExpr: break;
  case CXCursor_UnexposedExpr:
    if (of_field) return CXChildVisit_Recurse;
    break;
  default: *fine &= !of_field; /* an initialiser that is more than a number */
  }
  return *fine ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* Is the class made by its constructors alone, and copied by its bytes? */
static bool is_plain_class(CXType type)
{
  CXCursor declaration = clang_getTypeDeclaration(type);
  CXCursor general = clang_getSpecializedCursorTemplate(declaration);
  bool fine = type_is_copied(type);
  if (fine) clang_visitChildren(declaration, note_member, &fine);
  if (fine && !clang_Cursor_isNull(general))
    clang_visitChildren(clang_getCursorDefinition(general), note_member, &fine);
  return fine;
}

/* A value without pointers: a number, or an array or a structure of numbers. */
static bool is_plain(CXType type, unsigned depth)
{
  type = clang_getCanonicalType(type);
  if (!depth || clang_isVolatileQualifiedType(type)) return false;
  if (type.kind == CXType_ConstantArray)
    return is_plain(clang_getArrayElementType(type), depth - 1);
  if (type.kind == CXType_Enum) return true;
  if (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) return true;
  if (type.kind == CXType_Half || type.kind == CXType_Float16) return true;
  CXCursor declaration = clang_getTypeDeclaration(type);
  bool based = false;
  if (type.kind != CXType_Record || clang_getCursorKind(declaration) == CXCursor_UnionDecl ||
      !(clang_isPODType(type) || is_plain_class(type)))
    return false;
  clang_visitChildren(declaration, note_base, &based);
  if (based || clang_Type_getSizeOf(type) <= 0) return false;
  clang_Type_visitFields(type, note_field, &depth);
  return depth > 0;
}

static bool is_value(CXType type) { return is_plain(type, FIELDS_DEEP); }

static bool is_value_parameter(CXType type)
{
  type = clang_getCanonicalType(type);
  if (type.kind != CXType_LValueReference) return is_value(type);
  return clang_isConstQualifiedType(clang_getPointeeType(type)) &&
         is_value(clang_getPointeeType(type));
}

static bool has_value_parameters(CXCursor function)
{
  int count = clang_Cursor_getNumArguments(function);
  if (count < 0 || clang_Cursor_isVariadic(function)) return false;
  for (int i = 0; i < count; i++)
    if (!is_value_parameter(clang_getCursorType(clang_Cursor_getArgument(function, (unsigned)i))))
      return false;
  return true;
}

/* Does the function have value parameters and a value result? */
static bool has_values_only(CXCursor function)
{
  return is_value(clang_getResultType(clang_getCursorType(function))) &&
         has_value_parameters(function);
}

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

static bool is_pointer(CXCursor expr)
{
  CXType type = clang_getCanonicalType(clang_getCursorType(expr));
  return type.kind == CXType_Pointer || type.kind == CXType_ConstantArray ||
         type.kind == CXType_IncompleteArray;
}

/* Is the operator arithmetic? &x gives a pointer, *x takes one. */
static bool is_arithmetic(struct frontend *f, CXCursor unary)
{
  struct children children = children_of(f, unary);
  return children.count == 1 && !is_pointer(unary) && !is_pointer(bare(f, children.items[0]));
}

/* Does the assignment or step write a local, and no member of the function's own object? */
static bool writes_local(struct frontend *f, CXCursor writing)
{
  CXCursor to = writing;
  for (;;) {
    struct children children = children_of(f, to);
    to = children.count ? bare(f, children.items[0]) : clang_getNullCursor();
    enum CXCursorKind kind = clang_getCursorKind(to);
    if (kind == CXCursor_DeclRefExpr) return true;
    if (kind != CXCursor_MemberRefExpr && kind != CXCursor_ArraySubscriptExpr) return false;
  }
}

static bool assigns(CXCursor binary)
{
  enum CXBinaryOperatorKind kind = binary_kind_of(binary);
  return kind == CXBinaryOperator_Invalid || kind >= CXBinaryOperator_Assign;
}

static bool is_step(CXCursor unary)
{
  switch (unary_kind_of(unary)) {
  case CXUnaryOperator_Plus:
  case CXUnaryOperator_Minus:
  case CXUnaryOperator_Not:
  case CXUnaryOperator_LNot: return false;
  default: return true;
  }
}

static bool is_own_element(struct frontend *f, CXCursor subscript)
{
  struct children children = children_of(f, subscript);
  CXCursor array = children.count == 2 ? bare(f, children.items[0]) : clang_getNullCursor();
  return clang_getCanonicalType(clang_getCursorType(array)).kind == CXType_ConstantArray;
}

static bool is_own_variable(CXCursor target)
{
  enum CXCursorKind kind = clang_getCursorKind(target);
  if (kind == CXCursor_ParmDecl || kind == CXCursor_EnumConstantDecl ||
      kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod)
    return true;
  enum CXCursorKind owner = clang_getCursorKind(clang_getCursorSemanticParent(target));
  return kind == CXCursor_VarDecl &&
         (owner == CXCursor_FunctionDecl || owner == CXCursor_CXXMethod);
}

static bool is_local_value(CXCursor variable)
{
  enum CX_StorageClass storage = clang_Cursor_getStorageClass(variable);
  return (storage == CX_SC_None || storage == CX_SC_Auto) &&
         is_value(clang_getCursorType(variable));
}

static bool only_computes(struct frontend *f, CXCursor function, unsigned depth,
                          unsigned *operations);
static bool only_constructs(struct look *look, CXCursor constructor);

static bool is_harmless_call(struct look *look, CXCursor call)
{
  CXCursor target = clang_getCursorReferenced(call);
  if (clang_Cursor_isNull(target))
    return !clang_equalCursors(without_elided_copy(call), call) &&
           is_value(clang_getCursorType(call));
  switch (clang_getCursorKind(target)) {
  case CXCursor_Constructor:
    return is_value(clang_getCursorType(call)) &&
           (clang_CXXMethod_isDefaulted(target) || only_constructs(look, target));
  case CXCursor_FunctionDecl:
    if (is_system_cursor(target) || is_builtin_cursor(target))
      return call_effect_of_name(spelling_of(look->f, target)) == IR_EFFECT_NONE &&
             has_values_only(target);
    return only_computes(look->f, target, look->depth - 1, look->operations);
  case CXCursor_CXXMethod: return only_computes(look->f, target, look->depth - 1, look->operations);
  default: return false;
  }
}

static bool is_harmless(struct look *look, CXCursor cursor)
{
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_CompoundStmt:
  case CXCursor_DeclStmt:
  case CXCursor_ReturnStmt:
  case CXCursor_IfStmt:
  case CXCursor_NullStmt:
  case CXCursor_ParenExpr:
  case CXCursor_UnexposedExpr:
  case CXCursor_IntegerLiteral:
  case CXCursor_FloatingLiteral:
  case CXCursor_CharacterLiteral:
  case CXCursor_CXXBoolLiteralExpr:
  case CXCursor_ConditionalOperator:
  case CXCursor_CXXThisExpr: return true;
  case CXCursor_BinaryOperator:
  case CXCursor_CompoundAssignOperator:
    return !look->keeps_object || !assigns(cursor) || writes_local(look->f, cursor);
  case CXCursor_VarDecl: return is_local_value(cursor);
  case CXCursor_UnaryOperator:
    return is_arithmetic(look->f, cursor) &&
           (!look->keeps_object || !is_step(cursor) || writes_local(look->f, cursor));
  case CXCursor_CStyleCastExpr:
  case CXCursor_CXXStaticCastExpr:
  case CXCursor_CXXFunctionalCastExpr:
  case CXCursor_InitListExpr: return is_value(clang_getCursorType(cursor));
  case CXCursor_TypeRef:
  case CXCursor_NamespaceRef: return true;
  case CXCursor_MemberRefExpr: {
    CXCursor member = clang_getCursorReferenced(cursor);
    bool method = clang_getCursorKind(member) == CXCursor_CXXMethod; /* of a call */
    return method || (clang_getCursorKind(member) == CXCursor_FieldDecl &&
                      is_value(clang_getCursorType(member)));
  }
  case CXCursor_DeclRefExpr: return is_own_variable(clang_getCursorReferenced(cursor));
  case CXCursor_ArraySubscriptExpr: return is_own_element(look->f, cursor);
  case CXCursor_CallExpr: return is_harmless_call(look, cursor);
  default: return false;
  }
}

static unsigned operations_of(CXCursor cursor)
{
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_UnaryOperator:
  case CXCursor_BinaryOperator:
  case CXCursor_CompoundAssignOperator:
  case CXCursor_ConditionalOperator:
  case CXCursor_IfStmt: return 1;
  case CXCursor_CallExpr: {
    CXCursor target = clang_getCursorReferenced(cursor);
    return is_system_cursor(target) || is_builtin_cursor(target) ? CALL_OPERATIONS : 0;
  }
  default: return 0;
  }
}

static enum CXChildVisitResult look_at(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct look *look = data;
  *look->operations += operations_of(cursor);
  look->fine = look->fine && is_harmless(look, cursor);
  return look->fine ? CXChildVisit_Recurse : CXChildVisit_Break;
}

/* Is the function defined here, with one body for the host and the device? */
static bool is_seen(struct frontend *f, CXCursor function)
{
  const struct ir_function *known = function_of(f, function);
  return !clang_Cursor_isNull(clang_getCursorDefinition(function)) && known &&
         known->has_definition && known->is_device && !known->body_place.in_macro &&
         !conditional_obstacle(f, known->body_place);
}

/* Looks at the constructor's initialisers and body. */
static bool only_constructs(struct look *outer, CXCursor constructor)
{
  struct frontend *f = outer->f;
  CXCursor definition = clang_getCursorDefinition(constructor);
  if (!outer->depth || !is_seen(f, constructor) || !has_value_parameters(definition)) return false;
  struct look look = {f, outer->depth - 1, outer->operations, false, true};
  struct children children = children_of(f, definition);
  for (unsigned i = 0; i < children.count && look.fine; i++) {
    enum CXCursorKind kind = clang_getCursorKind(children.items[i]);
    if (kind == CXCursor_MemberRef || kind == CXCursor_ParmDecl || clang_isAttribute(kind))
      continue;
    look_at(children.items[i], definition, &look);
    if (look.fine) clang_visitChildren(children.items[i], look_at, &look);
  }
  return look.fine;
}

static bool only_computes(struct frontend *f, CXCursor function, unsigned depth,
                          unsigned *operations)
{
  CXCursor definition = clang_getCursorDefinition(function);
  if (!depth || !is_seen(f, function)) return false;
  bool method = clang_getCursorKind(definition) == CXCursor_CXXMethod;
  if (method && clang_CXXMethod_isVirtual(definition)) return false;
  CXCursor owner = clang_getCursorSemanticParent(definition);
  if (method && !is_value(clang_getCursorType(owner))) return false;
  if (!has_values_only(definition)) return false;
  bool keeps = method && !clang_CXXMethod_isConst(definition) &&
               !clang_CXXMethod_isStatic(definition) && !SEEDED(METHOD_WRITES_MEMBER);
  struct look look = {f, depth, operations, keeps, true};
  struct children children = children_of(f, definition);
  for (unsigned i = 0; i < children.count; i++)
    if (clang_getCursorKind(children.items[i]) == CXCursor_CompoundStmt)
      clang_visitChildren(children.items[i], look_at, &look);
  return look.fine;
}

bool method_only_computes(struct frontend *f, CXCursor method)
{
  unsigned operations = 0;
  return clang_getCursorKind(method) == CXCursor_CXXMethod &&
         only_computes(f, method, NESTED_MOST, &operations) && operations <= OPERATIONS_MOST;
}
