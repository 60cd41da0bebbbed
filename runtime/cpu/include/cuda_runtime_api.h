/* SPDX-License-Identifier: MIT */
/* cuda_runtime_api.h - the runtime API for C and C++, without device functions. */
#ifndef MESI_CUDA_RUNTIME_API_H
#define MESI_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__
#include "mesi/attributes.h"
#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif
#include "mesi/api.h"
#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif
#endif
