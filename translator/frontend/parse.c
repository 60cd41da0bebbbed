/* SPDX-License-Identifier: MIT */
/* parse.c - runs libclang on the unit's text. */
#include <string.h>
#include <unistd.h>

#include "translator/base/file.h"
#include "translator/frontend/internal.h"

/* Was a header of the prelude changed after the precompiled header was made? */
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

static void add_user_args(struct frontend *f, struct clang_args *args)
{
  for (unsigned i = 0; i < f->options->clang_arg_count; i++)
    *ARENA_PUSH(f->arena, &args->list) = f->options->clang_args[i];
  for (unsigned i = 0; i < f->options->warning_count; i++)
    *ARENA_PUSH(f->arena, &args->list) = f->options->warnings[i];
}

/* Collects headers that the edits or the host's compiler need rewritten: normalize.c,
 * host_text.c. What a header of the system includes is one, too. The question is cheap where the
 * directive stands, and for a file it goes through all files of the unit. */
static void visit_header(CXFile included, CXSourceLocation *stack, unsigned depth,
                         CXClientData data)
{
  struct frontend *f = data;
  if (!depth || !included || clang_Location_isInSystemHeader(stack[0]) ||
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

static void give_parsed(const struct arch_file *file, struct CXUnsavedFile *unsaved,
                        unsigned *count)
{
  struct CXUnsavedFile given = {file->path, file->parsed, file->length};
  for (unsigned i = 0; i < *count; i++)
    if (!strcmp(unsaved[i].Filename, file->path)) {
      unsaved[i] = given;
      return;
    }
  unsaved[(*count)++] = given;
}

/* The texts that differ from the disk. In later rounds the rewritten headers are among the
 * files. */
static struct CXUnsavedFile *unsaved_files(struct frontend *f, unsigned *ret_count)
{
  unsigned count = f->unit->files.count, headers = count == 1 ? f->rewritten.count : 0;
  unsigned room = count + headers + f->arch.files.count + 1;
  struct CXUnsavedFile *unsaved = arena_alloc(f->arena, room * sizeof *unsaved);
  for (unsigned i = 0; i < count + headers; i++) {
    const struct unit_file *file =
        i < count ? &f->unit->files.items[i] : &f->rewritten.items[i - count];
    unsaved[i] = (struct CXUnsavedFile){i ? file->path : main_name(f), file->text, file->length};
  }
  *ret_count = count + headers;
  for (unsigned i = 0; i < f->arch.files.count; i++)
    give_parsed(&f->arch.files.items[i], unsaved, ret_count);
  return unsaved;
}

static enum CXErrorCode run_parser(struct frontend *f, const struct clang_args *base,
                                   const char *pch)
{
  struct clang_args args = {0};
  for (unsigned i = 0; i < base->list.count; i++)
    if (!f->options->warning_count || strcmp(base->list.items[i], "-w"))
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
  if (rewrite_headers(f) || arch_view_refused(f) || arch_view_find(f))
    return parse_again(f, base, pch);
  return complaints_report(f);
}
