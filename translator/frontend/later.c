/* SPDX-License-Identifier: MIT */
/* later.c - the place of text for an instance whose types are declared behind the template.
 *
 *     template <class Op> __global__ void apply(float *p, Op op) { ... }
 *     struct plus { __device__ float operator()(float a, float b) const; };
 *                                                  <- text for apply<plus>
 *     apply<<<g, b>>>(p, plus());
 *
 * The text stands behind the last of these types, at namespace scope: behind the namespace around
 * it. It must mean the same there. So the template is in no namespace, and no declaration and no
 * macro in between has a name that the template's text uses. Gives up: other directives in between,
 * operators declared in between, a launch between the type and the place.
 */
#include <string.h>

#include "translator/frontend/internal.h"
#include "runtime/seeded.h"

struct later_search {
  struct frontend *f;
  CXCursor template;
  CXCursor last; /* the declaration at the top behind which the text stands; null: none so far */
  CXSourceLocation from, to;
  const char *text; /* of the template */
  bool failed;
};

static CXSourceLocation end_of(CXCursor cursor)
{
  return clang_getRangeEnd(clang_getCursorExtent(cursor));
}

/* ---- the last type ---- */

static CXCursor at_top(CXCursor declaration)
{
  CXCursor top = declaration, parent = clang_getCursorSemanticParent(top);

  while (!clang_Cursor_isNull(parent) && !clang_isTranslationUnit(clang_getCursorKind(parent)) &&
         !clang_isInvalid(clang_getCursorKind(parent))) {
    top = parent;
    parent = clang_getCursorSemanticParent(top);
  }
  return top;
}

static CXType bare_type(CXType type)
{
  type = clang_getCanonicalType(type);
  while (type.kind == CXType_Pointer || type.kind == CXType_LValueReference ||
         type.kind == CXType_ConstantArray)
    type =
        clang_getCanonicalType(type.kind == CXType_ConstantArray ? clang_getArrayElementType(type)
                                                                 : clang_getPointeeType(type));
  return type;
}

/* A namespace has one cursor for each of its parts: the part around the declaration. */
static CXCursor part_around(CXCursor declaration)
{
  CXCursor part = declaration, parent = clang_getCursorLexicalParent(part);

  while (!clang_Cursor_isNull(parent) && !clang_isTranslationUnit(clang_getCursorKind(parent)) &&
         !clang_isInvalid(clang_getCursorKind(parent))) {
    part = parent;
    parent = clang_getCursorLexicalParent(part);
  }
  return part;
}

static void note_type(struct later_search *s, CXType type, unsigned depth)
{
  type = bare_type(type);
  if ((type.kind != CXType_Record && type.kind != CXType_Enum) || depth > 4) return;
  CXCursor declaration = clang_getTypeDeclaration(type),
           definition = clang_getCursorDefinition(declaration),
           general = clang_getSpecializedCursorTemplate(
               clang_Cursor_isNull(definition) ? declaration : definition);
  if (!clang_Cursor_isNull(definition)) declaration = definition;
  if (!clang_Cursor_isNull(general)) declaration = general;
  CXTranslationUnit unit = clang_Cursor_getTranslationUnit(s->template);
  CXCursor top = part_around(declaration);
  if (!is_before(unit, clang_getCursorLocation(declaration), end_of(s->template)) &&
      (clang_Cursor_isNull(s->last) || is_before(unit, end_of(s->last), end_of(top))))
    s->last = top;
  for (int i = 0; i < clang_Type_getNumTemplateArguments(type); i++) {
    CXType argument = clang_Type_getTemplateArgumentAsType(type, (unsigned)i);
    if (argument.kind != CXType_Invalid) note_type(s, argument, depth + 1);
  }
}

/* ---- what is declared in between ---- */

static bool uses_word(const char *text, const char *word)
{
  size_t length = strlen(word);

  for (const char *at = length ? strstr(text, word) : NULL; at; at = strstr(at + 1, word))
    if ((at == text || !scan_is_identifier(at[-1])) && !scan_is_identifier(at[length])) return true;
  return false;
}

static enum CXChildVisitResult note_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct later_search *s = data;
  CXTranslationUnit unit = clang_Cursor_getTranslationUnit(s->template);
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  bool holds = kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
               kind == CXCursor_UnexposedDecl || kind == CXCursor_EnumDecl;
  const char *name = spelling_of(s->f, cursor);

  if (!is_before(unit, s->from, clang_getCursorLocation(cursor)) ||
      !is_before(unit, clang_getCursorLocation(cursor), s->to))
    return CXChildVisit_Continue;
  bool function = kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate,
       method = kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
                kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction,
       own = !strcmp(name, spelling_of(s->f, s->template)); /* perhaps a specialisation of it */
  s->failed |= kind == CXCursor_UsingDirective || kind == CXCursor_UsingDeclaration ||
               (function && !strncmp(name, "operator", 8)) ||
               (!method && !own && uses_word(s->text, name));
  return holds ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* Has the text no directives but #define and #undef of names that the template does not use, and
 * #pragma? */
static bool directives_are_harmless(const struct later_search *s, const char *text, unsigned at,
                                    unsigned end)
{
  while (at < end) {
    unsigned next = scan_skip_space(text, at);
    if (next >= end) return true;
    if (text[next] == '#') {
      const char *word = text + next + 1 + strspn(text + next + 1, " \t");
      bool macro = !strncmp(word, "define", 6) || !strncmp(word, "undef", 5);
      if (!macro && strncmp(word, "pragma", 6)) return false;
      const char *name = word + strcspn(word, " \t\n");
      name += strspn(name, " \t");
      size_t length = 0;
      while (scan_is_identifier(name[length])) length++;
      if (macro && uses_word(s->text, arena_copy(s->f->arena, name, length))) return false;
      while (next < end && text[next] != '\n') next += text[next] == '\\' ? 2 : 1;
      at = next;
      continue;
    }
    at = scan_skip_token(text, next);
    if (at <= next) at = next + 1;
  }
  return true;
}

/* ---- the place ---- */

static bool find_place(struct later_search *s, struct ir_place *ret)
{
  struct frontend *f = s->f;
  struct ir_place own = place_of(f, s->template), last = place_of(f, s->last);

  const char *text = f->unit->files.items[last.file].text;
  unsigned end = last.end;
  if (own.file != last.file || last.begin < own.end || !own.end || text[own.end - 1] != '}' ||
      text[end - 1] != '}')
    return false;
  if (clang_getCursorKind(s->last) != CXCursor_Namespace) {
    end = scan_skip_space(text, end);
    if (text[end++] != ';') return false;
  }
  const char *between = arena_copy(f->arena, text + last.begin, end - last.begin);
  if (strstr(between, "<<<") || !directives_are_harmless(s, text, own.end, end)) return false;
  *ret = last;
  ret->begin = ret->end = end;
  return true;
}

bool later_place(struct frontend *f, CXCursor template, CXCursor target, struct later *ret)
{
  struct later_search s = {.f = f, .template = template, .last = clang_getNullCursor()};

  for (int i = 0; i < clang_Cursor_getNumTemplateArguments(target); i++)
    if (clang_Cursor_getTemplateArgumentKind(target, (unsigned)i) == CXTemplateArgumentKind_Type)
      note_type(&s, clang_Cursor_getTemplateArgumentType(target, (unsigned)i), 0);
  if (clang_Cursor_isNull(s.last) ||
      !clang_isTranslationUnit(clang_getCursorKind(clang_getCursorSemanticParent(template))) ||
      !clang_equalCursors(at_top(template), template))
    return false;
  s.text = text_of(f, place_of(f, template));
  s.from = end_of(template);
  s.to = end_of(s.last);
  if (!SEEDED(LATER_NAMES))
    clang_visitChildren(clang_getTranslationUnitCursor(clang_Cursor_getTranslationUnit(template)),
                        note_name, &s);
  ret->end = s.to;
  return !s.failed && find_place(&s, &ret->at);
}
