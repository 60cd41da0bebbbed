/* SPDX-License-Identifier: MIT */
/* instances.c - instances of templates of device code, as functions.
 *
 *     template <class T, int B> __global__ void scale(T *a) { ...blockIdx.x * B... }
 *     scale<float, 64><<<...>>>(p);     =>  a function `scale` with float *a, and 64 for B
 *
 * The parser has already made such a function. It is lowered like any other, with types and values
 * for the template's parameters. Its places are those of the template. Codegen's text for it comes
 * right after the template, or after the last type that it names (later.c). Text that is copied
 * from the source has the arguments in the parameters' places, so that all arguments must have
 * names that are known there.
 *
 * Gives up, with a reason: packs and templates as arguments; values other than integers; types
 * without a name, types of functions; types declared after the template where later.c finds no
 * place, and calls of functions declared after the text; dynamic shared memory.
 */
#include <string.h>

#include "translator/frontend/internal.h"

/* ---- the arguments ---- */

static bool is_parameter(CXCursor cursor)
{
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  return kind == CXCursor_TemplateTypeParameter || kind == CXCursor_NonTypeTemplateParameter ||
         kind == CXCursor_TemplateTemplateParameter;
}

static CXSourceLocation end_of(CXCursor cursor)
{
  return clang_getRangeEnd(clang_getCursorExtent(cursor));
}

static bool is_declared_before(CXCursor declaration, CXSourceLocation end)
{
  CXSourceLocation at = clang_getCursorLocation(declaration);
  CXFile file;
  clang_getFileLocation(at, &file, NULL, NULL, NULL);
  return !file || is_before(clang_Cursor_getTranslationUnit(declaration), at, end);
}

/* Does the namespace or class have a name at every level? */
static bool has_global_name(CXCursor declaration)
{
  for (CXCursor at = declaration; !clang_Cursor_isNull(at);
       at = clang_getCursorSemanticParent(at)) {
    enum CXCursorKind kind = clang_getCursorKind(at);
    if (clang_isTranslationUnit(kind) || clang_isInvalid(kind)) return true;
    if (kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
        kind == CXCursor_CXXMethod)
      return false;
    if (kind != CXCursor_Namespace && clang_Cursor_isAnonymous(at)) return false;
  }
  return true;
}

/* Can the text of another function name the type? */
static bool can_be_named(struct frontend *f, CXType type)
{
  return has_global_name(clang_getTypeDeclaration(type)) &&
         !strstr(type_spelling(f, type), "(anonymous");
}

const char *instance_type_obstacle(struct frontend *f, CXType type, CXSourceLocation end)
{
  type = clang_getCanonicalType(type);
  while (type.kind == CXType_Pointer || type.kind == CXType_LValueReference ||
         type.kind == CXType_ConstantArray)
    type =
        clang_getCanonicalType(type.kind == CXType_ConstantArray ? clang_getArrayElementType(type)
                                                                 : clang_getPointeeType(type));
  if (type.kind <= CXType_LastBuiltin && type.kind >= CXType_FirstBuiltin) return NULL;
  if (type.kind != CXType_Record && type.kind != CXType_Enum)
    return "it is a template, launched with a type that is not analysed";
  CXCursor declaration = clang_getTypeDeclaration(type),
           definition = clang_getCursorDefinition(declaration);
  if (!clang_Cursor_isNull(definition)) declaration = definition;
  CXCursor general = clang_getSpecializedCursorTemplate(declaration);
  if (!can_be_named(f, type) || strchr(spelling_of(f, declaration), '('))
    return "it is a template, launched with a type without a name";
  if (!is_declared_before(clang_Cursor_isNull(general) ? declaration : general, end))
    return "it is a template, launched with a type that is declared behind it";
  for (int i = 0; i < clang_Type_getNumTemplateArguments(type); i++) {
    CXType argument = clang_Type_getTemplateArgumentAsType(type, (unsigned)i);
    const char *obstacle =
        argument.kind == CXType_Invalid ? NULL : instance_type_obstacle(f, argument, end);
    if (obstacle) return obstacle;
  }
  return NULL;
}

static const char *value_text(struct frontend *f, CXCursor parameter, CXCursor target,
                              unsigned index)
{
  CXType type = clang_getCursorType(parameter), canonical = clang_getCanonicalType(type);
  long long value = clang_Cursor_getTemplateArgumentValue(target, index);
  unsigned long long bits = clang_Cursor_getTemplateArgumentUnsignedValue(target, index);
  switch (canonical.kind) {
  case CXType_Bool: return value ? "true" : "false";
  case CXType_Char_S:
  case CXType_SChar:
  case CXType_UChar:
  case CXType_Short:
  case CXType_UShort:
    return arena_format(f->arena, "((%s)%lld)", type_spelling(f, canonical), value);
  case CXType_Enum:
    return can_be_named(f, canonical)
               ? arena_format(f->arena, "((%s)%lld)", type_spelling(f, canonical), value)
               : NULL;
  case CXType_Int:
    return value < 0 ? arena_format(f->arena, "(%lld)", value)
                     : arena_format(f->arena, "%lld", value);
  case CXType_Long:
  case CXType_LongLong:
    return value < 0 ? arena_format(f->arena, "(%lldl)", value)
                     : arena_format(f->arena, "%lldl", value);
  case CXType_UInt: return arena_format(f->arena, "%lluu", bits);
  case CXType_ULong:
  case CXType_ULongLong: return arena_format(f->arena, "%lluul", bits);
  default: return NULL;
  }
}

static const char *add_argument(struct frontend *f, struct instance *instance, CXCursor parameter,
                                CXCursor target, unsigned index, CXSourceLocation end)
{
  struct instance_argument argument = {.name = spelling_of(f, parameter)};
  switch (clang_Cursor_getTemplateArgumentKind(target, index)) {
  case CXTemplateArgumentKind_Type: {
    CXType type = clang_Cursor_getTemplateArgumentType(target, index);
    const char *obstacle = instance_type_obstacle(f, type, end);
    if (obstacle) return obstacle;
    argument.text = type_spelling(f, clang_getCanonicalType(type));
    break;
  }
  case CXTemplateArgumentKind_Integral:
    argument.text = value_text(f, parameter, target, index);
    break;
  default: break;
  }
  if (!argument.text)
    return "it is a template with an argument that is neither a type nor an integer";
  *ARENA_PUSH(f->arena, &instance->arguments) = argument;
  return NULL;
}

const char *instance_arguments(struct frontend *f, struct instance *instance, CXCursor template,
                               CXCursor target)
{
  struct children children = children_of(f, template);
  unsigned count = 0;
  for (unsigned i = 0; i < children.count; i++) {
    if (!is_parameter(children.items[i])) continue;
    if ((int)count >= clang_Cursor_getNumTemplateArguments(target))
      return "it is a template whose arguments are not known";
    const char *obstacle =
        add_argument(f, instance, children.items[i], target, count++, instance->end);
    if (obstacle) return obstacle;
  }
  if ((int)count == clang_Cursor_getNumTemplateArguments(target)) return NULL;
  return count ? "it is a template with a parameter pack"
               : "it is a member of a class that is a template";
}

/* ---- text with the arguments in place ---- */

static const char *argument_of(const struct instance *instance, const char *word, size_t length)
{
  for (unsigned i = 0; i < instance->arguments.count; i++) {
    const struct instance_argument *argument = &instance->arguments.items[i];
    if (strlen(argument->name) == length && !strncmp(argument->name, word, length))
      return argument->text;
  }
  return NULL;
}

static bool is_member_name(const char *text, unsigned at)
{
  while (at && (text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == '\t')) at--;
  return at && (text[at - 1] == '.' ||
                (at > 1 && (!strncmp(text + at - 2, "->", 2) || !strncmp(text + at - 2, "::", 2))));
}

const char *instance_text(struct frontend *f, const struct instance *instance, const char *text)
{
  struct text out = {0};
  unsigned copied = 0;
  if (!instance) return text;
  for (unsigned at = scan_skip_space(text, 0); text[at];) {
    unsigned end = scan_skip_token(text, at);
    const char *argument = scan_is_identifier_start(text[at]) && !is_member_name(text, at)
                               ? argument_of(instance, text + at, end - at)
                               : NULL;
    if (argument) {
      text_format(&out, "%.*s%s", (int)(at - copied), text + copied, argument);
      copied = end;
    }
    at = scan_skip_space(text, end > at ? end : at + 1);
  }
  text_add(&out, text + copied);
  const char *result = arena_string(f->arena, text_string(&out));
  text_finish(&out);
  return result;
}

/* ---- the function ---- */

unsigned instance_head(const char *text, unsigned at, unsigned end)
{
  if (strncmp(text + at, "template", 8) || scan_is_identifier(text[at + 8])) return 0;
  at = scan_skip_space(text, at + 8);
  for (unsigned depth = 0; at < end;) {
    depth += text[at] == '<';
    depth -= text[at] == '>';
    at = strchr("([{", text[at]) ? scan_skip_group(text, at) : scan_skip_token(text, at);
    at = scan_skip_space(text, at);
    if (!depth) break;
  }
  return at;
}

/* Finds the text before the name, without template <...>, and the text from the name to the
 * body. */
static bool find_head(struct frontend *f, struct ir_function *function,
                      const struct instance *instance)
{
  const struct ir_place *name = &function->name_place, *body = &function->body_place;
  struct ir_place before = *name, behind = *name;
  const char *text = f->unit->files.items[name->file].text;
  unsigned at = function->place.begin;
  if (function->place.file != name->file || body->file != name->file || at > name->begin ||
      name->end > body->begin)
    return false;
  at = instance_head(text, at, name->begin);
  if (!at) return false;
  before.begin = at;
  before.end = name->begin;
  behind.begin = name->end;
  behind.end = body->begin;
  if (at > name->begin || text[scan_skip_space(text, name->end)] != '(') return false;
  function->head_before = instance_text(f, instance, text_of(f, before));
  function->head_behind = instance_text(f, instance, text_of(f, behind));
  return !strstr(function->head_before, "template") && !strstr(function->head_behind, "requires");
}

static const char *make_instance(struct frontend *f, struct ir_function *function,
                                 CXCursor template, CXCursor target)
{
  struct instance *instance = ARENA_NEW(f->arena, struct instance);
  struct later later;
  instance->end = end_of(template);
  if (later_place(f, template, target, &later)) {
    instance->end = later.end;
    function->text_place = later.at;
  }
  const char *obstacle = instance_arguments(f, instance, template, target);
  if (obstacle) return obstacle;
  cursor_map_put(f->arena, &f->instances, clang_getCanonicalCursor(target), instance);
  if (function->is_kernel && !find_head(f, function, instance))
    return "it is a template of an unusual form";
  return NULL;
}

static bool is_within(const struct ir_place *own, const struct ir_place *outer)
{
  return outer->file == own->file && outer->line && own->begin >= outer->begin &&
         own->end <= outer->end;
}

/* Has the parser made the function? It then has the place of the declaration known at its first
 * use: of the template's definition or of its first declaration. */
static bool is_implicit(struct frontend *f, CXCursor template, CXCursor definition)
{
  struct ir_place general = place_of(f, template), own = place_of(f, definition),
                  first = place_of(f, clang_getCanonicalCursor(template));
  return is_within(&own, &general) || is_within(&own, &first);
}

struct ir_function *instance_of(struct frontend *f, CXCursor target)
{
  CXCursor template = clang_getSpecializedCursorTemplate(target),
           definition = clang_getCursorDefinition(target);
  struct ir_function *general = function_of(f, target);
  if (clang_Cursor_isNull(template) || clang_Cursor_isNull(definition) || !general ||
      !general->is_template || !general->has_definition)
    return general;
  if (!(general->is_kernel || general->is_device) || general->is_method ||
      !is_implicit(f, f->bodies.items[general->id], definition))
    return general;
  CXCursor canonical = clang_getCanonicalCursor(definition);
  struct ir_function *function = cursor_map_get(&f->instance_functions, canonical);
  if (function) return function->verbatim && !function->is_kernel ? general : function;
  function = ARENA_NEW(f->arena, struct ir_function);
  *function = *general;
  cursor_map_put(f->arena, &f->instance_functions, canonical, function);
  function->id = f->unit->functions.count;
  *ARENA_PUSH(f->arena, &f->unit->functions) = function;
  *ARENA_PUSH(f->arena, &f->bodies) = definition;
  function->instance_of = general;
  function->is_template = false;
  function->result = type_of(f, clang_getResultType(clang_getCursorType(definition)));
  function->verbatim = make_instance(f, function, f->bodies.items[general->id], definition);
  return function;
}

const struct instance *instance_at(const struct frontend *f, CXCursor definition)
{
  return cursor_map_get(&f->instances, clang_getCanonicalCursor(definition));
}

const char *instance_call_obstacle(const struct instance *instance, CXCursor target)
{
  if (!instance || clang_Cursor_isNull(target) || is_system_cursor(target) ||
      is_builtin_cursor(target))
    return NULL;
  CXCursor general = clang_getSpecializedCursorTemplate(target);
  return is_declared_before(clang_Cursor_isNull(general) ? target : general, instance->end)
             ? NULL
             : "it is a template that calls what is declared behind it";
}
