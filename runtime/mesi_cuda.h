/* mesi_cuda.h - included first by the CUDA files that mesicc emits. For nvcc, or clang as a CUDA compiler. */
#ifndef MESI_CUDA_H
#define MESI_CUDA_H

#include <cuda_runtime.h>

#include "mesi_emitted.h"
#include "mesi_map.h"

/* A kernel reaches a VS variable through a pointer in constant memory, which the runtime sets. */
#define MESI_CONSTANT __constant__

/* A VS variable of an anonymous namespace is declared `extern` there and gets its definition through the alias, which
 * nvcc reports as "referenced but not defined". */
#if defined(__NVCC__)
#pragma nv_diag_suppress 114
#endif

#endif
