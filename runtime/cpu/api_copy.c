/* SPDX-License-Identifier: MIT */
/* api_copy.c - copies and fills. All memory is host memory, so that a direction is only checked for
 * validity. */
#include "api_internal.h"

#include <stdint.h>
#include <string.h>

static cudaError_t check_copy(const void *dst, const void *src, size_t bytes,
                              enum cudaMemcpyKind kind)
{
  if ((unsigned)kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  return bytes && (!dst || !src) ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t check_stream(cudaStream_t stream)
{
  return api_stream_valid(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
  cudaError_t error = check_copy(dst, src, bytes, kind);
  if (!error && bytes) memmove(dst, src, bytes);
  return api_return(error);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
  cudaError_t error = check_stream(stream);
  return error ? api_return(error) : cudaMemcpy(dst, src, bytes, kind);
}

cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t bytes)
{
  if (dst_device != 0 || src_device != 0) return api_return(cudaErrorInvalidDevice);
  return cudaMemcpy(dst, src, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                size_t bytes, cudaStream_t stream)
{
  cudaError_t error = check_stream(stream);
  return error ? api_return(error) : cudaMemcpyPeer(dst, dst_device, src, src_device, bytes);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
  cudaError_t error = check_copy(dst, src, width * height, kind);
  if (!error && (width > dpitch || width > spitch)) error = cudaErrorInvalidPitchValue;
  for (size_t y = 0; !error && width && y < height; y++)
    memmove((char *)dst + y * dpitch, (const char *)src + y * spitch, width);
  return api_return(error);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
  cudaError_t error = check_stream(stream);
  return error ? api_return(error) : cudaMemcpy2D(dst, dpitch, src, spitch, width, height, kind);
}

static char *row(struct cudaPitchedPtr p, struct cudaPos pos, size_t y, size_t z)
{
  return (char *)p.ptr + ((pos.z + z) * p.ysize + pos.y + y) * p.pitch + pos.x;
}

/* The rows of one side of a copy: an array, or memory. The width of `extent` is in bytes. */
static cudaError_t find_rows(cudaArray_const_t array, struct cudaPitchedPtr memory,
                             struct cudaPos pos, struct cudaExtent extent, struct api_rows *ret)
{
  if (array) return api_array_rows(array, pos, extent, ret) ? cudaSuccess : cudaErrorInvalidValue;
  *ret = (struct api_rows){row(memory, pos, 0, 0), memory.pitch, memory.ysize};
  if (!memory.ptr && extent.width && extent.height && extent.depth) return cudaErrorInvalidValue;
  return extent.width > memory.pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
  if (!p) return api_return(cudaErrorInvalidValue);
  struct cudaExtent e = p->extent; /* its width is in elements where an array takes part */
  if (p->srcArray || p->dstArray)
    e.width *= api_array_element(p->srcArray ? p->srcArray : p->dstArray);
  struct api_rows from = {0}, to = {0};
  cudaError_t error =
      (unsigned)p->kind > cudaMemcpyDefault ? cudaErrorInvalidMemcpyDirection : cudaSuccess;
  if (!error) error = find_rows(p->srcArray, p->srcPtr, p->srcPos, e, &from);
  if (!error) error = find_rows(p->dstArray, p->dstPtr, p->dstPos, e, &to);
  for (size_t z = 0; !error && z < e.depth; z++)
    for (size_t y = 0; y < e.height; y++)
      memmove(to.first + (z * to.height + y) * to.pitch,
              from.first + (z * from.height + y) * from.pitch, e.width);
  return api_return(error);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parms, cudaStream_t stream)
{
  cudaError_t error = check_stream(stream);
  return error ? api_return(error) : cudaMemcpy3D(parms);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes)
{
  if (bytes && !pointer) return api_return(cudaErrorInvalidValue);
  if (bytes) memset(pointer, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream)
{
  cudaError_t error = check_stream(stream);
  return error ? api_return(error) : cudaMemset(pointer, value, bytes);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height)
{
  if (width > pitch || (width && height && !pointer)) return api_return(cudaErrorInvalidValue);
  for (size_t y = 0; width && y < height; y++) memset((char *)pointer + y * pitch, value, width);
  return cudaSuccess;
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
  cudaError_t error = check_stream(stream);
  return error ? api_return(error) : cudaMemset2D(pointer, pitch, value, width, height);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent)
{
  struct cudaPos origin = {0, 0, 0};
  if (extent.width > pointer.pitch || !pointer.ptr) return api_return(cudaErrorInvalidValue);
  for (size_t z = 0; z < extent.depth; z++)
    for (size_t y = 0; y < extent.height; y++)
      memset(row(pointer, origin, y, z), value, extent.width);
  return cudaSuccess;
}

/* ---- symbols: a device variable is an ordinary variable ---- */

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
  if (!symbol) return api_return(cudaErrorInvalidSymbol);
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return api_return(cudaErrorInvalidMemcpyDirection);
  return cudaMemcpy((char *)(uintptr_t)symbol + offset, src, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
  if (!symbol) return api_return(cudaErrorInvalidSymbol);
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return api_return(cudaErrorInvalidMemcpyDirection);
  return cudaMemcpy(dst, (const char *)symbol + offset, bytes, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
  cudaError_t error = check_stream(stream);
  return error ? api_return(error) : cudaMemcpyToSymbol(symbol, src, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
  cudaError_t error = check_stream(stream);
  return error ? api_return(error) : cudaMemcpyFromSymbol(dst, symbol, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
  if (!pointer || !symbol)
    return api_return(symbol ? cudaErrorInvalidValue : cudaErrorInvalidSymbol);
  *pointer = (void *)(uintptr_t)symbol;
  return cudaSuccess;
}
