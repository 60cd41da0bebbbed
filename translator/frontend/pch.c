/* SPDX-License-Identifier: MIT */
/* pch.c - the prelude as a precompiled header, kept per toolkit, standard and architecture. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/seeded.h"
#include "translator/base/file.h"
#include "translator/frontend/internal.h"

static uint64_t hash_text(uint64_t hash, const char *text)
{
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211ull;
  return (hash ^ 0xff) * 1099511628211ull;
}

static uint64_t hash_file(uint64_t hash, const char *path)
{
  struct stat info = {0};
  if (!stat(path, &info))
    hash = (hash ^ (uint64_t)info.st_mtime ^ ((uint64_t)info.st_size << 32)) * 1099511628211ull;
  return hash_text(hash, path);
}

static const char *prelude_of(struct arena *arena, const struct frontend_options *options)
{
  return arena_format(arena, "%s/%s", options->prelude,
                      options->toolkit ? "mesi_prelude_toolkit.h" : "mesi_prelude_surface.h");
}

/* Builds the instances of the prelude's own templates into the header. Otherwise every translation
 * builds them at its end, which takes as long as all the rest of a small one. */
static struct clang_args building_args(struct arena *arena, const struct clang_args *args)
{
  static const char *const more[] = {"-Xclang", "-fpch-instantiate-templates"};
  struct clang_args ret = {0};
  for (unsigned i = 0; i < args->list.count; i++)
    *ARENA_PUSH(arena, &ret.list) = args->list.items[i];
  for (unsigned i = 0; i < sizeof more / sizeof *more; i++) *ARENA_PUSH(arena, &ret.list) = more[i];
  return ret;
}

/* From C++20 on clang reads only headers that were made with the record that parse.c asks for;
 * before, the record would only make them larger. */
static unsigned record_for(const struct frontend_options *options)
{
  bool before = strstr(options->standard, "11") || strstr(options->standard, "14") ||
                strstr(options->standard, "17");
  return before || SEEDED(HEADER_UNREAD) ? 0 : CXTranslationUnit_DetailedPreprocessingRecord;
}

static bool build(CXIndex index, const struct clang_args *args, const char *prelude,
                  unsigned record, const char *path)
{
  CXTranslationUnit tu = NULL;
  enum CXErrorCode error = clang_parseTranslationUnit2(
      index, prelude, args->list.items, (int)args->list.count, NULL, 0,
      CXTranslationUnit_ForSerialization | CXTranslationUnit_Incomplete | record, &tu);
  if (error || !tu) return false;
  bool fine = true;
  for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) fine = false;
    clang_disposeDiagnostic(diagnostic);
  }
  fine =
      fine && clang_saveTranslationUnit(tu, path, clang_defaultSaveOptions(tu)) == CXSaveError_None;
  clang_disposeTranslationUnit(tu);
  return fine;
}

/* The key has only the words that change the prelude's meaning: the user's -I and -D come after
 * it. */
const char *pch_file(struct arena *arena, CXIndex index, const struct frontend_options *options,
                     const struct clang_args *args)
{
  if (!options->cache) return NULL;
  const char *prelude = prelude_of(arena, options);
  uint64_t key = hash_text(14695981039346656037ull,
                           string_of(&(struct frontend){.arena = arena}, clang_getClangVersion()));
  const struct clang_args building = building_args(arena, args);
  for (unsigned i = 0; i < building.list.count; i++) key = hash_text(key, building.list.items[i]);
  key = hash_file(key, prelude);
  if (options->toolkit)
    key = hash_file(key, arena_format(arena, "%s/include/cuda_runtime.h", options->toolkit));
  else
    key = hash_file(hash_file(key, arena_format(arena, "%s/cuda_runtime.h", options->surface)),
                    arena_format(arena, "%s/mesi", options->surface));
  const char *path =
      arena_format(arena, "%s/prelude-%016llx.pch", options->cache, (unsigned long long)key);
  if (file_exists(path)) return path;
  const char *beside = arena_format(arena, "%s.%ld", path, (long)getpid());
  if (!build(index, &building, prelude, record_for(options), beside) || rename(beside, path)) {
    unlink(beside);
    return NULL;
  }
  return path;
}
