/* SPDX-License-Identifier: MIT */
/* resources.c - the headers of clang itself: stddef.h, immintrin.h.
 *
 * libclang by itself looks for them below the working directory, with wrappers for device code that
 * are not ours. They are in the library's folder: LIBDIR/clang/VERSION/include. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/file.h"
#include "translator/frontend/internal.h"

const char *frontend_parser(struct arena *arena)
{
  return string_of(&(struct frontend){.arena = arena}, clang_getClangVersion());
}

/* "22" of "Debian clang version 22.1.8" */
static unsigned major_version(struct arena *arena)
{
  const char *text = frontend_parser(arena);
  const char *number = strstr(text, "version ");
  return number ? (unsigned)strtoul(number + strlen("version "), NULL, 10) : 0;
}

static const char *library_folder(struct arena *arena)
{
  Dl_info info;
  char resolved[4096];
  void *function;
  CXIndex (*create)(int, int) = clang_createIndex;
  memcpy(&function, &create, sizeof function); /* ISO C has no cast for it */
  if (!dladdr(function, &info) || !info.dli_fname) return NULL;
  return file_directory(
      arena, arena_string(arena, realpath(info.dli_fname, resolved) ? resolved : info.dli_fname));
}

const char *resource_directory(struct arena *arena)
{
  unsigned version = major_version(arena);
  const char *folders[] = {MESI_LLVM_PREFIX "/lib", MESI_LLVM_PREFIX "/lib64",
                           library_folder(arena), "/usr/lib", "/usr/lib64"};
  for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
    if (!folders[i]) continue;
    const char *found = arena_format(arena, "%s/clang/%u/include", folders[i], version);
    if (file_exists(arena_format(arena, "%s/stddef.h", found))) return found;
  }
  return NULL;
}
