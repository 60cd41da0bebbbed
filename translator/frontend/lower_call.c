/* SPDX-License-Identifier: MIT */
/* lower_call.c - calls, constructions and launches to IR, with the effects of calls. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

static const struct {
  const char *prefix;
  enum ir_effect effect;
} effects[] = {
#define EFFECT(prefix, effect) {prefix, IR_EFFECT_##effect},
#include "translator/frontend/effects.def"
#undef EFFECT
};

static bool all_scalar(const struct ir_expr *call)
{
  for (unsigned i = 0; i < call->operand_count; i++) {
    enum ir_type_kind kind = call->operands[i]->type->kind;
    if (kind != IR_TYPE_INT && kind != IR_TYPE_BOOL && kind != IR_TYPE_FLOAT &&
        kind != IR_TYPE_RECORD)
      return false;
  }
  return true;
}

static bool takes_reference(CXCursor target)
{
  int count = clang_Cursor_getNumArguments(target);
  for (int i = 0; i < count; i++) {
    CXType type =
        clang_getCanonicalType(clang_getCursorType(clang_Cursor_getArgument(target, (unsigned)i)));
    if (type.kind == CXType_LValueReference &&
        !clang_isConstQualifiedType(clang_getPointeeType(type)))
      return true;
  }
  return false;
}

static uint32_t values_of(CXCursor target, unsigned arguments)
{
  int count = clang_Cursor_getNumArguments(target);
  uint32_t by_value = 0;
  for (unsigned i = 0; i < arguments && i < 32; i++) {
    bool named = count >= 0 && i < (unsigned)count;
    CXType type =
        named ? clang_getCanonicalType(clang_getCursorType(clang_Cursor_getArgument(target, i)))
              : (CXType){.kind = CXType_Int};
    bool known = type.kind != CXType_LValueReference && type.kind != CXType_RValueReference &&
                 type.kind != CXType_Dependent && type.kind != CXType_Unexposed &&
                 type.kind != CXType_Invalid;
    if (known && count >= 0) by_value |= UINT32_C(1) << i;
  }
  return by_value;
}

static enum ir_effect effect_of(struct lower *l, const struct ir_expr *call, CXCursor target)
{
  if (call->callee) return call->callee->is_template ? IR_EFFECT_UNKNOWN : IR_EFFECT_CALLEE;
  bool own = clang_Cursor_isNull(target) || !is_toolkit_cursor(l->frontend, target);
  if (own) return IR_EFFECT_UNKNOWN;
  const char *name = spelling_of(l->frontend, target);
  if (call->is_method) return !strcmp(name, "sync") ? IR_EFFECT_BARRIER : IR_EFFECT_UNKNOWN;
  if (!strcmp(name, "this_thread_block") &&
      strstr(qualified_name(l->frontend, target), "cooperative_groups::"))
    return IR_EFFECT_NONE;
  for (unsigned i = 0; i < sizeof effects / sizeof *effects; i++)
    if (!strncmp(name, effects[i].prefix, strlen(effects[i].prefix))) return effects[i].effect;
  if (strstr(qualified_name(l->frontend, target), "cooperative_groups::")) return IR_EFFECT_BARRIER;
  return all_scalar(call) && !takes_reference(target) ? IR_EFFECT_NONE : IR_EFFECT_UNKNOWN;
}

enum ir_effect call_effect_of_name(const char *name)
{
  for (unsigned i = 0; i < sizeof effects / sizeof *effects; i++)
    if (!strncmp(name, effects[i].prefix, strlen(effects[i].prefix))) return effects[i].effect;
  return IR_EFFECT_NONE;
}

/* Is it a variable of the thread's own, which nobody else sees, or a new value? */
static bool is_own_object(const struct ir_expr *object)
{
  switch (object->kind) {
  case IR_EXPR_VAR:
    return object->var->type->kind == IR_TYPE_RECORD &&
           (object->var->kind == IR_VAR_LOCAL || object->var->kind == IR_VAR_PARAM);
  case IR_EXPR_CONSTRUCT: return object->type->kind == IR_TYPE_RECORD;
  case IR_EXPR_CALL: return object->callee && object->callee->result->kind == IR_TYPE_RECORD;
  default: return false;
  }
}

/* Does the method only compute, on an object of the thread's own? */
static bool is_pure_method(struct lower *l, const struct ir_expr *call, CXCursor target)
{
  bool own = l->strict && call->operand_count && is_own_object(ir_strip(call->operands[0]));
  return own && (SEEDED(METHOD_TAKEN_PURE) || method_only_computes(l->frontend, target));
}

/* Is the cursor a default argument? These have no tokens. */
static bool is_default_argument(CXCursor cursor)
{
  unsigned offset;
  CXFile file;
  clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, &offset);
  return !file;
}

static struct ir_expr *lower_construct(struct lower *l, CXCursor cursor)
{
  struct children children = children_of(l->frontend, cursor), arguments = {0};
  for (unsigned i = 0; i < children.count; i++)
    if (clang_isExpression(clang_getCursorKind(children.items[i])) &&
        !is_default_argument(children.items[i]))
      *ARENA_PUSH(l->frontend->arena, &arguments) = children.items[i];
  CXCursor constructor = clang_getCursorReferenced(cursor);
  bool copies = clang_CXXConstructor_isCopyConstructor(constructor) ||
                clang_CXXConstructor_isMoveConstructor(constructor);
  if (copies && arguments.count == 1) return lower_expr(l, arguments.items[0]);
  struct ir_expr *expr = new_expr(l, IR_EXPR_CONSTRUCT, cursor, arguments.count);
  expr->text = expr->type->spelling;
  struct ir_place place = expr->place;
  const char *end = place.end > place.begin ? text_of(l->frontend, place) : "";
  expr->is_brace = *end && end[strlen(end) - 1] == '}';
  for (unsigned i = 0; i < arguments.count; i++)
    expr->operands[i] = lower_expr(l, arguments.items[i]);
  if (l->strict && expr->type->is_unnamed)
    lower_fail(l, cursor, "a value of an unnamed type is made");
  return expr;
}

/* The callee's cursor below implicit conversions: a DeclRefExpr, a MemberRefExpr or a computed
 * expression. */
static CXCursor strip_callee(struct lower *l, CXCursor callee)
{
  while (clang_getCursorKind(callee) == CXCursor_UnexposedExpr ||
         clang_getCursorKind(callee) == CXCursor_ParenExpr) {
    struct children children = children_of(l->frontend, callee);
    if (children.count != 1) break;
    callee = children.items[0];
  }
  return callee;
}

/* Does the name in a macro's body have template arguments after it? */
static bool has_template_arguments(struct lower *l, CXCursor callee, const char *name)
{
  CXFile file;
  unsigned at;
  size_t length = 0;
  clang_getSpellingLocation(clang_getCursorLocation(callee), &file, NULL, NULL, &at);
  const char *text = file ? clang_getFileContents(l->frontend->tu, file, &length) : NULL;
  size_t end = at + strlen(name);
  if (!text || end > length || strncmp(text + at, name, strlen(name))) return true;
  while (end < length && strchr(" \t\n\\", text[end])) end++;
  return end < length && text[end] == '<';
}

/* "<int, 3>" where a macro, or locals, name the instance of a template by its arguments, which may
 * mean nothing elsewhere. The arguments are those that the parser found. */
static const char *template_arguments(struct lower *l, CXCursor callee, CXCursor target)
{
  struct frontend *f = l->frontend;
  bool general = clang_getCursorKind(target) == CXCursor_FunctionTemplate;
  CXCursor template = clang_getSpecializedCursorTemplate(target);
  if ((!general && clang_Cursor_isNull(template)) ||
      !has_template_arguments(l, callee, spelling_of(f, target)) || SEEDED(ARGUMENTS_LOST))
    return "";
  struct instance instance = {.end = clang_getCursorLocation(callee)};
  const char *obstacle = general ? "" : instance_arguments(f, &instance, template, target);
  if (obstacle && l->strict)
    lower_fail(l, callee,
               arena_format(f->arena, "it calls '%s': %s", spelling_of(f, target), obstacle));
  if (obstacle) return "";
  struct text text = {0};
  for (unsigned i = 0; i < instance.arguments.count; i++)
    text_format(&text, "%s%s", i ? ", " : "<", instance.arguments.items[i].text);
  text_add(&text, ">");
  const char *result = arena_string(f->arena, text_string(&text));
  text_finish(&text);
  return result;
}

/* The name with the arguments of a class that is an instance of a template. */
static const char *full_name(struct frontend *f, CXCursor target)
{
  CXCursor class = clang_getCursorSemanticParent(target);
  CXType type = clang_getCanonicalType(clang_getCursorType(class));
  if (clang_Type_getNumTemplateArguments(type) <= 0) return qualified_name(f, target);
  return arena_format(f->arena, "%s::%s", type_spelling(f, type), spelling_of(f, target));
}

/* The callee as written: f, n::f or f<int>. Where a macro with arguments makes the call (__expf(x)
 * is expf(x)), its name. */
static const char *callee_text(struct lower *l, CXCursor callee, CXCursor target)
{
  struct ir_place place = place_of(l->frontend, callee);
  const char *text = place.in_macro || place.end <= place.begin ? "" : lowered_text(l, place);
  const char *name = spelling_of(l->frontend, target), *found = strstr(text, name);
  bool whole = found && (found == text || !scan_is_identifier(found[-1])) &&
               !scan_is_identifier(found[strlen(name)]);
  if (l->is_member || hiding_is_told_by_local(l, text)) whole = false;
  if (whole && text[scan_skip_space(text, (unsigned)(found - text + strlen(name)))] != '(')
    return text;
  return arena_format(l->frontend->arena, "%s%s", full_name(l->frontend, target),
                      template_arguments(l, callee, target));
}

/* The name after the object, with its template arguments: get<int> of s.get<int>(). */
static const char *method_text(struct lower *l, CXCursor member, CXCursor target)
{
  struct ir_place place = place_of(l->frontend, member);
  const char *name = spelling_of(l->frontend, member);
  unsigned at;
  if (SEEDED(METHOD_ARGUMENTS_LOST)) return name;
  clang_getFileLocation(clang_getCursorLocation(member), NULL, NULL, NULL, &at);
  if (!place.in_macro && place.begin <= at && at < place.end) {
    place.begin = at;
    const char *text = lowered_text(l, place);
    bool told = l->is_member || hiding_is_told_by_local(l, text);
    if (!strncmp(text, name, strlen(name)) && !told) return text;
  }
  return arena_format(l->frontend->arena, "%s%s", name, template_arguments(l, member, target));
}

static bool is_operator_name(const char *name)
{
  return !strncmp(name, "operator", 8) && !scan_is_identifier(name[8]);
}

/* Does a = b copy the bytes: by an implicit operator= of a plain struct (float4), or of a class
 * that has constructors? */
static bool is_plain_assignment(CXCursor target)
{
  bool assigns = clang_CXXMethod_isCopyAssignmentOperator(target) ||
                 clang_CXXMethod_isMoveAssignmentOperator(target);
  CXType type = clang_getCursorType(clang_getCursorSemanticParent(target));
  return assigns && clang_CXXMethod_isDefaulted(target) &&
         (clang_isPODType(type) || type_is_copied(clang_getCanonicalType(type)));
}

static struct ir_function *callee_of(struct lower *l, CXCursor method)
{
  return l->strict ? method_of(l->frontend, method) : function_of(l->frontend, method);
}

/* a + b of class types: the children are in source order, with the operator's own reference among
 * them. */
static struct ir_expr *lower_operator(struct lower *l, CXCursor cursor, CXCursor target)
{
  struct children children = children_of(l->frontend, cursor), arguments = {0};
  for (unsigned i = 0; i < children.count; i++) {
    CXCursor bare = strip_callee(l, children.items[i]);
    bool is_operator = clang_getCursorKind(bare) == CXCursor_DeclRefExpr &&
                       is_operator_name(spelling_of(l->frontend, clang_getCursorReferenced(bare)));
    if (!is_operator) *ARENA_PUSH(l->frontend->arena, &arguments) = children.items[i];
  }
  struct ir_expr *known = arguments.count == 2
                              ? lower_known_operator(l, cursor, spelling_of(l->frontend, target),
                                                     arguments.items[0], arguments.items[1])
                              : NULL;
  if (known) return known;
  if (clang_getCursorKind(target) == CXCursor_CXXMethod && arguments.count) {
    struct children own = {.items = arguments.items + 1, .count = arguments.count - 1};
    CXCursor called = clang_getCursorReferenced(strip_callee(l, arguments.items[0]));
    if (lambda_named(l, called)) return lower_lambda_call(l, cursor, target, &own);
    struct ir_expr *folded = lower_accessor(l, cursor, target, arguments.items[0], &own);
    if (folded) return folded;
  }
  bool assigns = l->strict && arguments.count == 2 && is_plain_assignment(target);
  struct ir_expr *expr =
      new_expr(l, assigns ? IR_EXPR_ASSIGN : IR_EXPR_CALL, cursor, arguments.count);
  if (assigns) {
    expr->op = IR_OP_ASSIGN;
    for (unsigned i = 0; i < 2; i++) expr->operands[i] = lower_expr(l, arguments.items[i]);
    return expr;
  }
  expr->text = spelling_of(l->frontend, target);
  expr->is_method = clang_getCursorKind(target) == CXCursor_CXXMethod;
  for (unsigned i = 0; i < arguments.count; i++)
    expr->operands[i] = lower_expr(l, arguments.items[i]);
  expr->callee = expr->is_method ? callee_of(l, target) : function_of(l->frontend, target);
  expr->is_private = expr->is_method && method_is_hidden(target);
  if (l->strict && expr->is_method)
    expr->by_value = values_of(target, arguments.count ? arguments.count - 1 : 0) << 1;
  expr->effect = effect_of(l, expr, target);
  if (expr->callee && expr->is_method)
    expr->effect = is_pure_method(l, expr, target) ? IR_EFFECT_NONE : IR_EFFECT_UNKNOWN;
  return expr;
}

static struct ir_expr *lower_method(struct lower *l, CXCursor cursor, CXCursor member,
                                    struct children *children, CXCursor target)
{
  struct ir_expr *known = lower_known_method(l, cursor, target);
  if (known) return known;
  struct children objects = children_of(l->frontend, member), arguments = {0};
  for (unsigned i = 0; i < objects.count; i++)
    if (clang_isExpression(clang_getCursorKind(objects.items[i])))
      *ARENA_PUSH(l->frontend->arena, &arguments) = objects.items[i];
  bool own = !arguments.count || is_this(l->frontend, arguments.items[0]);
  known = own ? NULL : lower_known_conversion(l, cursor, target, arguments.items[0]);
  if (known) return known;
  struct children given = {0};
  for (unsigned i = 1; i < children->count; i++)
    if (!is_default_argument(children->items[i]))
      *ARENA_PUSH(l->frontend->arena, &given) = children->items[i];
  struct ir_expr *folded =
      lower_accessor(l, cursor, target, own ? clang_getNullCursor() : arguments.items[0], &given);
  if (folded) return folded;
  struct ir_expr *object = own && l->strict ? lower_this(l) : NULL;
  if (object && !arguments.count)
    *ARENA_PUSH(l->frontend->arena, &arguments) = clang_getNullCursor();
  if (arguments.count != 1) return lower_opaque(l, cursor); /* implicit this */
  for (unsigned i = 0; i < given.count; i++)
    *ARENA_PUSH(l->frontend->arena, &arguments) = given.items[i];
  struct ir_expr *expr = new_expr(l, IR_EXPR_CALL, cursor, arguments.count);
  expr->text = method_text(l, member, target);
  expr->is_method = true;
  for (unsigned i = 0; i < arguments.count; i++)
    expr->operands[i] = !i && object ? object : lower_expr(l, arguments.items[i]);
  expr->is_arrow = expr->operands[0]->type->kind == IR_TYPE_POINTER;
  if (!clang_Cursor_isNull(target)) expr->callee = callee_of(l, target);
  expr->is_private = method_is_hidden(target);
  if (l->strict) expr->by_value = values_of(target, given.count) << 1;
  if (expr->callee)
    expr->effect = is_pure_method(l, expr, target) ? IR_EFFECT_NONE : IR_EFFECT_UNKNOWN;
  else
    expr->effect = effect_of(l, expr, target);
  return expr;
}

static struct ir_expr *call_of(struct lower *l, CXCursor cursor)
{
  if (is_launch(l->frontend, cursor)) {
    if (l->strict) lower_fail(l, cursor, "a kernel is launched from device code");
    struct launch *launch = launch_of(l->frontend, cursor);
    return lower_launch(l, cursor, launch);
  }
  CXCursor target = clang_getCursorReferenced(cursor), made = without_elided_copy(cursor);
  if (!clang_equalCursors(made, cursor)) return lower_expr(l, made);
  if (clang_getCursorKind(target) == CXCursor_Constructor) return lower_construct(l, cursor);
  struct children children = children_of(l->frontend, cursor);
  if (!children.count) return lower_opaque(l, cursor);
  const char *name = clang_Cursor_isNull(target) ? "" : spelling_of(l->frontend, target);
  bool converts = clang_getCursorKind(target) == CXCursor_ConversionFunction;
  if (is_operator_name(name) && !converts) return lower_operator(l, cursor, target);
  CXCursor callee = strip_callee(l, children.items[0]);
  if (clang_getCursorKind(callee) == CXCursor_MemberRefExpr)
    return lower_method(l, cursor, callee, &children, target);
  bool direct = clang_getCursorKind(callee) == CXCursor_DeclRefExpr &&
                (clang_getCursorKind(target) == CXCursor_FunctionDecl ||
                 clang_getCursorKind(target) == CXCursor_FunctionTemplate ||
                 clang_CXXMethod_isStatic(target));
  struct children arguments = {0};
  for (unsigned i = 1; i < children.count; i++)
    if (!is_default_argument(children.items[i]))
      *ARENA_PUSH(l->frontend->arena, &arguments) = children.items[i];
  struct ir_expr *known = direct ? lower_known_call(l, cursor, target, &arguments) : NULL;
  if (!known && direct)
    known = lower_accessor(l, cursor, target, clang_getNullCursor(), &arguments);
  if (known) return known;
  struct ir_expr *expr = new_expr(l, IR_EXPR_CALL, cursor, arguments.count);
  for (unsigned i = 0; i < arguments.count; i++)
    expr->operands[i] = lower_expr(l, arguments.items[i]);
  expr->text =
      direct ? callee_text(l, callee, target) : lowered_text(l, place_of(l->frontend, callee));
  expr->effect = IR_EFFECT_UNKNOWN;
  if (direct) {
    const char *obstacle = instance_call_obstacle(l->instance, target);
    if (obstacle) lower_fail(l, cursor, obstacle);
    expr->callee = l->strict ? instance_of(l->frontend, target) : function_of(l->frontend, target);
    if (l->strict && !expr->callee) expr->callee = known_function(l->frontend, target);
    if (clang_getCursorKind(target) == CXCursor_FunctionDecl)
      expr->by_value = values_of(target, arguments.count);
    expr->effect = effect_of(l, expr, target);
    if (expr->callee && expr->callee == l->function) l->function->calls_itself = true;
  } else {
    if (l->strict) lower_fail(l, cursor, "a function is called through a pointer");
    /* the uses in the pointer expression stay visible */
    struct ir_expr *computed = lower_expr(l, children.items[0]);
    struct ir_expr **operands =
        arena_alloc(l->frontend->arena, (arguments.count + 1) * sizeof *operands);
    if (arguments.count) memcpy(operands, expr->operands, arguments.count * sizeof *operands);
    operands[arguments.count] = computed;
    expr->operands = operands;
    expr->operand_count = arguments.count + 1;
  }
  return expr;
}

struct ir_expr *lower_call(struct lower *l, CXCursor cursor)
{
  struct ir_expr *expr = call_of(l, cursor);
  if (l->in_launch && expr->kind == IR_EXPR_CALL)
    expr->only_reads = only_reads(l->frontend, clang_getCursorReferenced(cursor));
  bool plain = expr->kind != IR_EXPR_CALL ||
               (!expr->callee && !expr->is_method &&
                (expr->effect == IR_EFFECT_NONE || expr->effect == IR_EFFECT_LOAD));
  if (l->fold && !plain) lower_fail(l, cursor, "a body calls a function that is no accessor");
  return expr;
}

struct ir_expr *lower_launch(struct lower *l, CXCursor cursor, struct launch *launch)
{
  struct children children = children_of(l->frontend, cursor);
  CXCursor config = children.items[1];
  struct children parts = children_of(l->frontend, config);
  struct ir_expr *expr = new_expr(l, IR_EXPR_LAUNCH, cursor, 0);
  expr->value = launch->id;
  struct ir_expr **slots[] = {&launch->grid, &launch->block, &launch->shared, &launch->stream};
  LIST_OF(struct ir_expr *) operands = {0};
  bool in_launch = l->in_launch;
  l->in_launch = true;
  for (unsigned i = 1; i < parts.count && i <= 4; i++) {
    if (is_default_argument(parts.items[i])) continue;
    *slots[i - 1] = lower_expr(l, parts.items[i]);
    *ARENA_PUSH(l->frontend->arena, &operands) = *slots[i - 1];
  }
  for (unsigned i = 0; i < launch->arg_count; i++) {
    launch->args[i].expr = lower_expr(l, children.items[i + 2]);
    temporaries_note(l, children.items[i + 2], &launch->args[i]);
    *ARENA_PUSH(l->frontend->arena, &operands) = launch->args[i].expr;
  }
  l->in_launch = in_launch;
  launch->host = l->in_lambda ? NULL : l->function;
  expr->operands = operands.items;
  expr->operand_count = operands.count;
  return expr;
}
