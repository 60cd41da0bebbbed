/* SPDX-License-Identifier: MIT */
/* arch_view.c - gives the parser the device's view of code for the device alone.
 *
 *     __device__ float f(const float *p) {
 *     #if __CUDA_ARCH__ >= 350                =>   #if 1
 *       return __ldg(p);                             return __ldg(p);
 *     #else                                        #else
 *
 * The parser sees the unit as nvcc's host pass does, without __CUDA_ARCH__. A function for the
 * device alone is compiled with it only, for each architecture that is asked for: from the oldest
 * one of the command line on, without one from the oldest that the toolkit knows. A comparison that
 * has one value for all of these is known. It is replaced in the text that the parser gets, and
 * only there; the lengths stay. Comparisons that differ stay (conditional.c then keeps the body).
 *
 * Taken are conditions inside of the body of a function that is marked __device__ or __global__ and
 * not __host__, and is no constexpr function. Each branch of the condition must close the braces
 * that it opens, and may hold no definition or include, because these would reach code behind the
 * body. Where the device's view has an error for the parser, the host's stays. */
#include <stdlib.h>
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

#define ARCH "__CUDA_ARCH__"

/* ---- one condition ---- */

/* a condition's tokens */
struct condition {
  char *text;          /* of the file; written to */
  unsigned oldest;     /* 750 */
  unsigned begin, end; /* offsets: after the directive's word, the line's end */
  struct operand_text {
    unsigned begin, end;
  } items[64];
  unsigned count;
};

static bool is_piece(const struct condition *c, unsigned i, const char *text)
{
  if (i >= c->count) return false;
  size_t length = c->items[i].end - c->items[i].begin;
  return strlen(text) == length && !strncmp(c->text + c->items[i].begin, text, length);
}

static bool split(struct condition *c)
{
  for (unsigned at = scan_skip_space(c->text, c->begin), next; at < c->end;
       at = scan_skip_space(c->text, next)) {
    next = scan_skip_token(c->text, at);
    if (c->text[at] && strchr("<>=!&|", c->text[at]) && c->text[at + 1] &&
        (c->text[at + 1] == '=' || (c->text[at + 1] == c->text[at] && c->text[at] != '!')))
      next = at + 2;
    if (next <= at || c->count == sizeof c->items / sizeof *c->items) return false;
    c->items[c->count++] = (struct operand_text){at, next};
  }
  return true;
}

/* May a whole operand of && and || begin or end between the pieces before `i` and at `i`? */
static bool is_seam(const struct condition *c, unsigned i, const char *bracket)
{
  return i >= c->count || is_piece(c, i, bracket) || is_piece(c, i, "&&") || is_piece(c, i, "||");
}

static bool is_operand(const struct condition *c, unsigned first, unsigned end)
{
  return (!first || is_seam(c, first - 1, "(")) && is_seam(c, end, ")");
}

static bool is_number(const struct condition *c, unsigned i, unsigned long *ret)
{
  if (i >= c->count) return false;
  const char *text = c->text + c->items[i].begin;
  if (*text < '0' || *text > '9') return false;
  char *end;
  *ret = strtoul(text, &end, 0);
  return (size_t)(end - text) + strspn(end, "uUlL") ==
         (size_t)(c->items[i].end - c->items[i].begin);
}

/* Writes the value over the pieces. A splice in between leaves them. */
static void write_value(struct condition *c, unsigned first, unsigned end, bool value)
{
  unsigned begin = c->items[first].begin, length = c->items[end - 1].end - begin;
  if (memchr(c->text + begin, '\n', length)) return;
  memset(c->text + begin, ' ', length);
  c->text[begin] = value ? '1' : '0';
  for (unsigned i = first; i < end; i++) c->items[i] = (struct operand_text){begin, begin};
}

/* 1 or 0: the comparison of an architecture with the number for all from the oldest on; -1: they
 * differ. `mirrored`: the number stands first. */
static int comparison(const struct condition *c, unsigned operator, unsigned long number,
                      bool mirrored)
{
  bool less = is_piece(c, operator, mirrored ? ">" : "<"),
       most = is_piece(c, operator, mirrored ? ">=" : "<="),
       more = is_piece(c, operator, mirrored ? "<" : ">"),
       least = is_piece(c, operator, mirrored ? "<=" : ">=");
  bool below = number < c->oldest; /* no architecture has the number, or a smaller one */
  if (SEEDED(ARCH_UNASKED)) below = true;
  if (least && (below || number == c->oldest)) return 1;
  if (less && (below || number == c->oldest)) return 0;
  if (!below) return -1;
  if (more || is_piece(c, operator, "!=")) return 1;
  return most || is_piece(c, operator, "==") ? 0 : -1;
}

/* The name at piece i, with what compares it. */
static void settle_name(struct condition *c, unsigned i)
{
  unsigned long number;
  int value;
  if (i && is_piece(c, i - 1, "defined")) {
    write_value(c, i - 1, i + 1, true);
  } else if (i > 1 && is_piece(c, i - 1, "(") && is_piece(c, i - 2, "defined")) {
    if (is_piece(c, i + 1, ")")) write_value(c, i - 2, i + 2, true);
  } else if (is_number(c, i + 2, &number) && is_operand(c, i, i + 3)) {
    value = comparison(c, i + 1, number, false);
    if (value >= 0) write_value(c, i, i + 3, value);
  } else if (i > 1 && is_number(c, i - 2, &number) && is_operand(c, i - 2, i + 1)) {
    value = comparison(c, i - 1, number, true);
    if (value >= 0) write_value(c, i - 2, i + 1, value);
  } else if (is_operand(c, i, i + 1)) {
    write_value(c, i, i + 1, true);
  } else if (i && is_piece(c, i - 1, "!") && is_operand(c, i - 1, i + 1)) {
    write_value(c, i, i + 1, true);
  }
}

static void settle_condition(char *text, unsigned begin, unsigned end, unsigned oldest)
{
  struct condition c = {.text = text, .oldest = oldest, .begin = begin, .end = end};
  if (!split(&c)) return;
  for (unsigned i = 0; i < c.count; i++)
    if (is_piece(&c, i, ARCH)) settle_name(&c, i);
}

/* ---- directives ---- */

static unsigned line_end(const char *text, unsigned at)
{
  while (text[at] && text[at] != '\n') at += text[at] == '\\' && text[at + 1] ? 2 : 1;
  return at;
}

static bool is_word(const char *text, unsigned word, const char *name)
{
  size_t length = strlen(name);
  return word && !strncmp(text + word, name, length) && !scan_is_identifier(text[word + length]);
}

static bool opens(const char *text, unsigned word)
{
  return is_word(text, word, "if") || is_word(text, word, "ifdef") || is_word(text, word, "ifndef");
}

static bool is_line_start(const char *text, unsigned at)
{
  while (at && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
  return !at || text[at - 1] == '\n';
}

/* The word of the first directive from `at` on; 0: none before `limit`. *ret_depth is
 * increased by the braces that the code before it opens less those that it closes, and stays below
 * 0 where it closes more. */
static unsigned next_directive(const char *text, unsigned at, unsigned limit, int *ret_depth)
{
  for (unsigned next; (at = scan_skip_space(text, at)) < limit; at = next) {
    if (text[at] == '#' && is_line_start(text, at)) {
      at++;
      while (text[at] == ' ' || text[at] == '\t') at++;
      return at;
    }
    next = scan_skip_token(text, at);
    if (next <= at) next = at + 1;
    if (*ret_depth >= 0) *ret_depth += (text[at] == '{') - (text[at] == '}');
  }
  return 0;
}

/* Do the branches of the condition that begins behind `at` end before `limit`, with all braces
 * closed that they open? */
static bool is_contained(const char *text, unsigned at, unsigned limit)
{
  int depth = 0;
  for (unsigned nested = 0, word; (word = next_directive(text, at, limit, &depth)) != 0;
       at = line_end(text, word)) {
    bool closes = is_word(text, word, "endif"), branches = !strncmp(text + word, "el", 2);
    if ((closes || branches) && !nested && depth) return false;
    if (closes && !nested) return true;
    nested += opens(text, word);
    nested -= closes;
    if (!closes && !branches && !opens(text, word) && !is_word(text, word, "pragma") &&
        !is_word(text, word, "error") && !is_word(text, word, "warning"))
      return false;
  }
  return false;
}

/* #ifdef NAME as #if 1, #ifndef NAME as #if 0 */
static void settle_definition(char *text, unsigned word, unsigned end)
{
  bool defined = text[word + 2] == 'd';
  unsigned behind = word + (defined ? 5 : 6), name = scan_skip_space(text, behind);
  if (scan_skip_token(text, name) > end || !is_word(text, name, ARCH)) return;
  memset(text + word + 2, ' ', behind - word - 2);
  memset(text + name, ' ', strlen(ARCH));
  text[name] = defined ? '1' : '0';
}

static void settle_body(char *text, unsigned begin, unsigned body_end, unsigned oldest)
{
  bool contained[64] = {false};
  unsigned depth = 0, end, word;
  int braces = 0;
  for (unsigned at = begin + 1; (word = next_directive(text, at, body_end, &braces)) != 0;
       at = end) {
    end = line_end(text, word);
    if (opens(text, word)) {
      if (++depth == sizeof contained / sizeof *contained) return;
      contained[depth] = is_contained(text, end, body_end);
    }
    if (is_word(text, word, "endif") && depth) depth--;
    if (!depth || !contained[depth]) continue;
    if (is_word(text, word, "if")) settle_condition(text, word + 2, end, oldest);
    if (is_word(text, word, "elif")) settle_condition(text, word + 4, end, oldest);
    if (is_word(text, word, "ifdef") || is_word(text, word, "ifndef"))
      settle_definition(text, word, end);
  }
}

/* ---- functions ---- */

/* A text for the parser. */
struct arch_text {
  CXFile file;
  char *text;
  bool changed;
  struct arch_text *next;
};

struct arch_visit {
  struct frontend *frontend;
  struct arch_text *texts;
};

static struct arch_text *text_of_file(struct arch_visit *visit, CXFile file)
{
  struct frontend *f = visit->frontend;
  for (struct arch_text *t = visit->texts; t; t = t->next)
    if (clang_File_isEqual(t->file, file)) return t;
  size_t length = 0;
  const char *text = clang_getFileContents(f->tu, file, &length);
  struct arch_text *added = ARENA_NEW(f->arena, struct arch_text);
  *added = (struct arch_text){.file = file, .next = visit->texts};
  if (text && strlen(text) == length && strstr(text, ARCH))
    added->text = arena_copy(f->arena, text, length);
  return visit->texts = added;
}

static bool has_word(const char *text, unsigned begin, unsigned end, const char *word)
{
  for (unsigned at = scan_skip_space(text, begin), next; at < end;
       at = scan_skip_space(text, next)) {
    next = scan_skip_token(text, at);
    if (next <= at) next = at + 1;
    if (is_word(text, at, word)) return true;
  }
  return false;
}

static void settle_function(struct arch_visit *visit, CXCursor cursor)
{
  struct frontend *f = visit->frontend;
  CXCursor body = body_of(f, cursor);
  if (clang_Cursor_isNull(body)) return;
  CXFile files[3];
  unsigned start, begin, end;
  CXSourceRange extent = clang_getCursorExtent(body);
  clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &files[0], NULL,
                            NULL, &start);
  clang_getSpellingLocation(clang_getRangeStart(extent), &files[1], NULL, NULL, &begin);
  clang_getSpellingLocation(clang_getRangeEnd(extent), &files[2], NULL, NULL, &end);
  if (!files[1] || !clang_File_isEqual(files[1], files[2])) return;
  struct arch_text *text = text_of_file(visit, files[1]);
  if (!text->text || end <= begin || text->text[begin] != '{' || text->text[end - 1] != '}') return;
  bool headed = files[0] && clang_File_isEqual(files[0], files[1]) && start < begin;
  if (headed && (has_word(text->text, start, begin, "constexpr") ||
                 has_word(text->text, start, begin, "consteval")))
    return;
  unsigned arch = f->options->arch;
  settle_body(text->text, begin, end, arch * 10);
}

static enum CXChildVisitResult visit_declaration(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
  struct arch_visit *visit = data;
  struct frontend *f = visit->frontend;
  (void)parent;
  if (is_system_cursor(cursor)) return CXChildVisit_Continue;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_Namespace:
  case CXCursor_LinkageSpec:
  case CXCursor_UnexposedDecl:
  case CXCursor_StructDecl:
  case CXCursor_ClassDecl:
  case CXCursor_UnionDecl:
  case CXCursor_ClassTemplate:
  case CXCursor_ClassTemplatePartialSpecialization: return CXChildVisit_Recurse;
  case CXCursor_FunctionDecl:
  case CXCursor_FunctionTemplate:
  case CXCursor_CXXMethod:
  case CXCursor_Constructor:
  case CXCursor_ConversionFunction:
    if ((has_attribute(f, cursor, CXCursor_CUDAGlobalAttr) ||
         has_attribute(f, cursor, CXCursor_CUDADeviceAttr)) &&
        (!has_attribute(f, cursor, CXCursor_CUDAHostAttr) || SEEDED(ARCH_OF_HOST)))
      settle_function(visit, cursor);
    return CXChildVisit_Continue;
  default: return CXChildVisit_Continue;
  }
}

/* ---- the parser's texts ---- */

bool arch_view_find(struct frontend *f)
{
  if (f->options->device_on_host || f->arch.off || f->arch.known) return false;
  f->arch.known = true;
  struct arch_visit visit = {.frontend = f};
  visit_unit(f, visit_declaration, &visit);
  for (const struct arch_text *t = visit.texts; t; t = t->next) {
    size_t length;
    const char *text = t->text ? clang_getFileContents(f->tu, t->file, &length) : NULL;
    if (!text || !strcmp(text, t->text)) continue;
    struct arch_file *added = ARENA_PUSH(f->arena, &f->arch.files);
    *added = (struct arch_file){string_of(f, clang_getFileName(t->file)),
                                arena_copy(f->arena, text, length), t->text, length};
  }
  return f->arch.files.count > 0;
}

const struct arch_file *arch_view_of(struct frontend *f, const char *path)
{
  for (unsigned i = 0; i < f->arch.files.count; i++)
    if (!strcmp(f->arch.files.items[i].path, path)) return &f->arch.files.items[i];
  return NULL;
}

bool arch_view_refused(struct frontend *f)
{
  if (!f->arch.files.count) return false;
  bool refused = false;
  for (unsigned i = 0; i < clang_getNumDiagnostics(f->tu) && !refused; i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(f->tu, i);
    refused = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
    clang_disposeDiagnostic(diagnostic);
  }
  if (!refused) return false;
  f->arch.files.count = 0;
  return f->arch.off = true;
}
