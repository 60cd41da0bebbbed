/* SPDX-License-Identifier: MIT */
/* source.c - the files of a unit: text, places, includes, macro uses, identifiers. */
#include <string.h>

#include "translator/base/file.h"
#include "runtime/seeded.h"
#include "translator/base/scan.h"
#include "translator/frontend/internal.h"

int source_file_index(struct frontend *f, CXFile file)
{
  if (!file) return -1;
  for (unsigned i = 0; i < f->clang_files.count; i++)
    if (clang_File_isEqual(f->clang_files.items[i], file)) return (int)i;
  return -1;
}

/* Does the range begin or end with a token of a macro body, although the cursor is not exactly one
 * whole expansion? */
static bool is_macro_edge(struct frontend *f, CXCursor cursor, unsigned file, unsigned begin,
                          unsigned end)
{
  if (file >= f->edges.count || !f->edges.items[file].end_at) return false;
  const struct macro_edges *edges = &f->edges.items[file];
  if (edges->end_at[begin] == end)
    return !SEEDED(EXPANSION_WIDENED) && !expansion_is(f, file, begin, cursor);
  return edges->end_at[begin] || edges->is_end[end];
}

/* Outermost expansions come first, so that the first use at an offset is kept. */
static void note_edge(struct frontend *f, const struct macro_use *use)
{
  while (f->edges.count <= use->file) ARENA_PUSH(f->arena, &f->edges);
  struct macro_edges *edges = &f->edges.items[use->file];
  size_t size = f->unit->files.items[use->file].length + 2;
  if (!edges->end_at) {
    edges->end_at = arena_alloc(f->arena, size * sizeof *edges->end_at);
    edges->is_end = arena_alloc(f->arena, size);
    edges->inside = arena_alloc(f->arena, size * sizeof *edges->inside);
    edges->in_use = arena_alloc(f->arena, size);
  }
  if (use->end >= size) return;
  if (edges->end_at[use->begin] < use->end) edges->end_at[use->begin] = use->end;
  edges->is_end[use->end] = 1;
  if (edges->inside[use->begin + 1] == use->end) return;
  for (unsigned at = use->begin + 1; at < use->end; at++) edges->inside[at] = use->end;
  bool by_user = !clang_Cursor_isNull(use->definition) && !is_system_cursor(use->definition);
  if (by_user) memset(edges->in_use + use->begin + 1, 1, use->end - use->begin - 1);
}

/* SET(n); with a body `x = 4`: the statement begins in an argument inside the expansion, and ends
 * outside of it. */
static bool leaves_macro(struct frontend *f, unsigned file, unsigned begin, unsigned end)
{
  if (file >= f->edges.count || !f->edges.items[file].end_at) return false;
  unsigned around = f->edges.items[file].inside[begin];
  return around && around <= end;
}

/* phys::FIRST(a) with a body `A[0]`: the name begins before the use and ends in its argument. */
static bool ends_in_macro(struct frontend *f, unsigned file, unsigned begin, unsigned end)
{
  if (file >= f->edges.count || !f->edges.items[file].end_at) return false;
  unsigned around = f->edges.items[file].inside[end];
  return around && around != f->edges.items[file].inside[begin];
}

static bool is_in_use(struct frontend *f, unsigned file, unsigned begin)
{
  return file < f->edges.count && f->edges.items[file].in_use && f->edges.items[file].in_use[begin];
}

struct ir_place place_of(struct frontend *f, CXCursor cursor)
{
  struct ir_place place = {0};
  CXSourceRange range = clang_getCursorExtent(cursor);
  CXFile file, end_file;
  clang_getFileLocation(clang_getRangeStart(range), &file, &place.line, &place.column,
                        &place.begin);
  clang_getFileLocation(clang_getRangeEnd(range), &end_file, NULL, NULL, &place.end);
  int index = source_file_index(f, file);
  if (index < 0) return (struct ir_place){.in_macro = true};
  place.file = (unsigned)index;
  if (!clang_File_isEqual(file, end_file) || place.end < place.begin) {
    place.end = place.begin;
    place.in_macro = true;
    return place;
  }
  bool leaves = leaves_macro(f, place.file, place.begin, place.end);
  place.in_macro = leaves || ends_in_macro(f, place.file, place.begin, place.end) ||
                   is_macro_edge(f, cursor, place.file, place.begin, place.end);
  place.in_argument = is_in_use(f, place.file, place.begin);
  place.begins_in_macro =
      leaves || (place.in_macro && f->edges.items[place.file].end_at[place.begin]);
  return place;
}

bool is_widened(struct frontend *f, CXCursor cursor, struct ir_place place)
{
  if (!place.in_macro || place.file >= f->edges.count || !f->edges.items[place.file].end_at)
    return place.in_macro;
  bool exact = f->edges.items[place.file].end_at[place.begin] == place.end;
  return (exact && !expansion_is(f, place.file, place.begin, cursor)) ||
         leaves_macro(f, place.file, place.begin, place.end);
}

struct ir_place place_of_location(struct frontend *f, CXSourceLocation location)
{
  struct ir_place place = {0};
  CXFile file;
  clang_getFileLocation(location, &file, &place.line, &place.column, &place.begin);
  place.end = place.begin;
  int index = source_file_index(f, file);
  if (index < 0) return (struct ir_place){.in_macro = true};
  place.file = (unsigned)index;
  return place;
}

const char *text_at(struct frontend *f, struct ir_place place)
{
  const struct unit_file *file = &f->unit->files.items[place.file];
  return file->text + (place.begin <= file->length ? place.begin : file->length);
}

const char *text_of(struct frontend *f, struct ir_place place)
{
  const struct unit_file *file = &f->unit->files.items[place.file];
  if (place.end > file->length || place.end < place.begin) return "";
  return arena_copy(f->arena, file->text + place.begin, place.end - place.begin);
}

bool starts_with_at(struct frontend *f, struct ir_place place, const char *word)
{
  return !strncmp(text_at(f, place), word, strlen(word));
}

struct diag_place diag_place_of(struct frontend *f, struct ir_place place)
{
  if (place.file >= f->unit->files.count) return (struct diag_place){.file = f->unit->input};
  const struct unit_file *file = &f->unit->files.items[place.file];
  return (struct diag_place){file->path, place.line, place.column, file->text};
}

/* ---- includes ---- */

static void add_file(struct frontend *f, CXFile file, bool is_main)
{
  size_t length = 0;
  const char *text = clang_getFileContents(f->tu, file, &length);
  struct unit_file *added = ARENA_PUSH(f->arena, &f->unit->files);
  *ARENA_PUSH(f->arena, &f->clang_files) = file;
  added->path = is_main ? f->unit->input : string_of(f, clang_getFileName(file));
  const struct arch_file *view = arch_view_of(f, string_of(f, clang_getFileName(file)));
  added->text = view ? view->text : arena_copy(f->arena, text ? text : "", length);
  added->length = length;
  added->is_main = is_main;
  added->included_from = -1;
  added->has_pragma_once = strstr(added->text, "#pragma once") != NULL;
  for (unsigned i = 0; i < f->rewritten.count; i++)
    added->is_rewritten |= !strcmp(f->rewritten.items[i].path, added->path);
}

static bool is_user_include(CXSourceLocation location)
{
  return !clang_Location_isInSystemHeader(location);
}

/* The line of the directive with the file name that ends at `at`: from # to before the newline. */
static void directive_range(const char *text, unsigned at, unsigned *ret_begin, unsigned *ret_end)
{
  unsigned begin = at, end = at;
  while (begin > scan_mark(text) && text[begin - 1] != '\n') begin--;
  while (text[end] && text[end] != '\n') end++;
  *ret_begin = begin;
  *ret_end = end;
}

static void visit_inclusion(CXFile included, CXSourceLocation *stack, unsigned depth,
                            CXClientData data)
{
  struct frontend *f = data;
  if (!depth || !included) return;
  bool user_chain = true;
  for (unsigned i = 0; i < depth; i++) user_chain &= is_user_include(stack[i]);
  CXFile includer;
  unsigned offset;
  clang_getFileLocation(stack[0], &includer, NULL, NULL, &offset);
  int from = source_file_index(f, includer);
  if (from < 0 || !user_chain) return;
  const char *name = string_of(f, clang_getFileName(included));
  CXSourceLocation start = clang_getLocationForOffset(f->tu, included, 0); /* slow */
  bool system = clang_Location_isInSystemHeader(start) || !is_user_include(stack[0]);
  if (system) {
    *ARENA_PUSH(f->arena, &f->unit->system_dependencies) = name;
    return;
  }
  if (source_file_index(f, included) >= 0) return;
  *ARENA_PUSH(f->arena, &f->unit->dependencies) = name;
  add_file(f, included, false);
  struct unit_file *file = &f->unit->files.items[f->unit->files.count - 1];
  file->included_from = from;
  directive_range(f->unit->files.items[from].text, offset, &file->include_begin,
                  &file->include_end);
}

/* ---- macro uses ---- */

static enum CXChildVisitResult visit_preprocessing(CXCursor cursor, CXCursor parent,
                                                   CXClientData data)
{
  (void)parent;
  struct frontend *f = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind != CXCursor_MacroExpansion) return CXChildVisit_Continue;
  CXSourceRange range = clang_getCursorExtent(cursor);
  CXFile file, end_file;
  unsigned begin, end;
  clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &begin);
  clang_getFileLocation(clang_getRangeEnd(range), &end_file, NULL, NULL, &end);
  int index = source_file_index(f, file);
  if (index < 0 || end <= begin) return CXChildVisit_Continue;
  struct macro_use *use = ARENA_PUSH(f->arena, &f->macros);
  *use = (struct macro_use){(unsigned)index, begin, end, clang_getCursorReferenced(cursor)};
  note_edge(f, use);
  return CXChildVisit_Continue;
}

/* ---- identifiers ---- */

static void collect_identifiers(struct frontend *f, const struct unit_file *file)
{
  bool defines = false;
  for (unsigned at = scan_skip_space(file->text, 0); at < file->length;) {
    unsigned end = scan_skip_token(file->text, at);
    const char *name = scan_is_identifier_start(file->text[at])
                           ? arena_copy(f->arena, file->text + at, end - at)
                           : NULL;
    if (name) name_map_put(f->arena, &f->unit->identifiers, name, NULL);
    if (name && defines) name_map_put(f->arena, &f->unit->macros, name, NULL);
    defines = name && !strcmp(name, "define");
    at = scan_skip_space(file->text, end > at ? end : at + 1);
  }
}

int source_collect(struct frontend *f)
{
  CXFile main_file = clang_getFile(f->tu, string_of(f, clang_getTranslationUnitSpelling(f->tu)));
  if (!main_file) {
    diag_report(f->diag, DIAG_INTERNAL, NULL, "the main file is not in the translation unit");
    return -1;
  }
  add_file(f, main_file, true);
  clang_getInclusions(f->tu, visit_inclusion, f);
  clang_visitChildren(clang_getTranslationUnitCursor(f->tu), visit_preprocessing, f);
  expansions_find(f);
  for (unsigned i = 0; i < f->unit->files.count; i++)
    collect_identifiers(f, &f->unit->files.items[i]);
  return 0;
}
