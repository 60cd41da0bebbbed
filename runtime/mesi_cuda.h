/* mesi_cuda.h - included first by the CUDA files that mesicc emits. For nvcc, or clang as a CUDA compiler. */
#ifndef MESI_CUDA_H
#define MESI_CUDA_H

#include <cuda_runtime.h>

#include "mesi_emitted.h"

/* A kernel reaches a VS variable through a pointer in constant memory, which the runtime sets. */
#define MESI_CONSTANT __constant__

/* The stream of the launch that is being made, for the runtime; returned as it is. */
inline cudaStream_t mesi_stream(cudaStream_t stream)
{
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
  mesi_launch_stream((void *)(stream ? stream : cudaStreamPerThread));
#else
  mesi_launch_stream((void *)stream);
#endif
  return stream;
}

/* A VS variable of an anonymous namespace is declared `extern` there and gets its definition through the alias, which
 * nvcc reports as "referenced but not defined". */
#if defined(__NVCC__)
#pragma nv_diag_suppress 114
#endif

#endif
