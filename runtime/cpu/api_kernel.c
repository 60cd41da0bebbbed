/* SPDX-License-Identifier: MIT */
/* api_kernel.c - launches with CUDA's checks, attributes of kernels, occupancy. */
#include "api_internal.h"
#include "forks.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes by kernel ---- */

struct attributes {
  const void *function;
  int max_dynamic_shared, carveout;
  struct attributes *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* over both lists */

void api_kernel_fork(int when)
{
  if (when == 0)
    pthread_mutex_lock(&mutex);
  else
    pthread_mutex_unlock(&mutex);
}
static struct attributes *attributes_list;
static struct mesi_cpu_kernel *kernels;

/* Requires the mutex. */
static struct attributes *find_attributes(const void *function)
{
  struct attributes *a = attributes_list;
  while (a && a->function != function) a = a->next;
  return a;
}

static struct attributes *get_attributes(const void *function)
{
  struct attributes *a = find_attributes(function);
  if (a) return a;
  a = malloc(sizeof *a);
  if (!a) return NULL;
  *a = (struct attributes){function, DEVICE_SHARED_DEFAULT, cudaSharedmemCarveoutDefault,
                           attributes_list};
  return attributes_list = a;
}

static size_t max_dynamic_shared(const void *function)
{
  if (!function) return DEVICE_SHARED_OPTIN;
  pthread_mutex_lock(&mutex);
  const struct attributes *a = find_attributes(function);
  size_t bytes = a ? (size_t)a->max_dynamic_shared : DEVICE_SHARED_DEFAULT;
  pthread_mutex_unlock(&mutex);
  return bytes;
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
  if (!function) return api_return(cudaErrorInvalidDeviceFunction);
  cudaError_t error = cudaSuccess;
  pthread_mutex_lock(&mutex);
  struct attributes *a = get_attributes(function);
  if (!a)
    error = cudaErrorMemoryAllocation;
  else if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || value > DEVICE_SHARED_OPTIN)
      error = cudaErrorInvalidValue;
    else
      a->max_dynamic_shared = value;
  } else if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    if (value < -1 || value > 100)
      error = cudaErrorInvalidValue;
    else
      a->carveout = value;
  } else
    error = cudaErrorNotSupported;
  pthread_mutex_unlock(&mutex);
  return api_return(error);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *ret, const void *function)
{
  if (!ret) return api_return(cudaErrorInvalidValue);
  if (!function) return api_return(cudaErrorInvalidDeviceFunction);
  memset(ret, 0, sizeof *ret);
  ret->maxThreadsPerBlock = MESI_CPU_BLOCK_THREADS;
  ret->numRegs = 32;
  ret->ptxVersion = ret->binaryVersion = 10 * DEVICE_MAJOR + DEVICE_MINOR;
  ret->maxDynamicSharedSizeBytes = (int)max_dynamic_shared(function);
  pthread_mutex_lock(&mutex);
  const struct attributes *a = find_attributes(function);
  ret->preferredShmemCarveout = a ? a->carveout : cudaSharedmemCarveoutDefault;
  pthread_mutex_unlock(&mutex);
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
  (void)config;
  return api_return(function ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
  (void)config;
  return api_return(function ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

/* ---- occupancy ---- */

int api_blocks_per_sm(int threads, size_t shared)
{
  if (threads < 1 || threads > MESI_CPU_BLOCK_THREADS || shared > DEVICE_SHARED_OPTIN) return 0;
  int warps = (threads + MESI_CPU_WARP - 1) / MESI_CPU_WARP;
  int blocks = DEVICE_SM_THREADS / (warps * MESI_CPU_WARP);
  int fit = (int)(DEVICE_SHARED_SM / (shared + DEVICE_SHARED_RESERVED));
  if (fit < blocks) blocks = fit;
  return blocks < DEVICE_SM_BLOCKS ? blocks : DEVICE_SM_BLOCKS;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int threads, size_t shared)
{
  if (!blocks || threads < 1) return api_return(cudaErrorInvalidValue);
  if (!function) return api_return(cudaErrorInvalidDeviceFunction);
  *blocks = shared > max_dynamic_shared(function) ? 0 : api_blocks_per_sm(threads, shared);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *function,
                                                                   int threads, size_t shared,
                                                                   unsigned int flags)
{
  (void)flags;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                      int blocks, int threads)
{
  if (!bytes || !function || blocks < 1 || threads < 1) return api_return(cudaErrorInvalidValue);
  size_t share = (size_t)DEVICE_SHARED_SM / (size_t)blocks;
  *bytes = share > DEVICE_SHARED_RESERVED ? share - DEVICE_SHARED_RESERVED : 0;
  if (*bytes > DEVICE_SHARED_OPTIN) *bytes = DEVICE_SHARED_OPTIN;
  return cudaSuccess;
}

/* ---- launches ---- */

static cudaError_t check_configuration(const struct mesi_cpu_launch *l)
{
  struct mesi_cpu_dim b = l->block, g = l->grid;
  if (!b.x || !b.y || !b.z || b.x > 1024 || b.y > 1024 || b.z > 64 ||
      (uint64_t)b.x * b.y * b.z > MESI_CPU_BLOCK_THREADS)
    return cudaErrorInvalidConfiguration;
  if (!g.x || !g.y || !g.z || g.x > INT_MAX || g.y > 65535 || g.z > 65535)
    return cudaErrorInvalidConfiguration;
  if (l->shared > max_dynamic_shared(l->function)) return cudaErrorInvalidValue;
  uint64_t blocks = (uint64_t)g.x * g.y * g.z;
  uint64_t resident =
      (uint64_t)api_blocks_per_sm((int)(b.x * b.y * b.z), l->shared) * mesi_cpu_workers();
  return l->cooperative && blocks > resident ? cudaErrorCooperativeLaunchTooLarge : cudaSuccess;
}

int mesi_cpu_launch_checked(const struct mesi_cpu_launch *launch, void *stream)
{
  cudaError_t error = check_configuration(launch);
  if (!error && !api_stream_valid(stream)) error = cudaErrorInvalidResourceHandle;
  if (error) return api_return(error);
  mesi_cpu_run(launch);
  return cudaSuccess;
}

void mesi_cpu_register_kernel(struct mesi_cpu_kernel *kernel)
{
  pthread_mutex_lock(&mutex);
  kernel->next = kernels;
  kernels = kernel;
  pthread_mutex_unlock(&mutex);
}

static const struct mesi_cpu_kernel *find_kernel(const void *function)
{
  pthread_mutex_lock(&mutex);
  const struct mesi_cpu_kernel *k = kernels;
  while (k && k->function != function) k = k->next;
  pthread_mutex_unlock(&mutex);
  return k;
}

/* Launches by address: the argument sizes come from the table. */
static cudaError_t launch_by_address(const void *function, dim3 grid, dim3 block, void **args,
                                     size_t shared, cudaStream_t stream, bool cooperative)
{
  const struct mesi_cpu_kernel *kernel = find_kernel(function);
  if (!kernel) {
    fprintf(
        stderr,
        "mesi: cudaLaunchKernel: the function at %p is not a kernel that the CPU backend knows; "
        "pass it with its own type instead of as const void *\n",
        function);
    return api_return(cudaErrorInvalidDeviceFunction);
  }
  struct mesi_cpu_launch launch = {.name = kernel->name,
                                   .function = function,
                                   .grid = {grid.x, grid.y, grid.z},
                                   .block = {block.x, block.y, block.z},
                                   .shared = shared,
                                   .cooperative = cooperative};
  return (cudaError_t)kernel->invoke(function, &launch, args, stream);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                             size_t shared, cudaStream_t stream)
{
  return launch_by_address(function, grid, block, args, shared, stream, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args,
                                        size_t shared, cudaStream_t stream)
{
  return launch_by_address(function, grid, block, args, shared, stream, true);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args)
{
  bool cooperative = false;
  if (!config) return api_return(cudaErrorInvalidValue);
  for (unsigned i = 0; i < config->numAttrs; i++) {
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
      return api_return(cudaErrorNotSupported);
    if (config->attrs[i].id == cudaLaunchAttributeCooperative)
      cooperative = config->attrs[i].val.cooperative != 0;
  }
  return launch_by_address(function, config->gridDim, config->blockDim, args,
                           config->dynamicSmemBytes, config->stream, cooperative);
}
