/* SPDX-License-Identifier: MIT */
/* compiler.h - the compiler on the CPU backend, for the toolkit's Thrust and libcu++.
 *
 * Those libraries read their header of this name first, and find this one before it. The host's
 * compiler builds them as plain C++: Thrust's device is the host. For clang, which only analyses,
 * they are CUDA.
 */
#pragma GCC system_header
#include "../../../mesi/attributes.h"
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#ifndef CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_FP16_SUPPORT
#endif
#ifndef CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#endif
#if MESI_PARSE
#ifndef CUDA_VERSION
#define CUDA_VERSION 13000
#endif
#include_next <cuda/std/__cccl/compiler.h>
#else
#pragma push_macro("__CUDACC__")
#undef __CUDACC__
#include_next <cuda/std/__cccl/compiler.h>
#pragma pop_macro("__CUDACC__")
#endif
