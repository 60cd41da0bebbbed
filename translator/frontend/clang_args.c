/* SPDX-License-Identifier: MIT */
/* clang_args.c - the command line that libclang gets. */
#include <string.h>

#include "translator/base/file.h"
#include "translator/frontend/internal.h"

static void push(struct arena *arena, struct clang_args *args, const char *arg)
{
  *ARENA_PUSH(arena, &args->list) = arg;
}

void clang_args_build(struct arena *arena, const struct frontend_options *options,
                      struct clang_args *ret)
{
  static const char *const common[] = {
      "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
      /* printf and its like in code for both, which clang 16 refuses */
      "-Xclang", "-fcuda-allow-variadic-functions",
      "-nobuiltininc", /* below the working directory */
      "-fbracket-depth=256", "-ferror-limit=16", "-ftemplate-depth=512", "-w",
      "-Wno-unknown-cuda-version", "-fno-spell-checking", "-Wno-error",
      /* as nvcc, which warns */
      "-Wno-register", "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal",
      "-fgpu-rdc"}; /* launches in kernels are nvcc's affair */
  *ret = (struct clang_args){0};
  for (unsigned i = 0; i < sizeof common / sizeof *common; i++) push(arena, ret, common[i]);
  /* the name that clang 16 has for it, too */
  bool newest = !strcmp(options->standard, "c++23") || !strcmp(options->standard, "gnu++23");
  const char *standard =
      newest ? arena_format(arena, "%.*s2b", (int)strlen(options->standard) - 2, options->standard)
             : options->standard;
  push(arena, ret, arena_format(arena, "-std=%s", standard));
  push(arena, ret,
       arena_format(arena, "--cuda-gpu-arch=sm_%u", options->arch >= 100 ? 90 : options->arch));
  push(arena, ret, "-isystem");
  push(arena, ret, options->prelude);
  push(arena, ret, "-isystem");
  push(arena, ret, options->runtime);
  if (options->toolkit) {
    push(arena, ret, arena_format(arena, "--cuda-path=%s", options->toolkit));
    push(arena, ret, "-isystem");
    push(arena, ret, arena_format(arena, "%s/include", options->toolkit));
    push(arena, ret, "-isystem"); /* where the toolkit keeps libcu++, Thrust and CUB since 13.0 */
    push(arena, ret, arena_format(arena, "%s/include/cccl", options->toolkit));
  } else {
    push(arena, ret, "-isystem");
    push(arena, ret, options->surface);
    if (options->cccl) {
      push(arena, ret, "-idirafter");
      push(arena, ret, options->cccl);
    }
  }
  const char *const built_in[] = {resource_directory(arena), options->compiler,
                                  arena_format(arena, "%s/removed", options->prelude)};
  for (unsigned i = 0; i < sizeof built_in / sizeof *built_in;
       i++) { /* the latter for what clang lacks: omp.h */
    if (!built_in[i]) continue;
    push(arena, ret, "-idirafter");
    push(arena, ret, built_in[i]);
  }
}
