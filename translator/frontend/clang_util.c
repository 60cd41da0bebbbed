/* SPDX-License-Identifier: MIT */
/* clang_util.c - small queries of libclang. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

const char *string_of(struct frontend *f, CXString string)
{
  const char *text = clang_getCString(string);
  const char *copy = arena_string(f->arena, text ? text : "");
  clang_disposeString(string);
  return copy;
}

const char *spelling_of(struct frontend *f, CXCursor cursor)
{
  return string_of(f, clang_getCursorSpelling(cursor));
}

struct gather {
  struct arena *arena;
  struct children list;
};

static enum CXChildVisitResult take_only_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  CXCursor *only = data;
  bool first = clang_Cursor_isNull(*only);
  *only = first ? cursor : clang_getNullCursor();
  return first ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* libclang names no constructor for a copy that need not be made. A call that names nothing either
 * has its callee for a child, which is of no class. */
CXCursor without_elided_copy(CXCursor cursor)
{
  if (clang_getCursorKind(cursor) != CXCursor_CallExpr || SEEDED(ELIDED_COPY_KEPT) ||
      !clang_Cursor_isNull(clang_getCursorReferenced(cursor)))
    return cursor;
  CXType made = clang_getCanonicalType(clang_getCursorType(cursor));
  if (made.kind != CXType_Record) return cursor;
  CXCursor only = clang_getNullCursor();
  clang_visitChildren(cursor, take_only_child, &only);
  if (clang_Cursor_isNull(only)) return cursor;
  CXType type = clang_getCanonicalType(clang_getCursorType(only));
  bool same = clang_equalTypes(clang_getUnqualifiedType(type), clang_getUnqualifiedType(made));
  return same ? without_elided_copy(only) : cursor;
}

static enum CXChildVisitResult gather_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
  (void)parent;
  struct gather *gather = data;
  *ARENA_PUSH(gather->arena, &gather->list) = without_elided_copy(cursor);
  return CXChildVisit_Continue;
}

struct children children_of(struct frontend *f, CXCursor cursor)
{
  struct gather gather = {.arena = f->arena};
  clang_visitChildren(cursor, gather_child, &gather);
  return gather.list;
}

struct unit_visit {
  struct frontend *frontend;
  CXCursorVisitor visitor;
  void *data;
};

/* Is the cursor an instance of a template, which no text has? With the index's option to leave out
 * the precompiled header, libclang visits those, too. */
static bool is_made(CXCursor cursor, CXCursor parent)
{
  if (clang_isPreprocessing(clang_getCursorKind(cursor))) return false;
  if (!clang_equalCursors(clang_getCursorLexicalParent(cursor), parent)) return true;
  CXCursor template = clang_getSpecializedCursorTemplate(cursor);
  return !clang_Cursor_isNull(template) &&
         clang_equalLocations(clang_getCursorLocation(template), clang_getCursorLocation(cursor));
}

static enum CXChildVisitResult visit_own(CXCursor cursor, CXCursor parent, CXClientData data)
{
  struct unit_visit *visit = data;
  if (clang_isTranslationUnit(clang_getCursorKind(parent)) && is_made(cursor, parent))
    return CXChildVisit_Continue;
  return visit->visitor(cursor, parent, visit->data);
}

void visit_unit(struct frontend *f, CXCursorVisitor visitor, void *data)
{
  struct unit_visit visit = {f, visitor, data};
  clang_visitChildren(clang_getTranslationUnitCursor(f->tu), visit_own, &visit);
}

struct scope_names {
  LIST_OF(const char *) names; /* the innermost first */
  size_t length;               /* of all, with the text between them */
};

static const char *join_scopes(struct frontend *f, const struct scope_names *scopes)
{
  char *text = arena_alloc(f->arena, scopes->length + 1), *at = text;
  for (unsigned i = scopes->names.count; i-- > 0;)
    at = stpcpy(stpcpy(at, scopes->names.items[i]), "::");
  return text;
}

const char *scope_of(struct frontend *f, CXCursor cursor, bool *ret_anonymous)
{
  struct scope_names scopes = {.length = 0};
  if (ret_anonymous) *ret_anonymous = false;
  for (CXCursor at = clang_getCursorSemanticParent(cursor); !clang_Cursor_isNull(at);
       at = clang_getCursorSemanticParent(at)) {
    enum CXCursorKind kind = clang_getCursorKind(at);
    if (clang_isTranslationUnit(kind) || clang_isInvalid(kind)) break;
    if (kind == CXCursor_LinkageSpec) continue;
    if (clang_Cursor_isAnonymous(at)) {
      if (ret_anonymous) *ret_anonymous = true;
      continue;
    }
    const char *name = spelling_of(f, at);
    if (!*name || !(kind == CXCursor_Namespace || clang_isDeclaration(kind))) continue;
    *ARENA_PUSH(f->arena, &scopes.names) = name;
    scopes.length += strlen(name) + strlen("::");
  }
  return join_scopes(f, &scopes);
}

const char *qualified_name(struct frontend *f, CXCursor cursor)
{
  return arena_format(f->arena, "%s%s", scope_of(f, cursor, NULL), spelling_of(f, cursor));
}

bool is_system_cursor(CXCursor cursor)
{
  return clang_Location_isInSystemHeader(clang_getCursorLocation(cursor));
}

/* Clang declares its builtins (__syncthreads with a toolkit) at their first use: the declaration is
 * only the name. */
bool is_builtin_cursor(CXCursor cursor)
{
  if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl) return false;
  CXFile name_file, first_file;
  unsigned name, first;
  clang_getSpellingLocation(clang_getCursorLocation(cursor), &name_file, NULL, NULL, &name);
  clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &first_file, NULL,
                            NULL, &first);
  return name_file == first_file && name == first;
}

bool has_attribute(struct frontend *f, CXCursor cursor, enum CXCursorKind kind)
{
  struct children children = children_of(f, cursor);
  for (unsigned i = 0; i < children.count; i++)
    if (clang_getCursorKind(children.items[i]) == kind) return true;
  return false;
}

bool has_mesi_global(struct frontend *f, CXCursor cursor)
{
  struct children children = children_of(f, cursor);
  for (unsigned i = 0; i < children.count; i++)
    if (clang_getCursorKind(children.items[i]) == CXCursor_AnnotateAttr &&
        !strcmp(spelling_of(f, children.items[i]), "mesi.global"))
      return true;
  return false;
}
