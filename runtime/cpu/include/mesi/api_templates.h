/* SPDX-License-Identifier: MIT */
/* api_templates.h - the runtime API's C++ forms: typed pointers, symbols, kernels. */
#ifndef MESI_CUDA_API_TEMPLATES_H
#define MESI_CUDA_API_TEMPLATES_H

#include "api.h"

template <class MesiT> cudaError_t cudaMalloc(MesiT **pointer, size_t bytes)
{
  return cudaMalloc((void **)pointer, bytes);
}
template <class MesiT>
cudaError_t cudaMallocHost(MesiT **pointer, size_t bytes, unsigned int flags = 0)
{
  return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class MesiT> cudaError_t cudaHostAlloc(MesiT **pointer, size_t bytes, unsigned int flags)
{
  return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class MesiT>
cudaError_t cudaMallocManaged(MesiT **pointer, size_t bytes,
                              unsigned int flags = cudaMemAttachGlobal)
{
  return cudaMallocManaged((void **)pointer, bytes, flags);
}
template <class MesiT>
cudaError_t cudaMallocPitch(MesiT **pointer, size_t *pitch, size_t width, size_t height)
{
  return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class MesiT>
cudaError_t cudaMallocAsync(MesiT **pointer, size_t bytes, cudaStream_t stream)
{
  return cudaMallocAsync((void **)pointer, bytes, stream);
}
template <class MesiT>
cudaError_t cudaHostGetDevicePointer(MesiT **device, void *host, unsigned int flags)
{
  return cudaHostGetDevicePointer((void **)device, host, flags);
}

/* ---- symbols ---- */

template <class MesiT>
cudaError_t cudaMemcpyToSymbol(const MesiT &symbol, const void *src, size_t bytes,
                               size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
  return cudaMemcpyToSymbol((const void *)&symbol, src, bytes, offset, kind);
}
template <class MesiT>
cudaError_t cudaMemcpyFromSymbol(void *dst, const MesiT &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
  return cudaMemcpyFromSymbol(dst, (const void *)&symbol, bytes, offset, kind);
}
template <class MesiT>
cudaError_t cudaMemcpyToSymbolAsync(const MesiT &symbol, const void *src, size_t bytes,
                                    size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = 0)
{
  return cudaMemcpyToSymbolAsync((const void *)&symbol, src, bytes, offset, kind, stream);
}
template <class MesiT>
cudaError_t
cudaMemcpyFromSymbolAsync(void *dst, const MesiT &symbol, size_t bytes, size_t offset = 0,
                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
  return cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class MesiT, class MesiP>
cudaError_t cudaGetSymbolAddress(MesiP **pointer, const MesiT &symbol)
{
  return cudaGetSymbolAddress((void **)pointer, (const void *)&symbol);
}
template <class MesiT> cudaError_t cudaGetSymbolSize(size_t *bytes, const MesiT &)
{
  *bytes = sizeof(MesiT);
  return cudaSuccess;
}

/* ---- kernels ---- */

template <class... MesiP>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(MesiP...))
{
  return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class... MesiP>
cudaError_t cudaFuncSetAttribute(void (*kernel)(MesiP...), cudaFuncAttribute attribute, int value)
{
  return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class... MesiP>
cudaError_t cudaFuncSetCacheConfig(void (*kernel)(MesiP...), cudaFuncCache config)
{
  return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class... MesiP>
cudaError_t cudaFuncSetSharedMemConfig(void (*kernel)(MesiP...), cudaSharedMemConfig config)
{
  return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class... MesiP>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(MesiP...),
                                                          int threads, size_t shared)
{
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                       shared);
}
template <class... MesiP>
cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void (*kernel)(MesiP...),
                                                       int threads, size_t shared, unsigned int)
{
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                       shared);
}
template <class... MesiP>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, void (*kernel)(MesiP...),
                                                      int blocks, int threads)
{
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, threads);
}

/* The block size with the most threads on a multiprocessor; `shared_of(threads)` gives the dynamic
 * shared memory. */
template <class Shared, class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, Kernel kernel,
                                                           Shared shared_of, int limit = 0)
{
  int best = 0, processors = 1;
  if (limit <= 0 || limit > 1024) limit = 1024;
  for (int threads = limit - limit % 32; threads >= 32; threads -= 32) {
    int blocks = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_of(threads));
    if (error != cudaSuccess) return error;
    if (blocks * threads <= best) continue;
    best = blocks * threads;
    *block = threads;
    *grid = blocks;
  }
  if (best == 0) return cudaErrorInvalidValue;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  *grid *= processors;
  return cudaSuccess;
}
template <class Shared, class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block,
                                                                    Kernel kernel, Shared shared_of,
                                                                    int limit = 0, unsigned int = 0)
{
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, shared_of, limit);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, Kernel kernel,
                                               size_t shared = 0, int limit = 0)
{
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid, block, kernel, [shared](int) { return shared; }, limit);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, Kernel kernel,
                                                        size_t shared = 0, int limit = 0,
                                                        unsigned int = 0)
{
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared, limit);
}

#if MESI_PARSE
template <class... MesiP>
cudaError_t cudaLaunchKernel(void (*kernel)(MesiP...), dim3 grid, dim3 block, void **args,
                             size_t shared = 0, cudaStream_t stream = 0);
template <class... MesiP>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(MesiP...), dim3 grid, dim3 block,
                                        void **args, size_t shared = 0, cudaStream_t stream = 0);
template <class... MesiP, class... MesiA>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(MesiP...),
                               MesiA &&...args);
#endif /* else in mesi_cpu.h */

#endif
