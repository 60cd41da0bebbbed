/* SPDX-License-Identifier: MIT */
// mesi_prelude_toolkit.h - declarations before the user's text, for mesicc's parser with a CUDA
// toolkit: clang's own CUDA wrapper, with the builtin variables as plain objects and __global__
// marked so that it is found on variables too.
#pragma GCC system_header
#include "mesi_prelude_save.h"
#define __CUDA_BUILTIN_VARS_H 1
struct uint3;
struct dim3;
#define MESI_BUILTIN(name) \
  struct __cuda_builtin_##name##_t { \
    unsigned x, y, z; \
    __attribute__((device)) operator dim3() const; \
    __attribute__((device)) operator uint3() const; \
  }; \
  extern const __attribute__((device)) __cuda_builtin_##name##_t name;
MESI_BUILTIN(threadIdx)
MESI_BUILTIN(blockIdx)
MESI_BUILTIN(blockDim)
MESI_BUILTIN(gridDim)
#undef MESI_BUILTIN
__attribute__((device)) const int warpSize = 32;
#include <__clang_cuda_runtime_wrapper.h>
#include "mesi_prelude_host.h"
#include "mesi_prelude_atomics.h"
// pow(float, int) is a double, with nvcc as in the standard; clang's wrapper has a float.
static inline __attribute__((device)) double pow(float base, int exponent)
    __attribute__((enable_if(true, "")))
{
  return ::pow((double)base, exponent);
}
namespace std {
using ::pow;
}
#undef __global__
#define __global__ __attribute__((global)) __attribute__((annotate("mesi.global")))
// Loads and stores with cache hints: clang's wrapper leaves out sm_32_intrinsics.h, which has them.
#define MESI_HINTED_LOAD(name) \
  template <class MesiT> __attribute__((device)) MesiT name(const MesiT *p);
template <class MesiT> struct mesi_hinted {
  typedef MesiT type;
};
#define MESI_HINTED_STORE(name) \
  template <class MesiT> \
  __attribute__((device)) void name(MesiT *p, typename mesi_hinted<MesiT>::type value);
MESI_HINTED_LOAD(__ldca)
MESI_HINTED_LOAD(__ldcg)
MESI_HINTED_LOAD(__ldcs)
MESI_HINTED_LOAD(__ldcv)
MESI_HINTED_LOAD(__ldlu)
MESI_HINTED_STORE(__stcg)
MESI_HINTED_STORE(__stcs)
MESI_HINTED_STORE(__stwb)
MESI_HINTED_STORE(__stwt)
#undef MESI_HINTED_LOAD
#undef MESI_HINTED_STORE
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
// cooperative_groups.h has clusters for nvcc, and for compilers with the builtins that they need.
#define _CG_CLUSTER_INTRINSICS_AVAILABLE 1
#include <mesi.h>
#include "mesi_prelude_restore.h"
