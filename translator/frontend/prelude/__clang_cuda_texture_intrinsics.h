/* SPDX-License-Identifier: MIT */
// __clang_cuda_texture_intrinsics.h - replaces clang's header, whose folder comes later. That has
// 800 static functions: clang would read each at the end of every unit, to warn that it is not
// used.
#pragma GCC system_header
#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((device)) __attribute__((unused))
#include_next <__clang_cuda_texture_intrinsics.h>
#pragma pop_macro("__device__")
