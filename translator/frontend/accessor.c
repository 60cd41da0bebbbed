/* SPDX-License-Identifier: MIT */
/* accessor.c - calls of functions with little more than one expression as their body, on a
 * structure.
 *
 *     struct view { float *data; int cols;
 *                   __device__ float &at(int i, int j) { return data[i * cols + j]; } };
 *     s += a.at(i, k) * b.at(k, j);
 *   =>
 *     s += a.data[i * a.cols + k] * b.data[k * b.cols + j];
 *
 * So analyses see the elements, and the members that a kernel's structure has as parameters
 * (parts.c). Requires a call in device code: of a method, not virtual, of a class without bases,
 * or of a function that gets a structure with pointers. The body is one `return`, or
 * one assignment, of members, parameters, numbers, and calls of such functions; before it stand
 * declarations of numbers and pointers with values of that kind, which take the variables' places.
 * Each argument and each such value is lowered again at each use, so it has no effect, and is cheap
 * where it is used more than once.
 * Gives up (the call stays a call): everything else, as noinline and bodies that may differ between
 * host and device.
 */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"
#include "translator/ir/ir_rewrite.h"

enum { DEEP_MOST = 4, CURSORS_MOST = 80, CHEAP_NODES = 6, CHEAP_LOCAL_NODES = 16 };

struct fold {
  const struct fold *outer; /* of the code around the call */
  struct frontend *f;
  CXCursor function;                /* the definition */
  CXCursor object;                  /* null: none, or that of `outer` */
  const struct children *arguments; /* by parameter */
  struct ir_place place;            /* of the outermost call: all that is in it */
  unsigned depth;
};

/* The body of a function that may take the places of calls. */
struct folded {
  CXCursor function;
  bool is_lambda; /* it may name locals of the code around it */
};

/* ---- the form of the body ---- */

struct form {
  struct frontend *f;
  const struct folded *callee;
  unsigned cursors;
  bool fine;
};

static bool is_scalar_type(CXType type)
{
  type = clang_getCanonicalType(type);
  return type.kind == CXType_Enum || type.kind == CXType_Pointer ||
         (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble);
}

static bool is_own_parameter(CXCursor function, CXCursor target)
{
  for (int i = 0; i < clang_Cursor_getNumArguments(function); i++)
    if (clang_equalCursors(
            clang_getCanonicalCursor(target),
            clang_getCanonicalCursor(clang_Cursor_getArgument(function, (unsigned)i))))
      return true;
  return false;
}

/* int at = i * cols + j; of the function itself */
static bool is_own_local(CXCursor function, CXCursor target)
{
  enum CX_StorageClass storage = clang_Cursor_getStorageClass(target);
  return clang_getCursorKind(target) == CXCursor_VarDecl &&
         (storage == CX_SC_None || storage == CX_SC_Auto) &&
         clang_equalCursors(clang_getCanonicalCursor(clang_getCursorSemanticParent(target)),
                            clang_getCanonicalCursor(function));
}

/* A parameter, a local, a number in the place of a template's parameter, or a function that is
 * called. */
static bool is_known_name(const struct form *form, CXCursor reference)
{
  CXCursor target = clang_getCursorReferenced(reference);
  if (clang_Cursor_isNull(target)) return children_of(form->f, reference).count == 1;
  enum CXCursorKind kind = clang_getCursorKind(target);
  bool outer = form->callee->is_lambda && (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl);
  return outer || is_own_parameter(form->callee->function, target) ||
         is_own_local(form->callee->function, target) || kind == CXCursor_FunctionDecl ||
         kind == CXCursor_CXXMethod;
}

static bool is_plain_unary(struct frontend *f, CXCursor unary)
{
  struct children children = children_of(f, unary);
  switch (unary_kind_of(unary)) {
  case CXUnaryOperator_Plus:
  case CXUnaryOperator_Minus:
  case CXUnaryOperator_Not:
  case CXUnaryOperator_LNot:
  case CXUnaryOperator_Deref: return true;
  case CXUnaryOperator_AddrOf:
    return children.count == 1 &&
           clang_getCursorKind(children.items[0]) == CXCursor_ArraySubscriptExpr;
  default: return false;
  }
}

static bool is_plain_cursor(const struct form *form, CXCursor cursor)
{
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_ParenExpr:
  case CXCursor_UnexposedExpr:
  case CXCursor_IntegerLiteral:
  case CXCursor_FloatingLiteral:
  case CXCursor_CXXBoolLiteralExpr:
  case CXCursor_ConditionalOperator:
  case CXCursor_ArraySubscriptExpr:
  case CXCursor_CallExpr: /* looked at where it is lowered */
  case CXCursor_NamespaceRef:
  case CXCursor_TemplateRef:
  case CXCursor_TypeRef: return true;
  case CXCursor_CXXThisExpr: return !form->callee->is_lambda;
  case CXCursor_BinaryOperator: return binary_kind_of(cursor) < CXBinaryOperator_Assign;
  case CXCursor_UnaryOperator: return is_plain_unary(form->f, cursor);
  case CXCursor_CStyleCastExpr:
  case CXCursor_CXXStaticCastExpr:
  case CXCursor_CXXFunctionalCastExpr: return is_scalar_type(clang_getCursorType(cursor));
  case CXCursor_DeclRefExpr: return is_known_name(form, cursor);
  case CXCursor_MemberRefExpr: {
    enum CXCursorKind kind = clang_getCursorKind(clang_getCursorReferenced(cursor));
    return kind == CXCursor_FieldDecl || kind == CXCursor_CXXMethod;
  }
  default: return false;
  }
}

static enum CXChildVisitResult look_at(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct form *form = data;
  form->fine = form->fine && form->cursors++ < CURSORS_MOST && is_plain_cursor(form, cursor);
  return form->fine ? CXChildVisit_Recurse : CXChildVisit_Break;
}

static bool is_plain(struct frontend *f, const struct folded *callee, CXCursor expr)
{
  struct form form = {.f = f, .callee = callee};
  form.fine = is_plain_cursor(&form, expr);
  if (form.fine) clang_visitChildren(expr, look_at, &form);
  return form.fine;
}

/* Is it a variable of the code around the lambda? A parameter is a copy. */
static bool names_outer(const struct folded *callee, CXCursor reference)
{
  CXCursor target = clang_getCursorReferenced(reference);
  return callee->is_lambda && ((!is_own_parameter(callee->function, target) &&
                                !is_own_local(callee->function, target)) ||
                               SEEDED(LAMBDA_PARAMETER_SET));
}

/* v[i] = x; *p += x: the body of a function without a result. */
static bool is_plain_assignment(struct frontend *f, const struct folded *callee, CXCursor expr)
{
  enum CXCursorKind kind = clang_getCursorKind(expr), target;
  struct children children = children_of(f, expr);
  bool assigns =
      (kind == CXCursor_BinaryOperator && binary_kind_of(expr) == CXBinaryOperator_Assign) ||
      kind == CXCursor_CompoundAssignOperator;
  if (!assigns || children.count != 2) return false;
  target = clang_getCursorKind(children.items[0]);
  return (target == CXCursor_ArraySubscriptExpr || target == CXCursor_UnaryOperator ||
          (target == CXCursor_DeclRefExpr && names_outer(callee, children.items[0]))) &&
         is_plain(f, callee, children.items[0]) && is_plain(f, callee, children.items[1]);
}

/* Are the statements before the last one declarations of values? */
static bool declares_values(struct frontend *f, const struct folded *callee,
                            const struct children *body)
{
  for (unsigned i = 0; i + 1 < body->count; i++) {
    struct children declared = children_of(f, body->items[i]);
    if (clang_getCursorKind(body->items[i]) != CXCursor_DeclStmt) return false;
    for (unsigned k = 0; k < declared.count; k++) {
      CXCursor variable = declared.items[k], value;
      if (!is_own_local(callee->function, variable)) return false;
      CXType type = clang_getCanonicalType(clang_getCursorType(variable));
      value = clang_Cursor_getVarDeclInitializer(variable);
      if (!is_scalar_type(type) || clang_isVolatileQualifiedType(type) ||
          clang_Cursor_isNull(value) || !is_plain(f, callee, value))
        return false;
    }
  }
  return body->count > 0;
}

/* The expression that the body comes to; null: it does more. */
static CXCursor expression_of(struct frontend *f, const struct folded *callee)
{
  struct children parts = children_of(f, callee->function), body = {0};
  for (unsigned i = 0; i < parts.count; i++)
    if (clang_getCursorKind(parts.items[i]) == CXCursor_CompoundStmt)
      body = children_of(f, parts.items[i]);
  if (!declares_values(f, callee, &body)) return clang_getNullCursor();
  CXCursor last = body.items[body.count - 1];
  CXType result = clang_getResultType(clang_getCursorType(callee->function));
  if (clang_getCanonicalType(result).kind == CXType_Void)
    return is_plain_assignment(f, callee, last) ? last : clang_getNullCursor();
  struct children value = children_of(f, last);
  bool returns = clang_getCursorKind(last) == CXCursor_ReturnStmt && value.count == 1;
  return returns && is_plain(f, callee, value.items[0]) ? value.items[0] : clang_getNullCursor();
}

/* ---- may it take the call's place? ---- */

static bool is_marked(const struct unit *unit, const struct ir_function *callee)
{
  const struct unit_file *file = &unit->files.items[callee->place.file];
  const char *word = strstr(file->text + callee->place.begin, "noinline");
  return word && word < file->text + callee->body_place.begin;
}

static bool is_open(struct frontend *f, CXCursor target)
{
  const struct ir_function *known = function_of(f, target);
  return known && known->has_definition && known->is_device && !known->body_place.in_macro &&
         !known->body_place.in_argument && !conditional_obstacle(f, known->body_place) &&
         !is_marked(f->unit, known);
}

static const struct ir_type *record_of(const struct ir_type *type)
{
  bool leads = type->kind == IR_TYPE_POINTER || type->kind == IR_TYPE_REFERENCE;
  if (leads && type->element) type = type->element;
  return type->kind == IR_TYPE_RECORD && (type->is_public || type->is_copied) && !type->is_volatile
             ? type
             : NULL;
}

static void count_node(struct ir_expr *expr, void *context)
{
  (void)expr;
  ++*(unsigned *)context;
}

static bool is_cheap(struct ir_expr *expr, unsigned most)
{
  unsigned nodes = 0;
  ir_visit_expr(expr, count_node, &nodes);
  return nodes <= most;
}

struct use_count {
  CXCursor parameter;
  unsigned count;
};

static enum CXChildVisitResult count_use(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct use_count *uses = data;
  if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr)
    uses->count += clang_equalCursors(clang_getCanonicalCursor(clang_getCursorReferenced(cursor)),
                                      clang_getCanonicalCursor(uses->parameter)) != 0;
  return CXChildVisit_Recurse;
}

static bool is_number(const struct ir_type *type)
{
  return type->kind == IR_TYPE_INT || type->kind == IR_TYPE_FLOAT || type->kind == IR_TYPE_BOOL;
}

/* `value` as a value of the type, or NULL. */
static struct ir_expr *as_type(struct lower *l, struct ir_expr *value, const struct ir_type *type)
{
  struct ir_expr *bare = ir_strip(value);
  if (type->kind == IR_TYPE_REFERENCE) {
    bool named = bare->kind == IR_EXPR_INDEX || bare->kind == IR_EXPR_MEMBER ||
                 bare->kind == IR_EXPR_VAR ||
                 (bare->kind == IR_EXPR_UNARY && bare->op == IR_OP_DEREF);
    if (named && ir_same_type(bare->type, type->element)) return bare;
    type = type->element;
    if (!type->is_const) return NULL;
  }
  if (type->kind == IR_TYPE_VOID || ir_same_type(bare->type, type)) return bare;
  if (type->kind == IR_TYPE_POINTER)
    return bare->type->kind == IR_TYPE_POINTER && ir_same_type(bare->type->element, type->element)
               ? bare
               : NULL;
  if (!is_number(type) || !is_number(bare->type)) return NULL;
  struct ir_expr *cast = ARENA_NEW(l->frontend->arena, struct ir_expr);
  *cast = (struct ir_expr){.kind = IR_EXPR_CAST,
                           .id = l->function->expr_count++,
                           .type = ir_plain_type(l->frontend->arena, type),
                           .place = value->place,
                           .operand_count = 1};
  cast->text = cast->type->spelling;
  cast->operands = arena_alloc(l->frontend->arena, sizeof *cast->operands);
  cast->operands[0] = bare;
  return cast;
}

static bool fits(struct lower *l, const struct fold *fold, unsigned argument)
{
  CXCursor parameter = clang_Cursor_getArgument(fold->function, argument);
  const struct ir_type *type = type_of(l->frontend, clang_getCursorType(parameter));
  struct ir_expr *value = lower_expr(l, fold->arguments->items[argument]);
  struct use_count uses = {parameter, 0};
  clang_visitChildren(fold->function, count_use, &uses);
  return !type->is_volatile && !ir_has_effects(value) &&
         (uses.count < 2 || is_cheap(value, CHEAP_NODES)) && as_type(l, value, type);
}

static struct ir_expr *object_of(struct lower *l, const struct fold *fold)
{
  if (!clang_Cursor_isNull(fold->object)) return ir_strip(lower_expr(l, fold->object));
  return lower_this(l);
}

/* Is the object, or a structure among the arguments, one whose members any code may name? */
static bool has_structure(struct lower *l, const struct fold *fold)
{
  if (clang_getCursorKind(fold->function) == CXCursor_CXXMethod) {
    struct ir_expr *object = object_of(l, fold);
    CXCursor owner = clang_getCursorSemanticParent(fold->function);
    const struct ir_type *class = type_of(l->frontend, clang_getCursorType(owner));
    const struct ir_type *record = object ? record_of(ir_strip(object)->type) : NULL;
    return record && (ir_same_type(record, class) || record->is_copied) &&
           !ir_has_effects(object) && is_cheap(object, CHEAP_NODES);
  }
  bool any = false;
  for (unsigned i = 0; i < fold->arguments->count; i++) {
    CXCursor parameter = clang_Cursor_getArgument(fold->function, i);
    const struct ir_type *type = type_of(l->frontend, clang_getCursorType(parameter));
    const struct ir_type *record = type->kind == IR_TYPE_POINTER ? NULL : record_of(type);
    any |= record && ir_type_holds_pointers(record);
  }
  return any;
}

static bool is_legal(struct lower *l, const struct fold *fold)
{
  if (!has_structure(l, fold)) return false;
  for (unsigned i = 0; i < fold->arguments->count; i++)
    if (!fits(l, fold, i)) return false;
  return true;
}

/* ---- build ---- */

bool is_this(struct frontend *f, CXCursor object)
{
  while (clang_getCursorKind(object) == CXCursor_UnexposedExpr) {
    struct children children = children_of(f, object);
    if (children.count != 1) return false;
    object = children.items[0];
  }
  return clang_getCursorKind(object) == CXCursor_CXXThisExpr;
}

/* A private member, in the body of an accessor or for a friend: its offset stands for its name. */
void lower_note_access(struct lower *l, CXCursor cursor, CXCursor field, struct ir_expr *member)
{
  if (!l->strict || clang_getCXXAccessSpecifier(field) == CX_CXXPublic) return;
  member->is_private = member->field_offset >= 0 && !strpbrk(member->type->spelling, "([");
  if (!member->is_private) lower_fail(l, cursor, "a private member without a plain place");
}

/* The object of the method that is lowered. */
static struct ir_expr *own_object(struct lower *l)
{
  struct ir_expr *object = ARENA_NEW(l->frontend->arena, struct ir_expr);
  *object = (struct ir_expr){.kind = IR_EXPR_VAR,
                             .id = l->function->expr_count++,
                             .type = l->self->type->element,
                             .place = l->function->name_place,
                             .var = l->self,
                             .text = l->self->name};
  return object;
}

struct ir_expr *lower_this(struct lower *l)
{
  const struct fold *fold = l->fold;
  if (!fold) return l->self ? own_object(l) : NULL;
  l->fold = fold->outer;
  struct ir_expr *object = object_of(l, fold);
  l->fold = fold;
  return object;
}

/* A member of a base of the object: its offset stands for its name, which the class may hide. */
void lower_note_base(struct lower *l, CXCursor cursor, CXCursor field, struct ir_expr *member)
{
  CXCursor owner = clang_getCursorSemanticParent(field);
  const struct ir_type *class = type_of(l->frontend, clang_getCursorType(owner));
  const struct ir_type *own = ir_strip(member->operands[0])->type;
  if (own->kind == IR_TYPE_POINTER) own = own->element;
  if (ir_same_type(own, class) || SEEDED(BASE_MEMBER_HIDDEN)) return;
  member->is_private = member->field_offset >= 0 && !strpbrk(member->type->spelling, "([");
  if (!member->is_private) lower_fail(l, cursor, "a member of a base without a plain place");
}

struct ir_expr *lower_bound_parameter(struct lower *l, CXCursor target)
{
  const struct fold *fold = l->fold;
  if (!fold) return NULL;
  for (unsigned i = 0; i < fold->arguments->count; i++) {
    CXCursor parameter = clang_Cursor_getArgument(fold->function, i);
    if (!clang_equalCursors(clang_getCanonicalCursor(parameter), clang_getCanonicalCursor(target)))
      continue;
    const struct ir_type *type = type_of(l->frontend, clang_getCursorType(parameter));
    l->fold = fold->outer;
    struct ir_expr *value = lower_expr(l, fold->arguments->items[i]);
    l->fold = fold;
    return SEEDED(ACCESSOR_UNCONVERTED) ? ir_strip(value) : as_type(l, value, type);
  }
  return NULL;
}

static bool is_used_once(CXCursor function, CXCursor variable)
{
  struct use_count uses = {variable, 0};
  clang_visitChildren(function, count_use, &uses);
  return uses.count < 2;
}

struct ir_expr *lower_bound_local(struct lower *l, CXCursor cursor, CXCursor target)
{
  const struct fold *fold = l->fold;
  if (!fold || !is_own_local(fold->function, target)) return NULL;
  const struct ir_type *type = type_of(l->frontend, clang_getCursorType(target));
  struct ir_expr *value = lower_expr(l, clang_Cursor_getVarDeclInitializer(target));
  bool fine = !ir_has_effects(value) &&
              (is_used_once(fold->function, target) || is_cheap(value, CHEAP_LOCAL_NODES));
  if (fine) value = SEEDED(ACCESSOR_LOCAL_UNCONVERTED) ? ir_strip(value) : as_type(l, value, type);
  if (fine && value) return value;
  lower_fail(l, cursor, "a value of an accessor that does not take its variable's place");
  return lower_opaque(l, cursor);
}

const struct ir_place *fold_place(const struct lower *l)
{
  return l->fold ? &l->fold->place : NULL;
}

struct ir_expr *lower_accessor(struct lower *l, CXCursor call, CXCursor target, CXCursor object,
                               const struct children *arguments)
{
  struct fold fold = {.outer = l->fold, .f = l->frontend, .object = object, .arguments = arguments};
  enum CXCursorKind kind = clang_getCursorKind(target);
  bool method = kind == CXCursor_CXXMethod && !clang_CXXMethod_isStatic(target) &&
                !clang_CXXMethod_isVirtual(target);
  const char *failed = l->failed;
  if (!l->strict || failed || !(method || kind == CXCursor_FunctionDecl) ||
      is_system_cursor(target) || is_builtin_cursor(target) || !is_open(l->frontend, target))
    return NULL;
  fold.function = clang_getCursorDefinition(target);
  fold.depth = l->fold ? l->fold->depth + 1 : 0;
  fold.place = l->fold ? l->fold->place : place_of(l->frontend, call);
  if (fold.depth > DEEP_MOST || clang_Cursor_isNull(fold.function) ||
      clang_Cursor_getNumArguments(fold.function) != (int)arguments->count)
    return NULL;
  struct folded callee = {fold.function, false};
  CXCursor expr = expression_of(l->frontend, &callee);
  if (clang_Cursor_isNull(expr) || !is_legal(l, &fold)) return NULL;
  l->fold = &fold;
  struct ir_expr *value = lower_expr(l, expr);
  l->fold = fold.outer;
  bool fine = !l->failed;
  l->failed = failed;
  CXType result = clang_getResultType(clang_getCursorType(fold.function));
  return fine ? as_type(l, value, type_of(l->frontend, result)) : NULL;
}

/* Why the body does not take the call's place; NULL: *ret does. */
static const char *fold_lambda(struct lower *l, CXCursor call, struct fold *fold,
                               struct ir_expr **ret)
{
  const struct folded callee = {fold->function, true};
  if (fold->depth > DEEP_MOST) return "lambdas call each other too often";
  if (clang_Cursor_isNull(fold->function) ||
      clang_Cursor_getNumArguments(fold->function) != (int)fold->arguments->count)
    return "a lambda has a default argument or a pack";
  CXCursor expr = expression_of(l->frontend, &callee);
  CXType result = clang_getCanonicalType(clang_getResultType(clang_getCursorType(fold->function)));
  if (clang_Cursor_isNull(expr)) return "the body of a lambda is more than an expression";
  if (result.kind == CXType_Void && !clang_equalCursors(l->whole, call))
    return "a lambda without a value is called in an expression";
  for (unsigned i = 0; i < fold->arguments->count; i++)
    if (!fits(l, fold, i))
      return "an argument of a lambda has effects, another type, or several long copies";
  l->fold = fold;
  struct ir_expr *value = lower_expr(l, expr);
  l->fold = fold->outer;
  *ret = SEEDED(LAMBDA_UNCONVERTED) ? value : as_type(l, value, type_of(l->frontend, result));
  return *ret ? NULL : "the result of a lambda is no number, pointer or element";
}

struct ir_expr *lower_lambda_call(struct lower *l, CXCursor call, CXCursor target,
                                  const struct children *arguments)
{
  struct fold fold = {.outer = l->fold,
                      .f = l->frontend,
                      .function = clang_getCursorDefinition(target),
                      .object = clang_getNullCursor(),
                      .arguments = arguments,
                      .place = l->fold ? l->fold->place : place_of(l->frontend, call),
                      .depth = l->fold ? l->fold->depth + 1 : 0};
  struct ir_expr *value = NULL;
  const char *why = fold_lambda(l, call, &fold, &value);
  if (!why) return value;
  lower_fail(l, call, why);
  return lower_opaque(l, call);
}
