/* SPDX-License-Identifier: MIT */
/* parse.c - runs libclang on the unit's text and turns its complaints into diagnostics. */
#include <string.h>
#include <unistd.h>

#include "runtime/seeded.h"
#include "translator/base/file.h"
#include "translator/frontend/internal.h"

#define ERRORS_SHOWN 8u

static void report(struct frontend *f, CXDiagnostic diagnostic)
{
  CXFile file;
  struct diag_place place = {0};
  clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &place.line,
                             &place.column, NULL);
  if (file) {
    const char *name = string_of(f, clang_getFileName(file));
    size_t length;
    place.source = clang_getFileContents(f->tu, file, &length);
    place.file = !strcmp(name, "<stdin>.mcu") ? "<stdin>" : name;
  }
  const char *text = string_of(f, clang_getDiagnosticSpelling(diagnostic));
  bool host = f->options->device_on_host;
  if (host && strstr(text, "cudaLaunchDevice"))
    diag_report(f->diag, DIAG_UNSUPPORTED, file ? &place : NULL,
                "a kernel launches a kernel: not on the CPU backend");
  else
    diag_report(f->diag, DIAG_SYNTAX, file ? &place : NULL, "%s%s", text,
                host && strstr(text, "file not found")
                    ? " (of the CUDA toolkit's headers the CPU backend has a part)"
                    : "");
}

/* A header of the prelude was changed after the precompiled header was made. */
static bool is_stale_pch(struct frontend *f)
{
  for (unsigned i = 0; i < clang_getNumDiagnostics(f->tu); i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(f->tu, i);
    const char *text = string_of(f, clang_getDiagnosticSpelling(diagnostic));
    clang_disposeDiagnostic(diagnostic);
    if (strstr(text, "precompiled") || strstr(text, "PCH file") || strstr(text, "AST file"))
      return true;
  }
  return false;
}

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

/* What clang alone refuses, though it keeps the declaration whole: `__shared__ cuda::barrier<...>
 * b;` for its constructor, `int a[n] = {0};` for its length. nvcc takes both. */
static bool is_error(struct frontend *f, CXDiagnostic diagnostic)
{
  if (clang_getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error) return false;
  const char *text = string_of(f, clang_getDiagnosticSpelling(diagnostic));
  if (!strcmp(text, "variable-sized object may not be initialized"))
    return SEEDED(RUN_LENGTH_REFUSED);
  return !strstr(text, "initialization is not supported for __shared__ variables") ||
         !declares_without_init(f, diagnostic);
}

static int report_errors(struct frontend *f)
{
  unsigned errors = 0;
  for (unsigned i = 0; i < clang_getNumDiagnostics(f->tu); i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(f->tu, i);
    if (is_error(f, diagnostic) && errors++ < ERRORS_SHOWN) report(f, diagnostic);
    clang_disposeDiagnostic(diagnostic);
  }
  return errors ? -1 : 0;
}

static void add_user_args(struct frontend *f, struct clang_args *args)
{
  for (unsigned i = 0; i < f->options->clang_arg_count; i++)
    *ARENA_PUSH(f->arena, &args->list) = f->options->clang_args[i];
}

/* Headers that the edits or the host's compiler must see otherwise: normalize.c, host_text.c. */
static void visit_header(CXFile included, CXSourceLocation *stack, unsigned depth,
                         CXClientData data)
{
  (void)stack;
  struct frontend *f = data;
  if (!depth || !included ||
      clang_Location_isInSystemHeader(clang_getLocationForOffset(f->tu, included, 0)))
    return;
  struct unit_file file = {.path = string_of(f, clang_getFileName(included))};
  const char *text = clang_getFileContents(f->tu, included, &file.length);
  file.text = arena_copy(f->arena, text ? text : "", file.length);
  for (unsigned i = 0; i < f->rewritten.count; i++)
    if (!strcmp(f->rewritten.items[i].path, file.path)) return;
  bool changed = normalize_text(f->arena, &file);
  changed |= f->options->device_on_host && host_text(f->arena, &file);
  if (changed) *ARENA_PUSH(f->arena, &f->rewritten) = file;
}

static bool rewrite_headers(struct frontend *f)
{
  unsigned before = f->rewritten.count;
  clang_getInclusions(f->tu, visit_header, f);
  return f->rewritten.count > before;
}

static const char *main_name(const struct frontend *f)
{
  return strcmp(f->unit->input, "<stdin>") ? f->unit->input : "<stdin>.mcu";
}

/* The texts that are not those on disk. Later rounds have the rewritten headers among their files.
 */
static struct CXUnsavedFile *unsaved_files(struct frontend *f, unsigned *ret_count)
{
  unsigned count = f->unit->files.count, headers = count == 1 ? f->rewritten.count : 0;
  struct CXUnsavedFile *unsaved = arena_alloc(f->arena, (count + headers + 1) * sizeof *unsaved);
  for (unsigned i = 0; i < count + headers; i++) {
    const struct unit_file *file =
        i < count ? &f->unit->files.items[i] : &f->rewritten.items[i - count];
    unsaved[i] = (struct CXUnsavedFile){i ? file->path : main_name(f), file->text, file->length};
  }
  *ret_count = count + headers;
  return unsaved;
}

static enum CXErrorCode run_parser(struct frontend *f, const struct clang_args *base,
                                   const char *pch)
{
  struct clang_args args = {0};
  for (unsigned i = 0; i < base->list.count; i++)
    *ARENA_PUSH(f->arena, &args.list) = base->list.items[i];
  *ARENA_PUSH(f->arena, &args.list) = pch ? "-include-pch" : "-include";
  *ARENA_PUSH(f->arena, &args.list) = pch                   ? pch
                                      : f->options->toolkit ? "mesi_prelude_toolkit.h"
                                                            : "mesi_prelude_surface.h";
  add_user_args(f, &args);
  unsigned count;
  struct CXUnsavedFile *unsaved = unsaved_files(f, &count);
  return clang_parseTranslationUnit2(f->index, main_name(f), args.list.items, (int)args.list.count,
                                     unsaved, count, CXTranslationUnit_DetailedPreprocessingRecord,
                                     &f->tu);
}

static int parse_again(struct frontend *f, const struct clang_args *base, const char *pch)
{
  if (f->tu) clang_disposeTranslationUnit(f->tu);
  f->tu = NULL;
  return parse_unit(f, base, pch);
}

int parse_unit(struct frontend *f, const struct clang_args *base, const char *pch)
{
  enum CXErrorCode error = run_parser(f, base, pch);
  /* a precompiled header that no longer fits its sources */
  if (pch && (error || is_stale_pch(f))) {
    unlink(pch);
    return parse_again(f, base, NULL);
  }
  if (error || !f->tu) {
    diag_report(f->diag, DIAG_CRASH, &(struct diag_place){.file = f->unit->input},
                "the parser crashed on this input");
    return -1;
  }
  if (rewrite_headers(f)) return parse_again(f, base, pch);
  return report_errors(f);
}
