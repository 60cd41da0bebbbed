/* SPDX-License-Identifier: MIT */
// __clang_cuda_texture_intrinsics.h - clang's own, before whose folder this one comes. It has 800
// static functions: clang would read each at the end of a unit, for a warning that it is unused.
#pragma GCC system_header
#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((device)) __attribute__((unused))
#include_next <__clang_cuda_texture_intrinsics.h>
#pragma pop_macro("__device__")
