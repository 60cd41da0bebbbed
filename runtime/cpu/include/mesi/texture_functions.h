/* SPDX-License-Identifier: MIT */
/* texture_functions.h - kernels' functions for texture and surface objects. */
#ifndef MESI_CUDA_TEXTURE_FUNCTIONS_H
#define MESI_CUDA_TEXTURE_FUNCTIONS_H

#include "math.h"
#include "texture.h"

#include <string.h>
#include <type_traits>

/* ---- the format of an element type ---- */

template <class MesiC> struct mesi_cpu_kind {
  static const cudaChannelFormatKind value =
      std::is_floating_point<MesiC>::value ? cudaChannelFormatKindFloat
      : std::is_signed<MesiC>::value       ? cudaChannelFormatKindSigned
                                           : cudaChannelFormatKindUnsigned;
};
template <class MesiT, class = void> struct mesi_cpu_channels {
  typedef MesiT channel;
};
template <class MesiT>
struct mesi_cpu_channels<MesiT, typename std::enable_if<std::is_class<MesiT>::value>::type> {
  typedef decltype(MesiT::x) channel;
};
template <class MesiT> MESI_FN cudaChannelFormatDesc cudaCreateChannelDesc()
{
  typedef typename mesi_cpu_channels<MesiT>::channel mesi_channel;
  int count = (int)(sizeof(MesiT) / sizeof(mesi_channel)), bits = 8 * (int)sizeof(mesi_channel);
  cudaChannelFormatDesc desc = {bits, count > 1 ? bits : 0, count > 2 ? bits : 0,
                                count > 3 ? bits : 0, mesi_cpu_kind<mesi_channel>::value};
  return desc;
}

/* ---- fetches ---- */

template <class MesiT> MESI_FN MesiT mesi_cpu_fetched(const void *texel)
{
  MesiT value;
  memcpy((void *)&value, texel, sizeof value);
  return value;
}
template <class MesiT>
MESI_FN MesiT mesi_cpu_fetch(cudaTextureObject_t object, int dimensions, float x, float y, float z,
                             int layer)
{
  unsigned long long texel[2] = {0, 0};
  mesi_cpu_texture(object, dimensions, x, y, z, layer, texel);
  return mesi_cpu_fetched<MesiT>(texel);
}
template <class MesiT> MESI_FN MesiT tex1Dfetch(cudaTextureObject_t object, int x)
{
  unsigned long long texel[2] = {0, 0};
  mesi_cpu_texel(object, x, texel);
  return mesi_cpu_fetched<MesiT>(texel);
}
#define MESI_TEXTURE(name, parameters, result) \
  template <class MesiT> MESI_FN MesiT name parameters { return mesi_cpu_fetch<MesiT> result; }
MESI_TEXTURE(tex1D, (cudaTextureObject_t t, float x), (t, 1, x, 0, 0, 0))
MESI_TEXTURE(tex1DLod, (cudaTextureObject_t t, float x, float), (t, 1, x, 0, 0, 0))
MESI_TEXTURE(tex2D, (cudaTextureObject_t t, float x, float y), (t, 2, x, y, 0, 0))
MESI_TEXTURE(tex2DLod, (cudaTextureObject_t t, float x, float y, float), (t, 2, x, y, 0, 0))
MESI_TEXTURE(tex3D, (cudaTextureObject_t t, float x, float y, float z), (t, 3, x, y, z, 0))
MESI_TEXTURE(tex3DLod, (cudaTextureObject_t t, float x, float y, float z, float),
             (t, 3, x, y, z, 0))
MESI_TEXTURE(tex1DLayered, (cudaTextureObject_t t, float x, int layer), (t, 1, x, 0, 0, layer))
MESI_TEXTURE(tex2DLayered, (cudaTextureObject_t t, float x, float y, int layer),
             (t, 2, x, y, 0, layer))
#undef MESI_TEXTURE
template <class MesiT> MESI_FN void tex1Dfetch(MesiT *ret, cudaTextureObject_t t, int x)
{
  *ret = tex1Dfetch<MesiT>(t, x);
}
template <class MesiT> MESI_FN void tex1D(MesiT *ret, cudaTextureObject_t t, float x)
{
  *ret = tex1D<MesiT>(t, x);
}
template <class MesiT> MESI_FN void tex2D(MesiT *ret, cudaTextureObject_t t, float x, float y)
{
  *ret = tex2D<MesiT>(t, x, y);
}
template <class MesiT>
MESI_FN void tex3D(MesiT *ret, cudaTextureObject_t t, float x, float y, float z)
{
  *ret = tex3D<MesiT>(t, x, y, z);
}

/* ---- surfaces: x in bytes ---- */

template <class MesiT>
MESI_FN MesiT mesi_cpu_surface_read(cudaSurfaceObject_t s, int x, int y, int z,
                                    cudaSurfaceBoundaryMode mode)
{
  const void *at = mesi_cpu_surface(s, x, y, z, sizeof(MesiT), mode);
  unsigned long long zero[2] = {0, 0};
  return mesi_cpu_fetched<MesiT>(at ? at : zero);
}
template <class MesiT>
MESI_FN void mesi_cpu_surface_write(const MesiT &value, cudaSurfaceObject_t s, int x, int y, int z,
                                    cudaSurfaceBoundaryMode mode)
{
  void *at = mesi_cpu_surface(s, x, y, z, sizeof(MesiT), mode);
  if (at) memcpy(at, (const void *)&value, sizeof value);
}
#define MESI_SURFACE(name, parameters, place) \
  template <class MesiT> MESI_FN MesiT name##read parameters \
  { \
    return mesi_cpu_surface_read<MesiT> place; \
  } \
  template <class MesiT> MESI_FN void name##read(MesiT *ret, MESI_STRIP parameters) \
  { \
    *ret = mesi_cpu_surface_read<MesiT> place; \
  } \
  template <class MesiT> MESI_FN void name##write(MesiT value, MESI_STRIP parameters) \
  { \
    mesi_cpu_surface_write<MesiT>(value, MESI_STRIP place); \
  }
#define MESI_STRIP(...) __VA_ARGS__
MESI_SURFACE(surf1D,
             (cudaSurfaceObject_t s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap),
             (s, x, 0, 0, mode))
MESI_SURFACE(surf2D,
             (cudaSurfaceObject_t s, int x, int y,
              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap),
             (s, x, y, 0, mode))
MESI_SURFACE(surf3D,
             (cudaSurfaceObject_t s, int x, int y, int z,
              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap),
             (s, x, y, z, mode))
MESI_SURFACE(surf2DLayered,
             (cudaSurfaceObject_t s, int x, int y, int layer,
              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap),
             (s, x, y, layer, mode))
#undef MESI_STRIP
#undef MESI_SURFACE

#endif
