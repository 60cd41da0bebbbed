/* SPDX-License-Identifier: MIT */
/* vars.c - one ir_var per variable and one ir_function per function, by canonical cursor. */
#include <string.h>

#include "translator/frontend/internal.h"

static bool is_local(CXCursor declaration)
{
  CXCursor parent = clang_getCursorSemanticParent(declaration);
  switch (clang_getCursorKind(parent)) {
  case CXCursor_FunctionDecl:
  case CXCursor_FunctionTemplate:
  case CXCursor_CXXMethod:
  case CXCursor_Constructor:
  case CXCursor_Destructor:
  case CXCursor_ConversionFunction: return true;
  default: return false;
  }
}

static void set_constant(struct ir_var *var, CXCursor declaration)
{
  bool integral = var->type->kind == IR_TYPE_INT || var->type->kind == IR_TYPE_BOOL;
  if (!integral || !var->type->is_const || var->type->is_volatile) return;
  CXCursor init = clang_Cursor_getVarDeclInitializer(declaration);
  if (clang_Cursor_isNull(init)) return;
  CXEvalResult result = clang_Cursor_Evaluate(init);
  if (!result) return;
  if (clang_EvalResult_getKind(result) == CXEval_Int) {
    var->has_value = true;
    var->value = clang_EvalResult_isUnsignedInt(result)
                     ? (int64_t)clang_EvalResult_getAsUnsigned(result)
                     : (int64_t)clang_EvalResult_getAsLongLong(result);
  }
  clang_EvalResult_dispose(result);
}

static bool is_class(enum CXCursorKind kind)
{
  return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl || kind == CXCursor_UnionDecl ||
         kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
}

/* The name with its namespaces; NULL: it cannot be used at the end of the file. */
static const char *name_at_end(struct frontend *f, CXCursor declaration)
{
  bool named = !is_local(declaration) && clang_getCursorKind(declaration) == CXCursor_VarDecl &&
               !is_class(clang_getCursorKind(clang_getCursorSemanticParent(declaration)));
  const char *qualified = qualified_name(f, declaration);
  return named && !strpbrk(qualified, "(<") ? qualified : NULL;
}

static void classify(struct frontend *f, struct ir_var *var, CXCursor declaration,
                     struct ir_function *owner)
{
  enum CX_StorageClass storage = clang_Cursor_getStorageClass(declaration);
  var->is_static =
      storage == CX_SC_Static || clang_getCursorLinkage(declaration) == CXLinkage_Internal;
  if (has_mesi_global(f, declaration)) {
    var->kind = IR_VAR_VS;
  } else if (has_attribute(f, declaration, CXCursor_CUDASharedAttr)) {
    var->kind = IR_VAR_SHARED;
    var->is_static = false; /* the word says nothing there: it lives as long as its block */
    var->is_dynamic_shared = storage == CX_SC_Extern;
    if (is_local(declaration))
      var->function = owner;
    else
      var->qualified = name_at_end(f, declaration);
  } else if (has_attribute(f, declaration, CXCursor_CUDADeviceAttr) ||
             has_attribute(f, declaration, CXCursor_CUDAConstantAttr)) {
    var->kind = IR_VAR_DEVICE;
    var->is_constant_memory = has_attribute(f, declaration, CXCursor_CUDAConstantAttr);
    var->qualified = name_at_end(f, declaration);
  } else if (clang_getCursorKind(declaration) == CXCursor_ParmDecl) {
    var->kind = IR_VAR_PARAM;
    var->function = owner;
  } else if (is_local(declaration) && storage != CX_SC_Extern) {
    var->kind = IR_VAR_LOCAL;
    var->function = owner;
  } else {
    var->kind = IR_VAR_HOST;
  }
}

static bool is_global_kind(const struct ir_var *var) { return !var->function; }

struct ir_var *var_of(struct frontend *f, CXCursor declaration, struct ir_function *owner)
{
  CXCursor canonical = clang_getCanonicalCursor(declaration);
  struct ir_var *var = cursor_map_get(&f->vars, canonical);
  if (var) return var;
  var = ARENA_NEW(f->arena, struct ir_var);
  cursor_map_put(f->arena, &f->vars, canonical, var);
  var->name = spelling_of(f, declaration);
  var->type = type_of(f, clang_getCursorType(declaration));
  var->place = place_of(f, declaration);
  classify(f, var, declaration, owner);
  /* decayed, as the function sees it */
  if (var->kind == IR_VAR_PARAM && var->type->kind == IR_TYPE_ARRAY) {
    struct ir_type *pointer = ARENA_NEW(f->arena, struct ir_type);
    const char *element = var->type->element->spelling;
    *pointer = (struct ir_type){.kind = IR_TYPE_POINTER,
                                .size = 8,
                                .align = 8,
                                .extent = -1,
                                .element = var->type->element};
    const char *bracket = var->type->element->kind == IR_TYPE_ARRAY ? strchr(element, '[') : NULL;
    pointer->spelling =
        bracket ? arena_format(f->arena, "%.*s (*)%s", (int)(bracket - element), element, bracket)
                : arena_format(f->arena, "%s *", element);
    var->type = pointer;
  }
  set_constant(var, declaration);
  if (is_global_kind(var)) {
    var->id = f->unit->globals.count;
    *ARENA_PUSH(f->arena, &f->unit->globals) = var;
  }
  return var;
}

static bool is_template_instance(CXCursor declaration)
{
  return !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(declaration));
}

static bool is_within(struct frontend *f, const struct ir_place *own, CXCursor outer)
{
  if (clang_Cursor_isNull(outer)) return false;
  struct ir_place place = place_of(f, outer);
  return place.line && own->file == place.file && own->begin >= place.begin &&
         own->begin < place.end;
}

/* template <> float root<float>(float x) {...}, which has a body of its own: of host code and of
 * device code, and of methods that specialize.c has written. A kernel's does not count: its emitted
 * text comes after the template. */
static bool is_explicit_specialization(struct frontend *f, CXCursor declaration)
{
  enum CXCursorKind kind = clang_getCursorKind(declaration);
  CXCursor general = clang_getSpecializedCursorTemplate(declaration), parent, definition;
  if ((kind != CXCursor_FunctionDecl && kind != CXCursor_CXXMethod) ||
      has_attribute(f, declaration, CXCursor_CUDAGlobalAttr) ||
      (kind == CXCursor_CXXMethod && has_attribute(f, declaration, CXCursor_CUDADeviceAttr)))
    return false;
  if (kind == CXCursor_CXXMethod) {
    definition = clang_getCursorDefinition(declaration);
    if (!clang_Cursor_isNull(definition)) declaration = definition;
    parent = clang_getCursorSemanticParent(general);
    definition = clang_getCursorDefinition(general);
    struct ir_place own = place_of(f, declaration);
    return own.line && clang_getCursorKind(parent) == CXCursor_ClassTemplate &&
           place_of(f, general).line && !is_within(f, &own, parent) &&
           !is_within(f, &own, definition);
  }
  struct ir_place own = place_of(f, declaration);
  return own.line && place_of(f, general).line && !is_within(f, &own, general);
}

struct ir_function *function_of(struct frontend *f, CXCursor declaration)
{
  if (is_template_instance(declaration) && !is_explicit_specialization(f, declaration))
    declaration = clang_getSpecializedCursorTemplate(declaration);
  CXCursor canonical = clang_getCanonicalCursor(declaration);
  struct ir_function *function = cursor_map_get(&f->functions, canonical);
  if (function || is_system_cursor(declaration) || is_builtin_cursor(declaration)) return function;
  if (!place_of(f, declaration).line) return NULL; /* outside the unit's files */
  function = ARENA_NEW(f->arena, struct ir_function);
  cursor_map_put(f->arena, &f->functions, canonical, function);
  function->id = f->unit->functions.count;
  *ARENA_PUSH(f->arena, &f->unit->functions) = function;
  *ARENA_PUSH(f->arena, &f->bodies) = clang_getNullCursor();
  function->name = spelling_of(f, declaration);
  function->qualified = qualified_name(f, declaration);
  function->is_kernel = has_attribute(f, declaration, CXCursor_CUDAGlobalAttr);
  function->is_device = has_attribute(f, declaration, CXCursor_CUDADeviceAttr);
  function->is_host =
      !function->is_kernel &&
      (!function->is_device || has_attribute(f, declaration, CXCursor_CUDAHostAttr));
  enum CXCursorKind kind = clang_getCursorKind(declaration);
  function->is_internal = clang_getCursorLinkage(declaration) == CXLinkage_Internal;
  function->is_template = kind == CXCursor_FunctionTemplate;
  function->is_method = kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
                        kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
  function->result = type_of(f, clang_getResultType(clang_getCursorType(declaration)));
  function->place = place_of(f, declaration);
  function->name_place = place_of_location(f, clang_getCursorLocation(declaration));
  function->name_place.end = function->name_place.begin + (unsigned)strlen(function->name);
  return function;
}

static enum CXChildVisitResult find_call_operator(CXCursor cursor, CXCursor parent,
                                                  CXClientData data)
{
  (void)parent;
  CXCursor *found = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind != CXCursor_CXXMethod && kind != CXCursor_FunctionTemplate) return CXChildVisit_Continue;
  *found = cursor;
  return CXChildVisit_Break;
}

CXCursor device_lambda(struct frontend *f, CXCursor lambda)
{
  CXCursor call = clang_getNullCursor();
  clang_visitChildren(clang_getTypeDeclaration(clang_getCursorType(lambda)), find_call_operator,
                      &call);
  bool found = !clang_Cursor_isNull(call) && has_attribute(f, call, CXCursor_CUDADeviceAttr);
  return found ? call : clang_getNullCursor();
}
