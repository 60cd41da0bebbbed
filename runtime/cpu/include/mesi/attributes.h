/* SPDX-License-Identifier: MIT */
/* attributes.h - CUDA's keywords.
 *
 * Two modes, by MESI_PARSE. When clang parses CUDA (__CUDA__) the keywords are attributes, for the
 * analysis. When the host compiler builds emitted code they are empty, or have their plain C++
 * meaning.
 */
#ifndef MESI_CUDA_ATTRIBUTES_H
#define MESI_CUDA_ATTRIBUTES_H
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && defined(__clang__)
#define MESI_PARSE 1
#else
#define MESI_PARSE 0
#endif

#if MESI_PARSE
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ \
  __attribute__((global)) __attribute__((annotate("mesi.global"))) /* also on variables */
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ \
  __attribute__((device)) __attribute__((annotate("mesi.managed"))) /* clang has it for HIP only \
                                                                     */
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#define __cluster_dims__(...)
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#else
#define __host__
#define __device__
#define __global__
#define __shared__ thread_local /* the threads of a block are fibers of one OS thread */
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
/* no __cluster_dims__: clusters are not supported */
#endif

#define __maxnreg__(...)
#define __nv_pure__
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDART_CB
#if !MESI_PARSE /* clang knows __noinline__ itself; elsewhere the standard headers use it inside \
                   __attribute__ */
#define __noinline__
#endif

#define MESI_CUDA_ARCH 900 /* __CUDA_ARCH__ in device code: translator/frontend/host_text.c */

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#endif
#if defined(__cplusplus) && !defined(__CUDACC_EXTENDED_LAMBDA__)
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#endif

#endif
