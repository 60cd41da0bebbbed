/* SPDX-License-Identifier: MIT */
// mesi_prelude_surface.h - declarations before the user's text, for mesicc's parser without a CUDA
// toolkit.
#pragma GCC system_header
#include "mesi_prelude_save.h"
#include <cuda_runtime.h>
// Placement new in device code; the standard header's is for the host. Clang's own wrapper of that
// header, which only editors use, defines it too.
#include <new>
#ifndef __CLANG_CUDA_WRAPPERS_NEW
inline __attribute__((device)) void *operator new(__SIZE_TYPE__, void *place) noexcept
{
  return place;
}
inline __attribute__((device)) void *operator new[](__SIZE_TYPE__, void *place) noexcept
{
  return place;
}
#endif
#include <mesi.h>
#include "mesi_prelude_restore.h"
