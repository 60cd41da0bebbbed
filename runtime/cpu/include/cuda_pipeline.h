/* SPDX-License-Identifier: MIT */
/* cuda_pipeline.h - asynchronous copies to shared memory as plain copies, done at once. */
#ifndef MESI_CUDA_PIPELINE_H
#define MESI_CUDA_PIPELINE_H

#include "cuda_runtime.h"

#if MESI_PARSE
#pragma clang force_cuda_host_device begin
#endif

MESI_FN void __pipeline_memcpy_async(void *dst, const void *src, size_t bytes, size_t zeros = 0)
{
  memcpy(dst, src, bytes - zeros);
  memset((char *)dst + (bytes - zeros), 0, zeros);
}
MESI_FN void __pipeline_commit() {}
MESI_FN void __pipeline_wait_prior(size_t) {}

#if MESI_PARSE
#pragma clang force_cuda_host_device end
#endif

#endif
