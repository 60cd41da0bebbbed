/* SPDX-License-Identifier: MIT */
/* paths.h - the places of mesicc's own files and of the machine's tools. */
#ifndef MESI_DRIVER_PATHS_H
#define MESI_DRIVER_PATHS_H

#include <stdbool.h>

#include "translator/driver/options.h"

struct paths {
  const char *runtime; /* directory of mesi.h, mesi_cuda.h */
  const char *cpu;     /* directory of mesi_cpu.h */
  const char *surface; /* directory of the project's own CUDA headers */
  const char *prelude; /* directory of the parser's preludes */
  /* directory of the host compiler's own headers, such as omp.h; NULL: not found */
  const char *compiler;
  const char *cpu_library, *cpu_core_library; /* libmesi_cpu.a, libmesi_cpu_core.a */
  /* of prove; built only where LLVM's headers are */
  const char *instrument, *prove_library, *prove_helpers;
  const char *cuda_library; /* libmesi.a; exists only where it was built with a toolkit */
  const char *bundle; /* directory of the files that bundles copy: runtime, translator, testsuite */
  const char *toolkit; /* CUDA toolkit; NULL: none */
  const char *cccl;    /* the toolkit's directory of Thrust and libcu++ alone; NULL: none */
  const char *nvcc;    /* NULL: none */
  const char *cache;   /* directory for precompiled headers; NULL: none could be created */
};

/* Finds them from the program's own place: the build tree or an installation. Warns once of a cache
 * to which others can write. */
void paths_find(struct arena *arena, const struct options *options, struct diag *diag,
                struct paths *ret);
/* The toolkit of the nvcc with this name, which may be a link or a script; NULL: unknown. */
const char *paths_toolkit_of(struct arena *arena, const char *nvcc);
/* The output of `nvcc --list-gpu-arch`: a line "compute_90" each; NULL: it has none. */
const char *paths_nvcc_archs(struct arena *arena, const char *nvcc);
bool paths_have_gpu(void); /* a device node of the NVIDIA driver exists */

#endif
