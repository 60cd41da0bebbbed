/* api_templates.h - the runtime API's C++ forms: typed pointers, symbols, kernels. */
#ifndef MESI_CUDA_API_TEMPLATES_H
#define MESI_CUDA_API_TEMPLATES_H

#include "api.h"

template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes) { return cudaMalloc((void **)pointer, bytes); }
template <class T> cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class T> cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)pointer, bytes, flags);
}
template <class T> cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
  return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class T> cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void **)pointer, bytes, stream);
}
template <class T> cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
  return cudaHostGetDevicePointer((void **)device, host, flags);
}

/* ---- symbols -------------------------------------------------------------------------------------- */

template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, src, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(dst, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, src, bytes, offset, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T, class P> cudaError_t cudaGetSymbolAddress(P **pointer, const T &symbol) {
  return cudaGetSymbolAddress((void **)pointer, (const void *)&symbol);
}
template <class T> cudaError_t cudaGetSymbolSize(size_t *bytes, const T &) {
  *bytes = sizeof(T);
  return cudaSuccess;
}

/* ---- kernels -------------------------------------------------------------------------------------- */

template <class... P> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(P...)) {
  return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class... P> cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class... P> cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...), cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class... P> cudaError_t cudaFuncSetSharedMemConfig(void (*kernel)(P...), cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(P...), int threads,
                                                          size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads, shared);
}
template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void (*kernel)(P...), int threads,
                                                                   size_t shared, unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads, shared);
}
template <class... P>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, void (*kernel)(P...), int blocks, int threads) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, threads);
}

/* The block size with the most threads on a multiprocessor; `shared_of(threads)` gives the dynamic shared memory. */
template <class Shared, class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, void (*kernel)(P...),
                                                           Shared shared_of, int limit = 0) {
  int best = 0, processors = 1;
  if (limit <= 0 || limit > 1024) limit = 1024;
  for (int threads = limit - limit % 32; threads >= 32; threads -= 32) {
    int blocks = 0;
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_of(threads));
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
template <class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, void (*kernel)(P...), size_t shared = 0,
                                               int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, [shared](int) { return shared; }, limit);
}

#if MESI_PARSE
template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **args, size_t shared = 0,
                             cudaStream_t stream = 0);
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **args, size_t shared = 0,
                                        cudaStream_t stream = 0);
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...args);
#endif /* else in mesi_cpu.h */

#endif
