/* SPDX-License-Identifier: MIT */
/* type_names.c - types as the unit may write them.
 *
 *     namespace { struct domain { int n; }; }     (anonymous namespace)::domain  =>  domain
 *     namespace lib { namespace { struct cell; } }  lib::(anonymous namespace)::cell  =>  lib::cell
 *
 * Clang names the namespace without a name in a type's spelling, and no compiler takes that. What
 * is declared there is found without it. Gives up (the spelling keeps the parenthesis, and the type
 * counts as unnamed) where the unit has the name inside such a namespace and outside of one: the
 * shorter spelling might then mean the other.
 */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

#define NAMELESS "(anonymous namespace)::"

static enum CXChildVisitResult note_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
  struct frontend *f = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  const char *name = clang_isDeclaration(kind) ? spelling_of(f, cursor) : "";
  bool inside =
      clang_getCursorKind(parent) == CXCursor_Namespace && clang_Cursor_isAnonymous(parent);

  if (*name && *name != '(') name_map_put(f->arena, &f->names.declared[inside], name, f);
  return kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ? CXChildVisit_Recurse
                                                                    : CXChildVisit_Continue;
}

/* Is the name at the text declared inside a namespace without a name only? */
static bool is_told_by_name(struct frontend *f, const char *text)
{
  size_t length = 0;
  while (scan_is_identifier(text[length])) length++;
  const char *name = arena_copy(f->arena, text, length);
  if (!f->names.known) visit_unit(f, note_name, f);
  f->names.known = true;
  return name_map_has(&f->names.declared[true], name) &&
         (!name_map_has(&f->names.declared[false], name) || SEEDED(NAMELESS_TWICE));
}

const char *type_spelling(struct frontend *f, CXType type)
{
  const char *from = string_of(f, clang_getTypeSpelling(type));
  const size_t length = strlen(NAMELESS);
  if (!strstr(from, NAMELESS)) return from;
  char *spelling = arena_copy(f->arena, from, strlen(from)), *to = spelling;
  while (*from) {
    bool skips = !strncmp(from, NAMELESS, length) && is_told_by_name(f, from + length);
    if (skips)
      from += length;
    else
      *to++ = *from++;
  }
  *to = '\0';
  return spelling;
}
