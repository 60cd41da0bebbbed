/* SPDX-License-Identifier: MIT */
/* pure_method.c - member functions that only compute.
 *
 *     struct line { float a, b; __device__ float operator()(float x) const { return a * x + b; } };
 *     y[i] = f(x[i]);                     =>  the call has no effect on memory, like sqrtf(x)
 *
 * Such a function reads its object and its arguments, writes its own locals and returns a value.
 * Its body is checked as written, and everything not known to be harmless is refused. Requires a
 * call in device code. Refused: functions that are not const or are virtual; mutable or volatile
 * fields; pointers and references except to const parameters; other variables; calls of functions
 * that this file does not accept; bodies that may differ between host and device; loops and long
 * bodies, since the model would not know their time.
 */
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
      !clang_isPODType(type))
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

/* Does the function have value parameters and a value result? */
static bool has_values_only(CXCursor function)
{
  int count = clang_Cursor_getNumArguments(function);
  if (count < 0 || clang_Cursor_isVariadic(function) ||
      !is_value(clang_getResultType(clang_getCursorType(function))))
    return false;
  for (int i = 0; i < count; i++)
    if (!is_value_parameter(clang_getCursorType(clang_Cursor_getArgument(function, (unsigned)i))))
      return false;
  return true;
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

static bool is_harmless_call(struct look *look, CXCursor call)
{
  CXCursor target = clang_getCursorReferenced(call);
  if (clang_Cursor_isNull(target))
    return !clang_equalCursors(without_elided_copy(call), call) &&
           is_value(clang_getCursorType(call));
  switch (clang_getCursorKind(target)) {
  case CXCursor_Constructor:
    return clang_CXXMethod_isDefaulted(target) && is_value(clang_getCursorType(call));
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
  case CXCursor_BinaryOperator:
  case CXCursor_CompoundAssignOperator:
  case CXCursor_ConditionalOperator:
  case CXCursor_CXXThisExpr: return true;
  case CXCursor_VarDecl: return is_local_value(cursor);
  case CXCursor_UnaryOperator: return is_arithmetic(look->f, cursor);
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

static bool only_computes(struct frontend *f, CXCursor function, unsigned depth,
                          unsigned *operations)
{
  CXCursor definition = clang_getCursorDefinition(function);
  const struct ir_function *known = function_of(f, function);
  if (!depth || clang_Cursor_isNull(definition) || !known || !known->has_definition ||
      !known->is_device || known->body_place.in_macro || conditional_obstacle(f, known->body_place))
    return false;
  bool method = clang_getCursorKind(definition) == CXCursor_CXXMethod;
  if (method && (clang_CXXMethod_isVirtual(definition) ||
                 !(clang_CXXMethod_isConst(definition) || clang_CXXMethod_isStatic(definition))))
    return false;
  CXCursor owner = clang_getCursorSemanticParent(definition);
  if (method && !is_value(clang_getCursorType(owner))) return false;
  if (!has_values_only(definition)) return false;
  struct look look = {f, depth, operations, true};
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
