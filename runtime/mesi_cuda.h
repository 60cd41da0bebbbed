/* SPDX-License-Identifier: MIT */
/* mesi_cuda.h - included first by the CUDA files that mesicc emits. For nvcc, or clang as a CUDA
 * compiler. */
#ifndef MESI_CUDA_H
#define MESI_CUDA_H

#include <cuda_runtime.h>

#include "mesi_emitted.h"
#include "mesi_start.h"
#include "mesi_apart.h"
#include "mesi_map.h"
#include "mesi_lanes.h"
#include "mesi_divide.h"
#include "mesi_power.h"
#include "mesi_triples.h"
#include "mesi_sums.h"
#include "mesi_halves.h"
#include "mesi_strip.h"
#include "mesi_product.h"
#include "mesi_plan.h"
#include "mesi_parts.h"
#include "mesi_steps.h"

/* A kernel reaches a VS variable through a pointer in constant memory, which the runtime sets. */
#define MESI_CONSTANT __constant__

/* Tells the runtime the stream of the launch that is being made; returns it. */
inline cudaStream_t mesi_stream(cudaStream_t stream)
{
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
  mesi_launch_stream((void *)(stream ? stream : cudaStreamPerThread));
#else
  mesi_launch_stream((void *)stream);
#endif
  return stream;
}

#include "mesi_address.h"

/* A VS variable of an anonymous namespace is declared `extern` there and gets its definition
 * through the alias, which nvcc reports as "referenced but not defined". */
#if defined(__NVCC__)
#pragma nv_diag_suppress 114
#endif

template <class... MesiP> struct mesi_batched_launch {
  void (*kernel)(MesiP...);
  dim3 grid, block;
  size_t shared;

  void operator()(MesiP... values) const
  {
    void *args[] = {(void *)&values..., nullptr};
    const size_t sizes[] = {sizeof values..., 0};
    const struct mesi_kernel_launch launch = {(const void *)kernel,
                                              {grid.x, grid.y, grid.z},
                                              {block.x, block.y, block.z},
                                              shared,
                                              args,
                                              sizes,
                                              (unsigned)sizeof...(MesiP)};
#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM
    if (mesi_batch_add(&launch)) return;
#endif
    cudaLaunchKernel(launch.function, grid, block, args, shared, 0);
  }
};

/* mesi_batched(k, grid, block)(a, b) is k<<<grid, block>>>(a, b); a mesi_batch may hold it back. */
template <class... MesiP>
mesi_batched_launch<MesiP...> mesi_batched(void (*kernel)(MesiP...), dim3 grid, dim3 block,
                                           size_t shared = 0)
{
  return {kernel, grid, block, shared};
}

/* mesi_stepped(k_in_steps, k_steps, k_mapped, grid, block, mapped grid, mapped block)(a, b) is a
 * launch of k_mapped. A mesi_batch may hold it back, and make it and those that follow as one
 * launch of k_steps. */
template <class... MesiP> struct mesi_stepped_launch {
  const mesi_steps &steps;
  const void *function;
  void (*kernel)(MesiP...);
  unsigned long long totals[3];
  dim3 grid, block;

  static int start(const struct mesi_kernel_launch *launch)
  {
    return (int)cudaLaunchKernel(launch->function,
                                 dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
                                 dim3(launch->block[0], launch->block[1], launch->block[2]),
                                 const_cast<void **>(launch->args), launch->shared, 0);
  }

  void operator()(MesiP... values) const
  {
#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM
    void *args[] = {(void *)&values..., nullptr};
    const size_t sizes[] = {sizeof values..., 0};
    const struct mesi_kernel_launch launch = {(const void *)kernel,
                                              {grid.x, grid.y, grid.z},
                                              {block.x, block.y, block.z},
                                              0,
                                              args,
                                              sizes,
                                              (unsigned)sizeof...(MesiP)};
    if (mesi_steps_add(&steps, &launch, start, function, start, totals)) return;
#endif
    mesi_batched(kernel, grid, block)(values...);
  }
};

template <class... MesiS, class... MesiP>
mesi_stepped_launch<MesiP...> mesi_stepped(const mesi_steps &steps, void (*function)(MesiS...),
                                           void (*kernel)(MesiP...), dim3 written_grid,
                                           dim3 written_block, dim3 grid, dim3 block)
{
  return {steps,
          (const void *)function,
          kernel,
          {(unsigned long long)written_grid.x * written_block.x,
           (unsigned long long)written_grid.y * written_block.y,
           (unsigned long long)written_grid.z * written_block.z},
          grid,
          block};
}

/* mesi_parted(k, k_part, 0, grid, block)(a, b) is k<<<grid, block>>>(a, b), or several launches of
 * k_part. */
struct mesi_part_start {
  dim3 block;
  size_t shared;
  cudaStream_t stream;

  template <class MesiKernel, class... MesiV>
  void operator()(MesiKernel kernel, dim3 grid, MesiV &...values) const
  {
    void *args[] = {(void *)&values..., nullptr};
    if (shared > 49152) /* the launch has opted in on its own device only */
      cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           (int)shared);
    cudaLaunchKernel((const void *)kernel, grid, block, args, shared, stream);
  }

  mesi_part_start of_part() const
  {
    return {block, shared, (cudaStream_t)mesi_launch_part_stream((void *)stream)};
  }
};

template <class... MesiP> struct mesi_parted_launch {
  mesi_part_kernels<MesiP...> kernels;
  dim3 grid;
  mesi_part_start start;

  void operator()(MesiP... values) const { kernels.launch(start, grid, values...); }
};

template <class... MesiP>
mesi_parted_launch<MesiP...>
mesi_parted(void (*kernel)(MesiP...), typename mesi_same<void (*)(MesiP..., mesi_run)>::type part,
            int axis, dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0)
{
  return {{kernel, part, axis, false}, grid, {block, shared, stream}};
}

template <class... MesiP>
mesi_parted_launch<MesiP...> mesi_parted(const mesi_part_kernels<MesiP...> &kernels, dim3 grid,
                                         dim3 block, size_t shared = 0, cudaStream_t stream = 0)
{
  return {kernels, grid, {block, shared, stream}};
}

/* mesi_batched(mesi_runs(k, k_part, 0), grid, block)(a, b) is k<<<grid, block>>>(a, b), which a
 * mesi_batch may hold back on one device, or a launch of k_part on each of several. */
template <class MesiHeld, class... MesiP> struct mesi_held_or_parts {
  mesi_part_kernels<MesiP...> kernels;
  MesiHeld held;
  mesi_part_start start;

  void operator()(MesiP... values) const
  {
    if (!kernels.launch_parts(start, held.grid, values...)) held(values...);
  }
};

template <class... MesiP>
mesi_held_or_parts<mesi_batched_launch<MesiP...>, MesiP...>
mesi_batched(const mesi_part_kernels<MesiP...> &kernels, dim3 grid, dim3 block, size_t shared = 0)
{
  return {kernels, mesi_batched(kernels.whole, grid, block, shared), {block, shared, 0}};
}

template <class... MesiS, class... MesiP>
mesi_held_or_parts<mesi_stepped_launch<MesiP...>, MesiP...>
mesi_stepped(const mesi_steps &steps, void (*function)(MesiS...),
             const mesi_part_kernels<MesiP...> &kernels, dim3 written_grid, dim3 written_block,
             dim3 grid, dim3 block)
{
  return {kernels,
          mesi_stepped(steps, function, kernels.whole, written_grid, written_block, grid, block),
          {block, 0, 0}};
}

/* mesi_parted_or(m, k, k_part, 0, grid, block)(a, b, added) is m<<<grid, block>>>(a, b, added), or
 * several launches of k_part with the grid and block of mesi_map and without the added
 * arguments. */
template <class MesiKernels, class... MesiM> struct mesi_mapped_launch {
  mesi_mapped_kernels<MesiKernels, MesiM...> kernels;
  dim3 grid;
  mesi_part_start start;

  void operator()(MesiM... values) const
  {
    kernels.launch(start, mesi_part_start{kernels.block, 0, start.stream}, grid, values...);
  }
};

template <class... MesiM, class... MesiP>
mesi_mapped_launch<mesi_part_kernels<MesiP...>, MesiM...>
mesi_parted_or(void (*mapped)(MesiM...), void (*kernel)(MesiP...),
               typename mesi_same<void (*)(MesiP..., mesi_run)>::type part, int axis, dim3 grid,
               dim3 block, size_t shared = 0, cudaStream_t stream = 0)
{
  return {mesi_mapped_or_parts(mapped, kernel, part, axis), grid, {block, shared, stream}};
}

#endif
