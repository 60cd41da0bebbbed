/* SPDX-License-Identifier: MIT */
/* cuda_runtime.h - the CUDA surface without a toolkit: keywords, types, the runtime API, device
 * functions.
 *
 * Serves the CPU backend (host compiler, C++14 and later) and, for analysis, clang in CUDA mode. In
 * the latter all functions, those of the standard headers below included, are made host and device
 * functions.
 */
#ifndef MESI_CUDA_RUNTIME_H
#define MESI_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#include "mesi/attributes.h"

#ifdef __cplusplus
#if MESI_PARSE
extern "C" { /* clang's <new> uses them */
__attribute__((host, device)) void *malloc(__SIZE_TYPE__) noexcept;
__attribute__((host, device)) void free(void *) noexcept;
}
#include <new>
#include <utility> /* these two declare for later headers, whose definitions are for the host */
#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h>
#endif
#pragma clang force_cuda_host_device begin
#endif
#include <assert.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <new>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>
#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif
#endif

#include "cuda_runtime_api.h"

#if MESI_PARSE
extern "C" __device__ void __syncthreads(); /* a builtin of clang, for the device alone */
#endif

#ifdef __cplusplus
#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif
#include "mesi/builtins.h"
#include "mesi/math.h"
#include "mesi/rounding.h"
#include "mesi/integers.h"
#include "mesi/simd.h"
#include "mesi/memory.h"
#include "mesi/atomics.h"
#include "mesi/nv_atomics.h"
#include "mesi/warp.h"
#include "mesi/api_templates.h"
#include "mesi/texture_functions.h"
#if MESI_PARSE
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, unsigned long shared = 0,
                                                void *stream = 0);
extern "C" cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                                         cudaStream_t stream = 0);
#pragma clang force_cuda_host_device end
#endif
#endif

#endif
