/* device_cuda.c - CUDA devices, over the CUDA runtime API.
 *
 * Plain C: needs the toolkit's headers to compile and libcudart to link, not nvcc. The first call that needs a
 * device initialises CUDA. Copies run on a stream of the runtime's own and are waited for, so that they are
 * complete for kernels on any stream, pageable sources included.
 */
#include "device.h"
#include "mesi.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

struct context {      /* per device */
  cudaStream_t copies; /* non-blocking stream that carries the transfers */
  cudaEvent_t start, stop;
  bool ready;
};

static struct context contexts[MESI_DEVICE_MAX];
static _Thread_local cudaError_t earlier; /* error that was there before the launch */

static const char *text(cudaError_t status)
{
  return status == cudaSuccess ? NULL : cudaGetErrorString(status);
}

static cudaError_t open_context(struct context *context)
{
  cudaError_t status = cudaStreamCreateWithFlags(&context->copies, cudaStreamNonBlocking);
  if (status == cudaSuccess)
    status = cudaEventCreate(&context->start);
  if (status == cudaSuccess)
    status = cudaEventCreate(&context->stop);
  context->ready = status == cudaSuccess;
  return status;
}

/* Makes `device` current; leave() makes the program's own device current again. */
static cudaError_t enter(int device, int *ret_before)
{
  *ret_before = device;
  cudaError_t status = cudaGetDevice(ret_before);
  if (status == cudaSuccess && *ret_before != device)
    status = cudaSetDevice(device);
  if (status == cudaSuccess && !contexts[device].ready)
    status = open_context(&contexts[device]);
  return status;
}

static const char *leave(int device, int before, cudaError_t status)
{
  if (before != device) {
    cudaError_t restored = cudaSetDevice(before);
    if (status == cudaSuccess)
      status = restored;
  }
  return text(status);
}

static const char *cuda_current(int *ret_device)
{
  int device = 0;
  cudaError_t status = cudaGetDevice(&device);
  if (status != cudaSuccess)
    return text(status);
  if (device >= MESI_DEVICE_MAX)
    return "the current device has an index above 7";
  if (!contexts[device].ready)
    status = open_context(&contexts[device]);
  if (status == cudaSuccess)
    *ret_device = device;
  return text(status);
}

static const char *cuda_alloc(int device, size_t bytes, void **ret_memory)
{
  int before;
  *ret_memory = NULL;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaMalloc(ret_memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    *ret_memory = NULL;
    cudaGetLastError();
    status = cudaSuccess;
  }
  return leave(device, before, status);
}

static const char *cuda_free(int device, void *memory)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaFree(memory);
  return leave(device, before, status);
}

static const char *cuda_memory(int device, size_t *ret_total, size_t *ret_free)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaMemGetInfo(ret_free, ret_total);
  return leave(device, before, status);
}

static const char *copy(int device, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaMemcpyAsync(to, from, bytes, kind, contexts[device].copies);
  if (status == cudaSuccess)
    status = cudaStreamSynchronize(contexts[device].copies);
  return leave(device, before, status);
}

static const char *cuda_copy_to_device(int device, void *to, const void *from, size_t bytes)
{
  return copy(device, to, from, bytes, cudaMemcpyHostToDevice);
}

static const char *cuda_copy_to_host(int device, void *to, const void *from, size_t bytes)
{
  return copy(device, to, from, bytes, cudaMemcpyDeviceToHost);
}

static const char *cuda_wait(int device)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaDeviceSynchronize();
  return leave(device, before, status);
}

static const char *cuda_set_symbol(int device, const void *symbol, void *value)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaDeviceSynchronize();
  if (status == cudaSuccess)
    status = cudaMemcpyToSymbolAsync(symbol, &value, sizeof value, 0, cudaMemcpyHostToDevice,
                                     contexts[device].copies);
  if (status == cudaSuccess)
    status = cudaStreamSynchronize(contexts[device].copies);
  return leave(device, before, status);
}

static int cuda_pin(void *memory, size_t bytes)
{
  if (cudaHostRegister(memory, bytes, cudaHostRegisterPortable) == cudaSuccess)
    return 0;
  cudaGetLastError();
  return -1;
}

static void cuda_unpin(void *memory)
{
  if (cudaHostUnregister(memory) != cudaSuccess)
    cudaGetLastError();
}

static void cuda_before_launch(int device)
{
  (void)device;
  earlier = cudaPeekAtLastError();
}

static const char *cuda_launch_error(int device)
{
  (void)device;
  cudaError_t status = cudaPeekAtLastError();
  return status == earlier ? NULL : text(status);
}

static const char *cuda_time_start(int device)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaEventRecord(contexts[device].start, cudaStreamLegacy);
  return leave(device, before, status);
}

static const char *cuda_time_stop(int device, double *ret_ms)
{
  int before;
  float ms = 0;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaEventRecord(contexts[device].stop, cudaStreamLegacy);
  if (status == cudaSuccess)
    status = cudaEventSynchronize(contexts[device].stop);
  if (status == cudaSuccess)
    status = cudaEventElapsedTime(&ms, contexts[device].start, contexts[device].stop);
  *ret_ms = ms;
  return leave(device, before, status);
}

static dim3 shape(const unsigned size[3])
{
  return (dim3){ size[0], size[1], size[2] };
}

static const char *cuda_launch(int device, const struct mesi_kernel_launch *launch)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaLaunchKernel(launch->function, shape(launch->grid), shape(launch->block), (void **)launch->args,
                              launch->shared, cudaStreamLegacy);
  return leave(device, before, status);
}

static cudaError_t add_nodes(cudaGraph_t graph, const struct mesi_kernel_launch *const *launches, unsigned count)
{
  cudaGraphNode_t last = NULL;
  cudaError_t status = cudaSuccess;

  for (unsigned i = 0; i < count && status == cudaSuccess; i++) {
    const struct mesi_kernel_launch *launch = launches[i];
    struct cudaKernelNodeParams params = {
      .func = (void *)(uintptr_t)launch->function,
      .gridDim = shape(launch->grid),
      .blockDim = shape(launch->block),
      .sharedMemBytes = (unsigned)launch->shared,
      .kernelParams = (void **)launch->args,
    };
    cudaGraphNode_t node;
    status = cudaGraphAddKernelNode(&node, graph, &last, i ? 1 : 0, &params);
    last = node;
  }
  return status;
}

static const char *cuda_graph_create(int device, const struct mesi_kernel_launch *const *launches, unsigned count,
                                     void **ret_graph)
{
  int before;
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaGraphCreate(&graph, 0);
  if (status == cudaSuccess)
    status = add_nodes(graph, launches, count);
  if (status == cudaSuccess)
    status = cudaGraphInstantiateWithFlags(&exec, graph, 0);
  if (graph)
    cudaGraphDestroy(graph);
  if (status == cudaSuccess)
    *ret_graph = exec;
  else
    cudaGetLastError();
  return leave(device, before, status);
}

static const char *cuda_graph_launch(int device, void *graph)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaGraphLaunch(graph, cudaStreamLegacy);
  return leave(device, before, status);
}

static void cuda_graph_free(int device, void *graph)
{
  (void)device;
  cudaGraphExecDestroy(graph);
}

const struct mesi_device_ops mesi_device = {
  .name = "cuda",
  .current = cuda_current,
  .alloc = cuda_alloc,
  .free = cuda_free,
  .memory = cuda_memory,
  .copy_to_device = cuda_copy_to_device,
  .copy_to_host = cuda_copy_to_host,
  .wait = cuda_wait,
  .set_symbol = cuda_set_symbol,
  .pin = cuda_pin,
  .unpin = cuda_unpin,
  .before_launch = cuda_before_launch,
  .launch_error = cuda_launch_error,
  .time_start = cuda_time_start,
  .time_stop = cuda_time_stop,
  .launch = cuda_launch,
  .graph_create = cuda_graph_create,
  .graph_launch = cuda_graph_launch,
  .graph_free = cuda_graph_free,
};
