/* SPDX-License-Identifier: MIT */
/* api_texture.c - arrays, texture objects, surface objects.
 *
 *     cudaMallocArray, cudaMemcpy2DToArray, cudaCreateTextureObject,
 *         then in kernels tex2D<float>(object, x, y)
 *
 * An array lies in memory row by row, without padding; a layer is a slice. A texture object is a
 * pointer to its description. Fetches follow the CUDA programming guide's chapter "Texture
 * Fetching": coordinates, address modes and 8 bits of fraction between texels. There are no
 * mipmaps, cubemaps, anisotropy and sRGB.
 */
#include "api_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct cudaArray {
  struct cudaChannelFormatDesc desc;
  struct cudaExtent extent; /* as given: 0 for a missing dimension */
  unsigned flags;
  size_t element;              /* bytes */
  size_t width, height, depth; /* of the memory: 1 for a missing dimension */
  char *data;
};

struct view { /* the memory that a texture or surface reads */
  char *data;
  struct cudaChannelFormatDesc desc;
  size_t element, width, height, depth, pitch;
};

struct object {
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
  struct view view;
};

static size_t element_size(const struct cudaChannelFormatDesc *d)
{
  return (size_t)(d->x + d->y + d->z + d->w) / 8;
}

static int channels(const struct cudaChannelFormatDesc *d)
{
  return !!d->x + !!d->y + !!d->z + !!d->w;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
  struct cudaChannelFormatDesc desc = {x, y, z, w, f};
  return desc;
}

/* ---- arrays ---- */

cudaError_t cudaMalloc3DArray(cudaArray_t *ret, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags)
{
  if (!ret || !desc || !extent.width) return api_return(cudaErrorInvalidValue);
  if (flags & ~(unsigned)(cudaArrayLayered | cudaArraySurfaceLoadStore))
    return api_return(cudaErrorNotSupported);
  size_t element = element_size(desc);
  if (!element || element > 16 || (desc->x & 7))
    return api_return(cudaErrorInvalidChannelDescriptor);
  struct cudaArray *array = calloc(1, sizeof *array);
  if (!array) return api_return(cudaErrorMemoryAllocation);
  *array = (struct cudaArray){*desc,
                              extent,
                              flags,
                              element,
                              extent.width,
                              extent.height ? extent.height : 1,
                              extent.depth ? extent.depth : 1,
                              NULL};
  if (!(array->data = calloc(array->width * array->height * array->depth, element))) {
    free(array);
    return api_return(cudaErrorMemoryAllocation);
  }
  *ret = array;
  return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *ret, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags)
{
  return cudaMalloc3DArray(ret, desc, make_cudaExtent(width, height, 0), flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
  if (array) free(array->data);
  free(array);
  return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array)
{
  if (!array) return api_return(cudaErrorInvalidResourceHandle);
  if (desc) *desc = array->desc;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
  return cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)(uintptr_t)array);
}

/* The address of byte x of the row; NULL: x, or x + width, is outside. */
static char *array_row(const struct cudaArray *array, size_t x, size_t y, size_t z, size_t width)
{
  size_t pitch = array->width * array->element;
  if (x > pitch || width > pitch - x || y >= array->height || z >= array->depth) return NULL;
  return array->data + (z * array->height + y) * pitch + x;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t spitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
  if (!dst) return api_return(cudaErrorInvalidResourceHandle);
  if (height && !array_row(dst, x, y + height - 1, 0, width))
    return api_return(cudaErrorInvalidValue);
  return height ? cudaMemcpy2D(array_row(dst, x, y, 0, width), dst->width * dst->element, src,
                               spitch, width, height, kind)
                : cudaSuccess;
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
  if (!src) return api_return(cudaErrorInvalidResourceHandle);
  if (height && !array_row(src, x, y + height - 1, 0, width))
    return api_return(cudaErrorInvalidValue);
  return height ? cudaMemcpy2D(dst, dpitch, array_row(src, x, y, 0, width),
                               src->width * src->element, width, height, kind)
                : cudaSuccess;
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                     size_t spitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
  return api_stream_valid(stream) ? cudaMemcpy2DToArray(dst, x, y, src, spitch, width, height, kind)
                                  : api_return(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
  return api_stream_valid(stream)
             ? cudaMemcpy2DFromArray(dst, dpitch, src, x, y, width, height, kind)
             : api_return(cudaErrorInvalidResourceHandle);
}

/* The address of `bytes` bytes from (x, y) on; they may continue in further rows. */
static char *array_run(const struct cudaArray *array, size_t x, size_t y, size_t bytes)
{
  size_t pitch = array ? array->width * array->element : 0, at = y * pitch + x;
  return array && at <= pitch * array->height && bytes <= pitch * array->height - at
             ? array->data + at
             : NULL;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
                              enum cudaMemcpyKind kind)
{
  char *to = array_run(dst, x, y, bytes);
  return to ? cudaMemcpy(to, src, bytes, kind) : api_return(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind)
{
  const char *from = array_run(src, x, y, bytes);
  return from ? cudaMemcpy(dst, from, bytes, kind) : api_return(cudaErrorInvalidValue);
}

bool api_array_rows(cudaArray_const_t array, struct cudaPos pos, struct cudaExtent extent,
                    struct api_rows *ret)
{
  size_t x = pos.x * array->element;
  bool some = extent.width && extent.height && extent.depth;
  if (some &&
      !array_row(array, x, pos.y + extent.height - 1, pos.z + extent.depth - 1, extent.width))
    return false;
  *ret = (struct api_rows){some ? array_row(array, x, pos.y, pos.z, extent.width) : array->data,
                           array->width * array->element, array->height};
  return true;
}

size_t api_array_element(cudaArray_const_t array) { return array->element; }

/* ---- objects ---- */

static cudaError_t find_view(const struct cudaResourceDesc *resource, struct view *ret)
{
  const struct cudaArray *array = resource->res.array.array;
  switch (resource->resType) {
  case cudaResourceTypeArray:
    if (!array) return cudaErrorInvalidResourceHandle;
    *ret = (struct view){array->data,
                         array->desc,
                         array->element,
                         array->width,
                         array->height,
                         array->depth,
                         array->width * array->element};
    return cudaSuccess;
  case cudaResourceTypeLinear: {
    struct cudaChannelFormatDesc desc = resource->res.linear.desc;
    size_t element = element_size(&desc), bytes = resource->res.linear.sizeInBytes;
    if (!element || !resource->res.linear.devPtr) return cudaErrorInvalidValue;
    *ret = (struct view){resource->res.linear.devPtr, desc, element, bytes / element, 1, 1, bytes};
    return cudaSuccess;
  }
  case cudaResourceTypePitch2D: {
    struct cudaChannelFormatDesc desc = resource->res.pitch2D.desc;
    size_t element = element_size(&desc);
    if (!element || !resource->res.pitch2D.devPtr) return cudaErrorInvalidValue;
    *ret = (struct view){resource->res.pitch2D.devPtr,
                         desc,
                         element,
                         resource->res.pitch2D.width,
                         resource->res.pitch2D.height,
                         1,
                         resource->res.pitch2D.pitchInBytes};
    return cudaSuccess;
  }
  default: return cudaErrorNotSupported;
  }
}

static cudaError_t create(unsigned long long *ret, const struct cudaResourceDesc *resource,
                          const struct cudaTextureDesc *texture)
{
  if (!ret || !resource) return api_return(cudaErrorInvalidValue);
  struct object *object = calloc(1, sizeof *object);
  if (!object) return api_return(cudaErrorMemoryAllocation);
  object->resource = *resource;
  if (texture) object->texture = *texture;
  cudaError_t error = find_view(resource, &object->view);
  if (error)
    free(object);
  else
    *ret = (unsigned long long)(uintptr_t)object;
  return api_return(error);
}

static struct object *object_of(unsigned long long handle)
{
  return (struct object *)(uintptr_t)handle;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view)
{
  if (!texture) return api_return(cudaErrorInvalidValue);
  if (view || texture->sRGB) return api_return(cudaErrorNotSupported);
  return create(object, resource, texture);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
  free(object_of(object));
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t object)
{
  if (!resource || !object) return api_return(cudaErrorInvalidValue);
  *resource = object_of(object)->resource;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
                                            cudaTextureObject_t object)
{
  if (!texture || !object) return api_return(cudaErrorInvalidValue);
  *texture = object_of(object)->texture;
  return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource)
{
  if (resource && resource->resType != cudaResourceTypeArray)
    return api_return(cudaErrorInvalidValue);
  return create(object, resource, NULL);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
  return cudaDestroyTextureObject(object);
}

/* ---- texels ---- */

static float half_value(unsigned bits)
{
  int exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
  float v = exponent == 31 ? (mantissa ? NAN : INFINITY)
            : exponent     ? ldexpf((float)(mantissa + 1024), exponent - 25)
                           : ldexpf((float)mantissa, -24);
  return bits & 0x8000 ? -v : v;
}

/* A channel of 8, 16 or 32 bits as a float; `normalized`: integers as fractions of their largest
 * value. */
static float channel_value(const char *at, int bits, enum cudaChannelFormatKind kind,
                           bool normalized)
{
  uint32_t raw = 0;
  memcpy(&raw, at, (size_t)bits / 8);
  if (kind == cudaChannelFormatKindFloat) {
    float f;
    memcpy(&f, &raw, sizeof f);
    return bits == 16 ? half_value(raw) : f;
  }
  if (kind == cudaChannelFormatKindUnsigned)
    return normalized && bits < 32 ? (float)raw / (float)((1u << bits) - 1) : (float)raw;
  int32_t value = bits == 8 ? (int8_t)raw : bits == 16 ? (int16_t)raw : (int32_t)raw;
  if (!normalized || bits == 32) return (float)value;
  float part = (float)value / (float)((1 << (bits - 1)) - 1);
  return part < -1 ? -1 : part;
}

static bool gives_floats(const struct object *o)
{
  bool normalized = o->texture.readMode == cudaReadModeNormalizedFloat &&
                    o->view.desc.f != cudaChannelFormatKindFloat;
  return normalized || o->texture.filterMode == cudaFilterModeLinear ||
         (o->view.desc.f == cudaChannelFormatKindFloat && o->view.desc.x == 16);
}

/* The index of a texel along one axis by the address mode; -1: the border. */
static long place(const struct object *o, int axis, long i, long count)
{
  enum cudaTextureAddressMode mode = o->texture.addressMode[axis];
  if (!o->texture.normalizedCoords && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
  if (i >= 0 && i < count) return i;
  long period = mode == cudaAddressModeMirror ? 2 * count : count,
       in = ((i % period) + period) % period;
  switch (mode) {
  case cudaAddressModeWrap: return in;
  case cudaAddressModeMirror: return in < count ? in : 2 * count - 1 - in;
  case cudaAddressModeBorder: return -1;
  default: return i < 0 ? 0 : count - 1;
  }
}

static const char *texel_at(const struct object *o, const long at[3])
{
  const struct view *v = &o->view;
  if (at[0] < 0 || at[1] < 0 || at[2] < 0) return NULL;
  return v->data + ((size_t)at[2] * v->height + (size_t)at[1]) * v->pitch +
         (size_t)at[0] * v->element;
}

static void read_floats(const struct object *o, const char *texel, float weight, float *ret)
{
  bool normalized = o->texture.readMode == cudaReadModeNormalizedFloat;
  int count = channels(&o->view.desc), bits = o->view.desc.x;
  for (int c = 0; c < count; c++)
    ret[c] +=
        weight * (texel ? channel_value(texel + c * bits / 8, bits, o->view.desc.f, normalized)
                        : o->texture.borderColor[c]);
}

/* two neighbours; fraction: the weight of the second */
struct axis {
  long first, second;
  float fraction;
};

static struct axis find_axis(const struct object *o, int axis, float x, long count, bool linear)
{
  if (o->texture.normalizedCoords) x *= (float)count;
  float from = linear ? x - 0.5f : x, low = floorf(from);
  if (!(fabsf(low) < 1e9f)) low = 0;
  float fraction = linear ? rintf((from - low) * 256) / 256 : 0;
  return (struct axis){place(o, axis, (long)low, count),
                       linear ? place(o, axis, (long)low + 1, count) : 0, fraction};
}

void mesi_cpu_texture(cudaTextureObject_t handle, int dimensions, float x, float y, float z,
                      int layer, void *ret)
{
  const struct object *o = object_of(handle);
  bool linear = o->texture.filterMode == cudaFilterModeLinear;
  float coordinates[3] = {x, y, z};
  long counts[3] = {(long)o->view.width, (long)o->view.height, (long)o->view.depth};
  struct axis axes[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < dimensions; i++) axes[i] = find_axis(o, i, coordinates[i], counts[i], linear);
  if (dimensions < 3)
    axes[2].first = axes[2].second = layer < 0 ? 0 : layer < counts[2] ? layer : counts[2] - 1;
  float floats[4] = {0, 0, 0, 0};
  for (int corner = 0; corner < (linear ? 1 << dimensions : 1); corner++) {
    long at[3];
    float weight = 1;
    for (int i = 0; i < 3; i++) {
      bool second = corner >> i & 1;
      at[i] = second ? axes[i].second : axes[i].first;
      if (linear && i < dimensions) weight *= second ? axes[i].fraction : 1 - axes[i].fraction;
    }
    const char *texel = texel_at(o, at);
    if (gives_floats(o)) {
      if (weight != 0) read_floats(o, texel, weight, floats);
    } else if (texel) {
      memcpy(ret, texel, o->view.element);
      return;
    }
  }
  if (gives_floats(o)) memcpy(ret, floats, sizeof floats);
}

void mesi_cpu_texel(cudaTextureObject_t handle, int index, void *ret)
{
  const struct object *o = object_of(handle);
  const long at[3] = {index, 0, 0};
  if (index < 0 || (size_t)index >= o->view.width) return;
  float floats[4] = {0, 0, 0, 0};
  if (!gives_floats(o))
    memcpy(ret, texel_at(o, at), o->view.element);
  else
    read_floats(o, texel_at(o, at), 1, floats), memcpy(ret, floats, sizeof floats);
}

void *mesi_cpu_surface(cudaSurfaceObject_t handle, int x, int y, int z, size_t bytes,
                       enum cudaSurfaceBoundaryMode mode)
{
  const struct view *v = &object_of(handle)->view;
  long width = (long)(v->pitch - bytes), at[3] = {x, y, z},
       most[3] = {width, (long)v->height - 1, (long)v->depth - 1};
  for (int i = 0; i < 3; i++) {
    if (at[i] >= 0 && at[i] <= most[i]) continue;
    if (mode == cudaBoundaryModeTrap)
      mesi_cpu_fail("a surface is accessed outside of its array, at byte %d of row %d", x, y);
    if (mode == cudaBoundaryModeZero) return NULL;
    at[i] = at[i] < 0 ? 0 : most[i];
  }
  return v->data + ((size_t)at[2] * v->height + (size_t)at[1]) * v->pitch + (size_t)at[0];
}
