/* clang_args.c - the command line that libclang gets. */
#include "translator/base/file.h"
#include "translator/frontend/internal.h"

static void push(struct arena *arena, struct clang_args *args, const char *arg)
{
  *ARENA_PUSH(arena, &args->list) = arg;
}

void clang_args_build(struct arena *arena, const struct frontend_options *options,
                      struct clang_args *ret)
{
  static const char *const common[] = {"-x",
                                       "cuda",
                                       "--cuda-host-only",
                                       "-nocudainc",
                                       "-nocudalib",
                                       "-fbracket-depth=256",
                                       "-ferror-limit=16",
                                       "-ftemplate-depth=512",
                                       "-w",
                                       "-Wno-unknown-cuda-version",
                                       "-fno-spell-checking",
                                       "-Wno-error",
                                       "-Wno-register",        /* as nvcc, which warns */
                                       "-Wno-c++11-narrowing", /* likewise */
                                       "-Wno-reserved-user-defined-literal", /* likewise */
                                       "-fgpu-rdc"}; /* launches in kernels are nvcc's affair */
  ;
  *ret = (struct clang_args){0};
  for (unsigned i = 0; i < sizeof common / sizeof *common; i++) push(arena, ret, common[i]);
  push(arena, ret, arena_format(arena, "-std=%s", options->standard));
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
  if (!options->compiler) return; /* what clang lacks: omp.h */
  push(arena, ret, "-idirafter");
  push(arena, ret, options->compiler);
}
