/* SPDX-License-Identifier: MIT */
/* clang_args.c - the command line for libclang. */
#include <string.h>

#include "translator/base/file.h"
#include "translator/frontend/internal.h"

static void push(struct arena *arena, struct clang_args *args, const char *arg)
{
  *ARENA_PUSH(arena, &args->list) = arg;
}

/* as for nvcc, with warnings for errors; every clang from 14 on knows these words */
static const char *const language[] = {
    "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
    /* printf and its like in code for both, which clang 16 refuses */
    "-Xclang", "-fcuda-allow-variadic-functions", "-fbracket-depth=256", "-ftemplate-depth=512",
    "-Wno-ignored-attributes" /* __global__ of a variable */, "-Wno-unknown-cuda-version",
    "-Wno-register", "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal",
    "-fgpu-rdc"}; /* launches in kernels: nvcc decides about them */

/* words for libclang only */
static const char *const parsing[] = {"-nobuiltininc", /* below the working directory */
                                      "-ferror-limit=1000", "-w", "-Wno-error", "-fspell-checking"};

static void push_language(struct arena *arena, const struct frontend_options *options,
                          unsigned newest_arch, struct clang_args *ret)
{
  for (unsigned i = 0; i < sizeof language / sizeof *language; i++) push(arena, ret, language[i]);
  /* the name that clang 16 knows, too */
  bool newest = !strcmp(options->standard, "c++23") || !strcmp(options->standard, "gnu++23");
  const char *standard =
      newest ? arena_format(arena, "%.*s2b", (int)strlen(options->standard) - 2, options->standard)
             : options->standard;
  push(arena, ret, arena_format(arena, "-std=%s", standard));
  push(arena, ret,
       arena_format(arena, "--cuda-gpu-arch=sm_%u",
                    options->arch > newest_arch ? newest_arch : options->arch));
}

static void push_pair(struct arena *arena, struct clang_args *ret, const char *word,
                      const char *folder)
{
  if (!folder) return;
  push(arena, ret, word);
  push(arena, ret, folder);
}

static void push_folders(struct arena *arena, const struct frontend_options *options,
                         struct clang_args *ret)
{
  push_pair(arena, ret, "-isystem", options->prelude);
  push_pair(arena, ret, "-isystem", options->runtime);
  if (options->toolkit) {
    push(arena, ret, arena_format(arena, "--cuda-path=%s", options->toolkit));
    push_pair(arena, ret, "-isystem", arena_format(arena, "%s/include", options->toolkit));
    /* where the toolkit keeps libcu++, Thrust and CUB since 13.0 */
    push_pair(arena, ret, "-isystem", arena_format(arena, "%s/include/cccl", options->toolkit));
  } else {
    push_pair(arena, ret, "-isystem", options->surface);
    push_pair(arena, ret, "-idirafter", options->cccl);
  }
}

/* Folders for headers that clang lacks: omp.h. */
static void push_last_folders(struct arena *arena, const struct frontend_options *options,
                              struct clang_args *ret)
{
  push_pair(arena, ret, "-idirafter", options->compiler);
  push_pair(arena, ret, "-idirafter", arena_format(arena, "%s/removed", options->prelude));
}

static const char *prelude_name(const struct frontend_options *options)
{
  return options->toolkit ? "mesi_prelude_toolkit.h" : "mesi_prelude_surface.h";
}

void clang_args_build(struct arena *arena, const struct frontend_options *options,
                      struct clang_args *ret)
{
  *ret = (struct clang_args){0};
  push_language(arena, options, 90, ret);
  for (unsigned i = 0; i < sizeof parsing / sizeof *parsing; i++) push(arena, ret, parsing[i]);
  push_folders(arena, options, ret);
  push_pair(arena, ret, "-idirafter", resource_directory(arena));
  push_last_folders(arena, options, ret);
}

struct frontend_words frontend_editor_words(struct arena *arena,
                                            const struct frontend_options *options)
{
  struct clang_args args = {0};
  push_language(arena, options, 86, &args);
  push_folders(arena, options, &args);
  push_last_folders(arena, options, &args);
  push_pair(arena, &args, "-include",
            arena_format(arena, "%s/%s", options->prelude, prelude_name(options)));
  return (struct frontend_words){args.list.items, args.list.count};
}
