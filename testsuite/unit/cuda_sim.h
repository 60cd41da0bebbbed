/* SPDX-License-Identifier: MIT */
/* cuda_sim.h - a CUDA runtime library without a GPU, for tests of device_cuda.c and of NCCL. */
#ifndef CUDA_SIM_H
#define CUDA_SIM_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

/* Submits work that ends when `step` returns true; it is called again and again, beside the work of
 * other streams, but never two calls of any work at once. */
void cuda_sim_submit(cudaStream_t stream, bool (*step)(void *context), void *context);

/* The CUDA device of a stream; NULL: of the current one. */
int cuda_sim_device_of(cudaStream_t stream);

#endif
