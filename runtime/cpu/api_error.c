/* SPDX-License-Identifier: MIT */
/* api_error.c - the error of each host thread, and the names of errors. */
#include "api_internal.h"

static __thread cudaError_t last;

cudaError_t api_return(cudaError_t error)
{
  if (error != cudaSuccess) last = error;
  return error;
}

cudaError_t cudaGetLastError(void)
{
  cudaError_t error = last;
  last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void) { return last; }

const char *cudaGetErrorName(cudaError_t error)
{
  switch (error) {
#define MESI_CUDA_ERROR(name, value, text) \
  case name: \
    return #name;
#include "include/mesi/errors.def"
#undef MESI_CUDA_ERROR
  default: return "unrecognized error code";
  }
}

const char *cudaGetErrorString(cudaError_t error)
{
  switch (error) {
#define MESI_CUDA_ERROR(name, value, text) \
  case name: \
    return text;
#include "include/mesi/errors.def"
#undef MESI_CUDA_ERROR
  default: return "unrecognized error code";
  }
}
