/* SPDX-License-Identifier: MIT */
// mesi_prelude_surface.h - what mesicc's parser sees before the user's text where there is no CUDA
// toolkit.
#pragma GCC system_header
#include <cuda_runtime.h>
// Placement new in device code; the standard header's is for the host.
inline __attribute__((device)) void *operator new(__SIZE_TYPE__, void *place) noexcept
{
  return place;
}
inline __attribute__((device)) void *operator new[](__SIZE_TYPE__, void *place) noexcept
{
  return place;
}
#include <mesi.h>
