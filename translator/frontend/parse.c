/* parse.c - runs libclang on the unit's text and turns its complaints into diagnostics. */
#include <string.h>
#include <unistd.h>

#include "translator/base/file.h"
#include "translator/frontend/internal.h"

#define ERRORS_SHOWN 8u

static void report(struct frontend *f, CXDiagnostic diagnostic) {
  CXFile file;
  struct diag_place place = {0};
  clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &place.line, &place.column, NULL);
  if (file) {
    const char *name = string_of(f, clang_getFileName(file));
    size_t length;
    place.source = clang_getFileContents(f->tu, file, &length);
    place.file = !strcmp(name, "<stdin>.mcu") ? "<stdin>" : name;
  }
  diag_report(f->diag, DIAG_SYNTAX, file ? &place : NULL, "%s", string_of(f, clang_getDiagnosticSpelling(diagnostic)));
}

/* A header of the prelude was changed after the precompiled header was made. */
static bool is_stale_pch(struct frontend *f) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(f->tu); i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(f->tu, i);
    const char *text = string_of(f, clang_getDiagnosticSpelling(diagnostic));
    clang_disposeDiagnostic(diagnostic);
    if (strstr(text, "precompiled") || strstr(text, "PCH file") || strstr(text, "AST file")) return true;
  }
  return false;
}

static int report_errors(struct frontend *f) {
  unsigned errors = 0;
  for (unsigned i = 0; i < clang_getNumDiagnostics(f->tu); i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(f->tu, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && errors++ < ERRORS_SHOWN) report(f, diagnostic);
    clang_disposeDiagnostic(diagnostic);
  }
  return errors ? -1 : 0;
}

static void add_user_args(struct frontend *f, struct clang_args *args) {
  for (unsigned i = 0; i < f->options->clang_arg_count; i++)
    *ARENA_PUSH(f->arena, &args->list) = f->options->clang_args[i];
}

static const char *main_name(const struct frontend *f) {
  return strcmp(f->unit->input, "<stdin>") ? f->unit->input : "<stdin>.mcu";
}

int parse_unit(struct frontend *f, const struct clang_args *base, const char *pch) {
  struct clang_args args = {0};
  for (unsigned i = 0; i < base->list.count; i++) *ARENA_PUSH(f->arena, &args.list) = base->list.items[i];
  *ARENA_PUSH(f->arena, &args.list) = pch ? "-include-pch" : "-include";
  *ARENA_PUSH(f->arena, &args.list) =
      pch ? pch : f->options->toolkit ? "mesi_prelude_toolkit.h" : "mesi_prelude_surface.h";
  add_user_args(f, &args);
  unsigned count = f->unit->files.count;
  struct CXUnsavedFile *unsaved = arena_alloc(f->arena, (count + 1) * sizeof *unsaved);
  for (unsigned i = 0; i < count; i++)
    unsaved[i] = (struct CXUnsavedFile){i ? f->unit->files.items[i].path : main_name(f), f->unit->files.items[i].text,
                                        f->unit->files.items[i].length};
  enum CXErrorCode error =
      clang_parseTranslationUnit2(f->index, main_name(f), args.list.items, (int)args.list.count, unsaved, count,
                                  CXTranslationUnit_DetailedPreprocessingRecord, &f->tu);
  if (pch && (error || is_stale_pch(f))) { /* a precompiled header that no longer fits its sources */
    unlink(pch);
    if (f->tu) clang_disposeTranslationUnit(f->tu);
    f->tu = NULL;
    return parse_unit(f, base, NULL);
  }
  if (error || !f->tu) {
    diag_report(f->diag, DIAG_CRASH, &(struct diag_place){.file = f->unit->input}, "the parser crashed on this input");
    return -1;
  }
  return report_errors(f);
}
