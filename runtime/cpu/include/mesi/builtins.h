/* SPDX-License-Identifier: MIT */
/* builtins.h - threadIdx, blockIdx, blockDim, gridDim, warpSize. The scheduler sets them at each
 * switch; kernels do not write them. */
#ifndef MESI_CUDA_BUILTINS_H
#define MESI_CUDA_BUILTINS_H

#include "vectors.h"

#if MESI_PARSE
extern "C" {
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;
}
#else
extern "C" {
/* __thread, not thread_local: no initialisation to check at each use */
extern __thread uint3 threadIdx, blockIdx;
extern __thread dim3 blockDim, gridDim;
}
static const int warpSize = 32;
#endif

#endif
