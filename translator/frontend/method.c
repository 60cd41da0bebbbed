/* SPDX-License-Identifier: MIT */
/* method.c - member functions of device code, as functions with their object as a parameter.
 *
 *     struct rows { const float *a; int m;
 *                   __device__ float get(int i, int k) const {
 *                     if (k >= m) return 0;
 *                     return a[i * m + k]; } };
 *   =>
 *     float get(int i, int k, const rows &_object) {
 *       if (k >= _object.m) return 0;
 *       return _object.a[i * _object.m + k]; }
 *
 * The function stands beside the method (ir_function.as_function): no text has it, and only
 * bodies that take the places of calls are made of it (analysis/transform/inline/methods.c). So
 * all names in it have to mean the same anywhere: types, functions and constants are spelled with
 * all their scopes. A method of a class template has one such function for each instance of the
 * class. Gives up, and the method stays a call: virtual and static functions, constructors,
 * destructors and conversions; names of members that only the class may use, except for fields and
 * for methods, whose bodies follow.
 */
#include <string.h>

#include "translator/frontend/internal.h"

/* ---- names ---- */

bool method_is_hidden(CXCursor declaration)
{
  enum CX_CXXAccessSpecifier access = clang_getCXXAccessSpecifier(declaration);
  return access == CX_CXXPrivate || access == CX_CXXProtected;
}

static enum CXChildVisitResult look_at_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct lower *l = data;
  CXCursor target = clang_getNullCursor();
  enum CXCursorKind kind = clang_getCursorKind(cursor), named;
  if (kind == CXCursor_TypeRef || kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr ||
      kind == CXCursor_TemplateRef)
    target = clang_getCursorReferenced(cursor);
  if (kind == CXCursor_VarDecl)
    target = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(cursor)));
  named = clang_getCursorKind(target);
  if (named != CXCursor_FieldDecl && named != CXCursor_CXXMethod && method_is_hidden(target))
    lower_fail(l, cursor, "it names a member that only its class may name");
  return l->failed ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* ---- the function ---- */

static struct ir_var *object_parameter(struct frontend *f, CXCursor method)
{
  CXType class = clang_getCursorType(clang_getCursorSemanticParent(method));
  struct ir_type *type = ARENA_NEW(f->arena, struct ir_type);
  struct ir_type *object = ARENA_NEW(f->arena, struct ir_type);
  struct ir_var *var = ARENA_NEW(f->arena, struct ir_var);
  *object = *type_of(f, class);
  if (clang_CXXMethod_isConst(method) && !object->is_const) {
    object->is_const = true;
    object->spelling = arena_format(f->arena, "const %s", object->spelling);
  }
  *type = (struct ir_type){.kind = IR_TYPE_REFERENCE,
                           .spelling = arena_format(f->arena, "%s &", object->spelling),
                           .size = 8,
                           .align = 8,
                           .extent = -1,
                           .is_unnamed = object->is_unnamed,
                           .element = object};
  var->kind = IR_VAR_PARAM;
  var->name = "_object";
  var->type = type;
  return var;
}

/* The method's parameters, and the object behind them. */
static void take_parameters(struct lower *l, CXCursor method)
{
  struct frontend *f = l->frontend;
  struct ir_function *function = l->function;
  int count = clang_Cursor_getNumArguments(method);
  function->param_count = count > 0 ? (unsigned)count : 0;
  function->params = arena_alloc(f->arena, (function->param_count + 1) * sizeof *function->params);
  for (unsigned i = 0; i <= function->param_count; i++) {
    struct ir_var *var = i == function->param_count
                             ? object_parameter(f, method)
                             : var_of(f, clang_Cursor_getArgument(method, i), function);
    var->function = function;
    var->kind = IR_VAR_PARAM;
    var->id = i;
    function->params[i] = var;
    *ARENA_PUSH(f->arena, &l->vars) = var;
    l->self = var;
  }
  function->param_count++;
}

static bool has_object(CXCursor method)
{
  return clang_getCursorKind(method) == CXCursor_CXXMethod && !clang_CXXMethod_isStatic(method) &&
         !clang_CXXMethod_isVirtual(method) && !clang_Cursor_isVariadic(method);
}

void method_lower(struct frontend *f, struct ir_function *method, CXCursor cursor)
{
  CXCursor body = body_of(f, cursor);
  struct ir_function *function = ARENA_NEW(f->arena, struct ir_function);
  struct lower l = {.frontend = f, .function = function, .strict = true, .is_member = true};
  if (!method->is_device || !has_object(cursor) ||
      clang_getCursorKind(body) != CXCursor_CompoundStmt)
    return;
  *function = *method;
  function->verbatim = NULL;
  function->is_method = false;
  function->method_of = method;
  function->qualified = arena_format(f->arena, "%s%s", method_scope(f, cursor), method->name);
  take_parameters(&l, cursor);
  clang_visitChildren(body, look_at_name, &l);
  struct ir_stmt *block = l.failed ? NULL : lower_stmt(&l, body);
  construct_check(&l, body);
  if (!block || l.failed) return;
  ir_note_usage(block);
  loops_canonicalize(&l, block);
  hiding_end(&l, block);
  if (l.failed || l.aliases.arguments.count) return;
  function->body = block;
  function->vars = l.vars.items;
  function->var_count = l.vars.count;
  method->as_function = function;
}

/* The namespaces around the class. */
const char *method_scope(struct frontend *f, CXCursor method)
{
  bool anonymous;
  CXCursor class = clang_getCursorSemanticParent(method);
  for (CXCursor at = class;; at = clang_getCursorSemanticParent(at)) {
    enum CXCursorKind kind = clang_getCursorKind(at);
    if (clang_Cursor_isNull(at) || clang_isInvalid(kind) || clang_isTranslationUnit(kind) ||
        kind == CXCursor_Namespace)
      return scope_of(f, class, &anonymous);
    class = at;
  }
}

struct ir_function *method_of(struct frontend *f, CXCursor target)
{
  CXCursor definition = clang_getCursorDefinition(target);
  struct ir_function *general = function_of(f, target);
  if (!general || clang_Cursor_isNull(clang_getSpecializedCursorTemplate(target)) ||
      clang_Cursor_isNull(definition) || !general->has_definition || !has_object(definition))
    return general;
  CXCursor canonical = clang_getCanonicalCursor(definition);
  struct ir_function *function = cursor_map_get(&f->instance_functions, canonical);
  if (function) return function;
  if (general->body_place.in_macro || general->body_place.in_argument ||
      conditional_obstacle(f, general->body_place))
    return general;
  function = ARENA_NEW(f->arena, struct ir_function);
  *function = *general;
  cursor_map_put(f->arena, &f->instance_functions, canonical, function);
  function->instance_of = general;
  function->is_template = false;
  function->result = type_of(f, clang_getResultType(clang_getCursorType(definition)));
  method_lower(f, function, definition);
  return function;
}
