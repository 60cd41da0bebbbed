/* SPDX-License-Identifier: MIT */
/* mesi_start.h - the launches of an emitted file, on their way to CUDA. Included by mesi_cuda.h.
 *
 * k<<<grid, block>>>(a) calls cudaLaunchKernel, or __cudaLaunchKernel with a handle in place of k.
 * Where several ranks run the program, another one may be about to make the launch: its arguments
 * have been evaluated by then, and it is passed over. So these functions have the names of those
 * below in this file, and the real ones have other names.
 * A program without virtual shared data may be linked without the library: there is one rank then.
 */
#ifndef MESI_EMITTED_START_H
#define MESI_EMITTED_START_H

#include "mesi.h"

#include <cuda_runtime.h>

#if !defined(__CUDACC_RTC__) && (defined(__linux__) || defined(__unix__))

/* One of CUDA's functions with the parameters of cudaLaunchKernel, and what stands in its place. */
#define MESI_START(real, own, of, handle) \
  cudaError_t CUDARTAPI real(handle, dim3, dim3, void **, std::size_t, \
                             cudaStream_t) __asm__(#own); \
  cudaError_t of(handle, dim3, dim3, void **, std::size_t, cudaStream_t) __asm__(#real); \
  __attribute__((weak, visibility("hidden"))) cudaError_t own( \
      handle kernel, dim3 grid, dim3 block, void **args, std::size_t shared, cudaStream_t stream) \
  { \
    const unsigned blocks[] = {grid.x, grid.y, grid.z}, threads[] = {block.x, block.y, block.z}; \
    if (mesi_launch_elsewhere && mesi_launch_elsewhere(blocks, threads)) return cudaSuccess; \
    return of(kernel, grid, block, args, shared, stream); \
  }

extern "C" {
extern int mesi_launch_elsewhere(const unsigned grid[3], const unsigned block[3])
    __attribute__((weak));

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
MESI_START(cudaLaunchKernel_ptsz, mesi_start_kernel_ptsz, mesi_cuda_kernel_ptsz, const void *)
MESI_START(cudaLaunchCooperativeKernel_ptsz, mesi_start_team_ptsz, mesi_cuda_team_ptsz,
           const void *)
#if CUDART_VERSION >= 13000
MESI_START(__cudaLaunchKernel_ptsz, mesi_start_handle_ptsz, mesi_cuda_handle_ptsz, cudaKernel_t)
#endif
#else
MESI_START(cudaLaunchKernel, mesi_start_kernel, mesi_cuda_kernel, const void *)
MESI_START(cudaLaunchCooperativeKernel, mesi_start_team, mesi_cuda_team, const void *)
#if CUDART_VERSION >= 13000
MESI_START(__cudaLaunchKernel, mesi_start_handle, mesi_cuda_handle, cudaKernel_t)
#endif
#endif
}

#undef MESI_START
#endif

#endif
