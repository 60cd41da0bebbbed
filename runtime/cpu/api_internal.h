/* SPDX-License-Identifier: MIT */
/* api_internal.h - declarations that the API's files share. */
#ifndef MESI_CPU_API_INTERNAL_H
#define MESI_CPU_API_INTERNAL_H

#include "kernel.h"
#include "scheduler.h"

#include "include/mesi/api.h"

#include <stdbool.h>

enum { /* the modelled device, close to an sm_90 */
       DEVICE_SM_THREADS = 2048,
       DEVICE_SM_BLOCKS = 32,
       DEVICE_SHARED_DEFAULT = 48 << 10,
       DEVICE_SHARED_OPTIN = 227 << 10,
       DEVICE_SHARED_SM = 228 << 10,
       DEVICE_SHARED_RESERVED = 1 << 10,
       DEVICE_MAJOR = 9,
       DEVICE_MINOR = 0
};

/* Records an error for cudaGetLastError and returns it; cudaSuccess passes through without effect.
 */
cudaError_t api_return(cudaError_t error);

bool api_stream_valid(cudaStream_t stream);
size_t api_total_memory(void); /* of the machine, bytes */
int api_blocks_per_sm(int threads, size_t shared);

/* api_texture.c */
/* first byte; bytes from row to row; rows from slice to slice */
struct api_rows {
  char *first;
  size_t pitch, height;
};
/* The rows of the array for a copy of this extent, its width in bytes; false: it does not fit. */
bool api_array_rows(cudaArray_const_t array, struct cudaPos pos, struct cudaExtent extent,
                    struct api_rows *ret);
size_t api_array_element(cudaArray_const_t array); /* bytes */

#endif
