/* SPDX-License-Identifier: MIT */
/* expansions.c - the cursors that are the whole of a macro's expansion.
 *
 *     #define A    table           f(A)      the variable is all of A: `A` may stand for it
 *     #define SIX  1 + 5           f(SIX)    the sum is all of SIX; the 1 is not, though the parser
 *                                            gives it the same range
 *     #define GET  read(table, 8)  GET;      the call is all of GET; its argument is not
 *     #define TWO  table, 8        f(TWO)    neither argument is all of TWO
 *
 * The parser gives every token of a macro's body the place of the expansion, so that a text edit of
 * such a range would cover the whole expansion. A range that begins and ends with an expansion
 * belongs to the one largest cursor with this range, and to the cursors that the parser puts into
 * it without a token of their own (implicit conversions). Where the expansion holds several such
 * cursors, or ends with a token that belongs to none (`#define X table,`), there is no such cursor.
 *
 * Requires: the macro uses and their edges. Produces: struct macro_span in the edges. */
#include <string.h>

#include "translator/frontend/internal.h"

/* ---- the last token of an expansion ---- */

struct last_token { /* the last token of a macro's body */
  const char *text;
  unsigned begin, end; /* of the token; begin == end: the body is empty */
  unsigned name;       /* of f in a body that ends with f(...) or is f; UINT32_MAX: none */
  bool balanced;
};

static struct last_token last_token(const char *text)
{
  struct last_token last = {.text = text, .name = UINT32_MAX, .balanced = true};
  unsigned depth = 0, open_name = UINT32_MAX;
  for (unsigned at = scan_skip_space(text, 0); text[at];) {
    unsigned end = scan_skip_token(text, at);
    bool name = scan_is_identifier_start(text[at]);
    if (text[at] == '(' && !depth++) open_name = last.name;
    if (strchr("[{", text[at])) depth++;
    if (strchr(")]}", text[at]) && !depth--) last.balanced = false, depth = 0;
    last.begin = at, last.end = end;
    last.name = name ? at : text[at] == ')' && !depth ? open_name : UINT32_MAX;
    at = scan_skip_space(text, end);
  }
  last.balanced &= !depth;
  return last;
}

static bool is_operand_end(const struct last_token *last)
{
  char c = last->text[last->begin];
  bool twice = last->begin && last->text[last->begin - 1] == c;
  return scan_is_identifier(c) || strchr("\"')]};", c) || ((c == '+' || c == '-') && twice);
}

static const char *definition_body(struct frontend *f, CXCursor definition)
{
  struct macro macro;
  return macro_of(f, definition, &macro) ? macro.body : NULL;
}

/* The use of the macro `name` inside the use, with the same range. */
static const struct macro_use *nested_use(struct frontend *f, const struct macro_use *use,
                                          const char *name, size_t length)
{
  const struct macro_use *end = f->macros.items + f->macros.count;
  for (const struct macro_use *other = use + 1; other < end && other->begin == use->begin;
       other++) {
    const char *spelling =
        other->file == use->file && other->end == use->end ? spelling_of(f, other->definition) : "";
    if (strlen(spelling) == length && !strncmp(spelling, name, length)) return other;
  }
  return NULL;
}

/* Can the last token of the expansion end an expression or a statement, and do its brackets
 * match? */
static bool ends_with_operand(struct frontend *f, const struct macro_use *use)
{
  for (unsigned depth = 0; use && depth < 64; depth++) {
    const char *body = definition_body(f, use->definition);
    if (!body) return true; /* of a system header: well made */
    struct last_token last = last_token(body);
    if (last.begin == last.end || !last.balanced || !is_operand_end(&last)) return false;
    unsigned at = last.name;
    use = at == UINT32_MAX ? NULL : nested_use(f, use, body + at, scan_skip_token(body, at) - at);
  }
  return !use;
}

/* ---- the cursors ---- */

struct file_range {
  int file; /* -1: not a file of the unit */
  unsigned begin, end;
};

static struct file_range range_of(struct frontend *f, CXCursor cursor)
{
  CXSourceRange range = clang_getCursorExtent(cursor);
  CXFile file, end_file;
  struct file_range place;
  clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &place.begin);
  clang_getFileLocation(clang_getRangeEnd(range), &end_file, NULL, NULL, &place.end);
  place.file = source_file_index(f, file);
  if (!clang_File_isEqual(file, end_file) || place.end < place.begin) place.end = place.begin;
  return place;
}

static bool is_same_range(struct file_range a, struct file_range b)
{
  return a.file == b.file && a.begin == b.begin && a.end == b.end;
}

static bool has_same_start(CXCursor a, CXCursor b)
{
  CXFile a_file, b_file;
  unsigned a_at, b_at;
  clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(a)), &a_file, NULL, NULL,
                            &a_at);
  clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(b)), &b_file, NULL, NULL,
                            &b_at);
  return a_at == b_at && clang_File_isEqual(a_file, b_file);
}

static struct macro_edges *edges_of(struct frontend *f, int file)
{
  bool known = file >= 0 && (unsigned)file < f->edges.count && f->edges.items[file].end_at;
  return known ? &f->edges.items[file] : NULL;
}

static struct macro_span *span_at(struct frontend *f, struct macro_edges *edges, unsigned begin)
{
  if (edges->spans[begin]) return edges->spans[begin];
  struct macro_span *span = edges->spans[begin] = ARENA_NEW(f->arena, struct macro_span);
  span->is_broken = !ends_with_operand(f, &f->macros.items[edges->use_at[begin] - 1]);
  return span;
}

/* Do the cursors have one node? The way to a statement or an expression does not matter. */
static bool is_same_node(CXCursor a, CXCursor b)
{
  if (clang_isDeclaration(clang_getCursorKind(a))) return clang_equalCursors(a, b);
  return clang_getCursorKind(a) == clang_getCursorKind(b) && a.data[1] == b.data[1];
}

static bool is_in_span(const struct macro_span *span, CXCursor cursor)
{
  for (unsigned i = 0; i < span->cursors.count; i++)
    if (is_same_node(span->cursors.items[i], cursor)) return true;
  return false;
}

static void note_cursor(struct frontend *f, struct file_range range, CXCursor cursor,
                        CXCursor parent)
{
  struct macro_span *span = span_at(f, edges_of(f, range.file), range.begin);
  if (is_in_span(span, cursor)) return;
  bool largest = !is_same_range(range, range_of(f, parent));
  bool implicit = clang_getCursorKind(parent) == CXCursor_UnexposedExpr &&
                  is_in_span(span, parent) && has_same_start(cursor, parent);
  if (largest && span->cursors.count) span->is_broken = true;
  if (largest || implicit) *ARENA_PUSH(f->arena, &span->cursors) = cursor;
}

static enum CXChildVisitResult visit_cursor(CXCursor cursor, CXCursor parent, CXClientData data)
{
  struct frontend *f = data;
  struct file_range range = range_of(f, cursor);
  if (clang_isPreprocessing(clang_getCursorKind(cursor))) return CXChildVisit_Continue;
  if (range.file < 0)
    return clang_isTranslationUnit(clang_getCursorKind(parent)) ? CXChildVisit_Continue
                                                                : CXChildVisit_Recurse;
  const struct macro_edges *edges = edges_of(f, range.file);
  if (!edges || range.end == range.begin) return CXChildVisit_Recurse;
  if (edges->end_at[range.begin] == range.end) note_cursor(f, range, cursor, parent);
  bool has_uses = edges->uses_before[range.end] > edges->uses_before[range.begin];
  return has_uses ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* Indexes the uses by their begins, and counts those that begin before each byte. */
static void index_uses(struct frontend *f, struct macro_edges *edges, unsigned file)
{
  size_t size = f->unit->files.items[file].length + 2;
  edges->use_at = arena_alloc(f->arena, size * sizeof *edges->use_at);
  edges->uses_before = arena_alloc(f->arena, size * sizeof *edges->uses_before);
  edges->spans = arena_alloc(f->arena, size * sizeof *edges->spans);
  for (unsigned i = 0; i < f->macros.count; i++) {
    const struct macro_use *use = &f->macros.items[i];
    if (use->file != file || use->end >= size) continue;
    edges->uses_before[use->begin + 1]++;
    unsigned known = edges->use_at[use->begin];
    if (!known || f->macros.items[known - 1].end < use->end) edges->use_at[use->begin] = i + 1;
  }
  for (size_t at = 1; at < size; at++) edges->uses_before[at] += edges->uses_before[at - 1];
}

void expansions_find(struct frontend *f)
{
  bool any = false;
  for (unsigned i = 0; i < f->edges.count; i++)
    if (f->edges.items[i].end_at) index_uses(f, &f->edges.items[i], i), any = true;
  if (any) visit_unit(f, visit_cursor, f);
}

static bool is_leaf(enum CXCursorKind kind)
{
  return kind == CXCursor_DeclRefExpr || kind == CXCursor_IntegerLiteral ||
         kind == CXCursor_FloatingLiteral || kind == CXCursor_StringLiteral ||
         kind == CXCursor_CharacterLiteral || kind == CXCursor_CXXBoolLiteralExpr;
}

/* An instance of a template has cursors of its own: leaves are then recognised by their kind, of
 * which a span has one. */
bool expansion_is(struct frontend *f, unsigned file, unsigned begin, CXCursor cursor)
{
  const struct macro_edges *edges = edges_of(f, (int)file);
  const struct macro_span *span = edges && edges->spans ? edges->spans[begin] : NULL;
  if (!span || span->is_broken) return false;
  if (is_in_span(span, cursor)) return true;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  for (unsigned i = 0; is_leaf(kind) && i < span->cursors.count; i++)
    if (clang_getCursorKind(span->cursors.items[i]) == kind) return true;
  return false;
}
