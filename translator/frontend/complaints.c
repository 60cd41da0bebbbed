/* SPDX-License-Identifier: MIT */
/* complaints.c - clang's diagnostics about the source, with all their notes, ranges and fix-its.
 *
 *     a.mcu:9:7: error[M2001]: no matching function for call to 'f'
 *     a.mcu:2:6: note: candidate function not viable: requires 2 arguments, but 1 was provided
 *
 * The notes are the candidates, and the chain of instantiations, of includes and of macros. Where
 * the place is in a system header, the user's line that leads there comes first, and the header's
 * place is a note. */
#include <string.h>

#include "runtime/seeded.h"
#include "translator/frontend/internal.h"

struct complaint {
  CXDiagnostic diagnostic;
  CXFile file; /* NULL: no place */
  struct diag_message message;
};

/* ---- errors ---- */

/* Is a variable declared at the place of the diagnostic, without an initialiser of its own? */
static bool declares_without_init(struct frontend *f, CXDiagnostic diagnostic)
{
  CXFile file;
  unsigned offset;
  size_t length;
  clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &offset);
  const char *text = file ? clang_getFileContents(f->tu, file, &length) : NULL;
  if (!text || offset >= length) return false;
  unsigned at = scan_skip_space(text, scan_skip_token(text, offset));
  while (text[at] == '[') at = scan_skip_space(text, scan_skip_group(text, at));
  return text[at] == ';' || text[at] == ',';
}

/* Does a function for both sides use one of the device? Nvcc warns: the host may never get there,
 * as in `thrust::transform` of a functor for the device alone. */
static bool is_device_use(const char *text)
{
  return !strncmp(text, "reference to __device__ ", 24) &&
         strstr(text, " in __host__ __device__ function");
}

/* Is the diagnostic an error for nvcc, too? Clang alone refuses some declarations that it keeps
 * whole: `__shared__ cuda::barrier<...> b;` for its constructor, `int a[n] = {0};` for its
 * length. */
static bool is_error(struct frontend *f, CXDiagnostic diagnostic)
{
  if (clang_getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error) return false;
  const char *text = string_of(f, clang_getDiagnosticSpelling(diagnostic));
  if (!strcmp(text, "variable-sized object may not be initialized"))
    return SEEDED(RUN_LENGTH_REFUSED);
  if (is_device_use(text)) return SEEDED(DEVICE_USE_REFUSED);
  return !strstr(text, "initialization is not supported for __shared__ variables") ||
         !declares_without_init(f, diagnostic);
}

static bool is_warning(CXDiagnostic diagnostic)
{
  return clang_getDiagnosticSeverity(diagnostic) == CXDiagnostic_Warning;
}

/* ---- places ---- */

static struct diag_place place_at(struct frontend *f, CXSourceLocation location, CXFile *ret_file)
{
  struct diag_place place = {0};
  clang_getFileLocation(location, ret_file, &place.line, &place.column, NULL);
  if (!*ret_file) return place;
  const char *name = string_of(f, clang_getFileName(*ret_file));
  size_t length;
  place.source = clang_getFileContents(f->tu, *ret_file, &length);
  place.file = !strcmp(name, "<stdin>.mcu") ? "<stdin>" : name;
  return place;
}

static bool is_range(CXFile file, CXFile begin, CXFile end, const struct diag_range *range)
{
  if (!file || !begin || !end || !clang_File_isEqual(begin, file) || !clang_File_isEqual(end, file))
    return false;
  return range->end_line > range->line ||
         (range->end_line == range->line && range->end_column >= range->column);
}

/* false: the range is not in the file */
static bool range_in(CXFile file, CXSourceRange range, struct diag_range *ret)
{
  CXFile begin, end;
  clang_getFileLocation(clang_getRangeStart(range), &begin, &ret->line, &ret->column, NULL);
  clang_getFileLocation(clang_getRangeEnd(range), &end, &ret->end_line, &ret->end_column, NULL);
  return is_range(file, begin, end, ret);
}

static void add_ranges(struct frontend *f, struct complaint *c)
{
  unsigned count = clang_getDiagnosticNumRanges(c->diagnostic);
  struct diag_range *ranges = arena_alloc(f->arena, (count + 1) * sizeof *ranges);
  for (unsigned i = 0; i < count; i++)
    c->message.range_count += range_in(c->file, clang_getDiagnosticRange(c->diagnostic, i),
                                       &ranges[c->message.range_count]);
  c->message.ranges = ranges;
}

static void add_fixes(struct frontend *f, struct complaint *c)
{
  unsigned count = clang_getDiagnosticNumFixIts(c->diagnostic);
  struct diag_fix *fixes = arena_alloc(f->arena, (count + 1) * sizeof *fixes);
  for (unsigned i = 0; i < count; i++) {
    CXSourceRange range;
    struct diag_fix *fix = &fixes[c->message.fix_count];
    fix->text = string_of(f, clang_getDiagnosticFixIt(c->diagnostic, i, &range));
    c->message.fix_count += range_in(c->file, range, &fix->range);
  }
  c->message.fixes = fixes;
}

static struct complaint read_complaint(struct frontend *f, CXDiagnostic diagnostic, enum diag_id id)
{
  struct complaint c = {.diagnostic = diagnostic, .message = {.id = id}};
  c.message.place = place_at(f, clang_getDiagnosticLocation(diagnostic), &c.file);
  c.message.text = string_of(f, clang_getDiagnosticSpelling(diagnostic));
  c.message.option = string_of(f, clang_getDiagnosticOption(diagnostic, NULL));
  add_ranges(f, &c);
  add_fixes(f, &c);
  return c;
}

/* ---- telling ---- */

static bool is_of_user(CXDiagnostic note)
{
  CXFile file;
  CXSourceLocation location = clang_getDiagnosticLocation(note);
  clang_getFileLocation(location, &file, NULL, NULL, NULL);
  return file && !clang_Location_isInSystemHeader(location);
}

static bool is_include(struct frontend *f, CXDiagnostic note)
{
  return !strncmp(string_of(f, clang_getDiagnosticSpelling(note)), "in file included from", 21);
}

/* The user's line that leads into the header: of an instantiation or a macro, otherwise an
 * #include. Clang names a chain of instantiations only once for several errors in it. */
static struct diag_place leading_place(struct frontend *f, CXDiagnostic diagnostic)
{
  CXDiagnosticSet notes = clang_getChildDiagnostics(diagnostic);
  struct diag_place include = {0};
  CXFile file;
  for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
    CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
    if (!is_of_user(note)) continue;
    struct diag_place place = place_at(f, clang_getDiagnosticLocation(note), &file);
    if (!is_include(f, note)) return f->leading = place;
    include = place;
  }
  return f->leading.file ? f->leading : include;
}

/* Does the chain of includes begin at a header of -include? It has no directive there. */
static bool is_of_prelude(struct frontend *f, CXDiagnostic note)
{
  CXFile file;
  struct diag_place place = place_at(f, clang_getDiagnosticLocation(note), &file);
  const char *line = place.source ? diag_find_line(place.source, place.line) : NULL;
  return is_include(f, note) && line && !memchr(line, '#', strcspn(line, "\n"));
}

/* Explains errors about functions that the CPU backend lacks. */
static void explain_target(struct frontend *f, struct diag_message *message)
{
  if (!f->options->device_on_host) return;
  if (strstr(message->text, "cudaLaunchDevice")) {
    message->id = DIAG_UNSUPPORTED;
    message->text = "a kernel launches a kernel: not on the CPU backend";
  } else if (strstr(message->text, "file not found")) {
    message->text = arena_format(
        f->arena, "%s (of the CUDA toolkit's headers the CPU backend has a part)", message->text);
  }
}

/* Adds the token of the body for "expanded from macro 'M'". */
static void add_body_range(struct frontend *f, struct complaint *note)
{
  const struct diag_place *place = &note->message.place;
  if (strncmp(note->message.text, "expanded from macro", 19) || !place->source) return;
  const char *line = diag_find_line(place->source, place->line);
  if (!line || place->column > strcspn(line, "\n")) return;
  unsigned end = scan_skip_token(line, place->column - 1) + 1;
  struct diag_range *range = arena_alloc(f->arena, sizeof *range);
  *range = (struct diag_range){place->line, place->column, place->line, end};
  note->message.ranges = range;
  note->message.range_count = 1;
}

static void tell_notes(struct frontend *f, CXDiagnostic diagnostic)
{
  CXDiagnosticSet notes = clang_getChildDiagnostics(diagnostic);
  bool of_prelude = false; /* in the chain that begins at a header of -include */
  for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
    CXDiagnostic child = clang_getDiagnosticInSet(notes, i);
    of_prelude = is_include(f, child) && (of_prelude || is_of_prelude(f, child));
    if (of_prelude) continue;
    struct complaint note = read_complaint(f, child, DIAG_MORE);
    add_body_range(f, &note);
    if (!note.file && !strncmp(note.message.text, "expanded from macro", 19))
      note.message.place.file = "<command line>";
    diag_tell(f->diag, &note.message);
  }
}

static void tell(struct frontend *f, CXDiagnostic diagnostic, enum diag_id id)
{
  struct complaint c = read_complaint(f, diagnostic, id);
  explain_target(f, &c.message);
  bool in_header =
      c.file && clang_Location_isInSystemHeader(clang_getDiagnosticLocation(diagnostic));
  if (!in_header) f->leading = (struct diag_place){0};
  struct diag_place leading = in_header ? leading_place(f, diagnostic) : f->leading;
  if (leading.file) {
    struct diag_message first = c.message;
    first.place = leading;
    first.range_count = first.fix_count = 0;
    diag_tell(f->diag, &first);
    c.message.id = DIAG_MORE;
    c.message.text = arena_format(f->arena, "found in this header: %s", c.message.text);
  }
  diag_tell(f->diag, &c.message);
  tell_notes(f, diagnostic);
}

/* Warnings are reported once, for the text as the user wrote it. */
int complaints_report(struct frontend *f)
{
  unsigned errors = 0, limit = f->diag->error_limit;
  for (unsigned i = 0; i < clang_getNumDiagnostics(f->tu); i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(f->tu, i);
    if (is_error(f, diagnostic)) {
      if (!limit || errors < limit) tell(f, diagnostic, DIAG_SYNTAX);
      errors++;
    } else if (is_warning(diagnostic) && !f->warnings_told && (!limit || errors <= limit)) {
      tell(f, diagnostic, DIAG_PARSER_WARNING);
    }
    clang_disposeDiagnostic(diagnostic);
  }
  f->warnings_told = true;
  if (limit && errors > limit)
    diag_report(f->diag, DIAG_MORE, &(struct diag_place){.file = f->unit->input},
                "there are %u errors more; -ferror-limit=0 shows all", errors - limit);
  return errors ? -1 : 0;
}
