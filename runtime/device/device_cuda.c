/* SPDX-License-Identifier: MIT */
/* device_cuda.c - CUDA devices, over the CUDA runtime API.
 *
 * Plain C: it needs the toolkit's headers to compile and libcudart to link, not nvcc. The first
 * call that needs a device initialises CUDA. The lanes are non-blocking streams, so that the
 * program's default stream does not wait for unrelated transfers. Memory comes from a pool of the
 * runtime's own, which keeps freed memory.
 */
#include "device.h"
#include "../mesi.h"
#include "../base/ranks.h"
#include "../seeded.h"
#include "pieces_cuda.h"
#include "ranks_cuda.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_include)
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define HAVE_NVTX 1
#endif
#endif

struct context { /* per device */
  cudaStream_t lanes[MESI_LANE_COUNT];
  cudaMemPool_t pool; /* NULL: the device has no pools */
  bool ready;
};

static struct context contexts[MESI_DEVICE_MAX];
static _Thread_local cudaError_t earlier; /* an error from before the launch */

static const char *text(cudaError_t status)
{
  return status == cudaSuccess ? NULL : cudaGetErrorString(status);
}

static cudaError_t open_pool(int device, struct context *context)
{
  int supported = 0;
  cudaError_t status = cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device);
  if (status != cudaSuccess || !supported) return status;
  struct cudaMemPoolProps properties;
  memset(&properties, 0, sizeof properties);
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  status = cudaMemPoolCreate(&context->pool, &properties);
  uint64_t keep_all = UINT64_MAX;
  if (status == cudaSuccess)
    status = cudaMemPoolSetAttribute(context->pool, cudaMemPoolAttrReleaseThreshold, &keep_all);
  return status;
}

/* NCCL copies by kernels, which have to run beside those of the program. */
static cudaError_t open_lane(cudaStream_t *ret_lane)
{
  int least = 0, greatest = 0;
  if (!mesi_ranks_several()) return cudaStreamCreateWithFlags(ret_lane, cudaStreamNonBlocking);
  cudaError_t status = cudaDeviceGetStreamPriorityRange(&least, &greatest);
  if (status != cudaSuccess) return status;
  return cudaStreamCreateWithPriority(ret_lane, cudaStreamNonBlocking, greatest);
}

static cudaError_t open_context(int device, struct context *context)
{
  cudaError_t status = cudaSuccess;
  for (int lane = 0; lane < MESI_LANE_COUNT && status == cudaSuccess; lane++)
    status = open_lane(&context->lanes[lane]);
  if (status == cudaSuccess && !mesi_ranks_elsewhere(device))
    status = open_pool(mesi_cuda_local(device), context);
  context->ready = status == cudaSuccess;
  return status;
}

/* Makes `device` current, or the one that does the work of another rank's; leave() makes the
 * program's own device current again. */
static cudaError_t enter_beside_messages(int device, int *ret_before)
{
  int local = mesi_cuda_local(device);
  *ret_before = local;
  cudaError_t status = cudaGetDevice(ret_before);
  if (status == cudaSuccess && *ret_before != local) status = cudaSetDevice(local);
  if (status == cudaSuccess && !contexts[device].ready)
    status = open_context(device, &contexts[device]);
  return status;
}

/* Messages to other ranks that have been held back go out first. */
static cudaError_t enter(int device, int *ret_before)
{
  bool sent = !mesi_ranks_several() || !mesi_cuda_send_out();
  cudaError_t status = enter_beside_messages(device, ret_before);
  return sent ? status : cudaErrorUnknown;
}

static const char *leave(int device, int before, cudaError_t status)
{
  if (before != mesi_cuda_local(device)) {
    cudaError_t restored = cudaSetDevice(before);
    if (status == cudaSuccess) status = restored;
  }
  return text(status);
}

static const char *cuda_current(int *ret_device)
{
  int device = 0;
  const char *cause = mesi_ranks_several() ? mesi_cuda_join() : NULL;
  if (cause) return cause;
  cudaError_t status = cudaGetDevice(&device);
  if (status != cudaSuccess) return text(status);
  if (device >= MESI_DEVICE_MAX) return "the current device has an index above 7";
  if (!contexts[device].ready) status = open_context(device, &contexts[device]);
  if (status == cudaSuccess) *ret_device = device;
  return text(status);
}

/* ---- memory ---- */

static cudaError_t allocate(struct context *context, size_t bytes, void **ret_memory)
{
  if (!context->pool) return cudaMalloc(ret_memory, bytes);
  return cudaMallocFromPoolAsync(ret_memory, bytes, context->pool, context->lanes[MESI_TO_DEVICE]);
}

/* Allocates after the pool has given back free pieces that do not fit. */
static cudaError_t allocate_after_trim(struct context *context, size_t bytes, void **ret_memory)
{
  cudaGetLastError();
  *ret_memory = NULL;
  if (!context->pool) return cudaErrorMemoryAllocation;
  cudaError_t status = cudaDeviceSynchronize();
  if (status == cudaSuccess) status = cudaMemPoolTrimTo(context->pool, 0);
  return status == cudaSuccess ? allocate(context, bytes, ret_memory) : status;
}

static const char *leave_with_addresses(int device, int before, size_t bytes, void **ret_memory)
{
  *ret_memory = mesi_cuda_addresses(bytes);
  return leave(device, before, cudaSuccess);
}

static const char *cuda_alloc(int device, size_t bytes, void **ret_memory)
{
  int before;
  *ret_memory = NULL;
  cudaError_t status = enter(device, &before);
  if (mesi_ranks_elsewhere(device)) return leave_with_addresses(device, before, bytes, ret_memory);
  if (status == cudaSuccess) status = allocate(&contexts[device], bytes, ret_memory);
  if (status == cudaErrorMemoryAllocation)
    status = allocate_after_trim(&contexts[device], bytes, ret_memory);
  if (status == cudaErrorMemoryAllocation) {
    *ret_memory = NULL;
    cudaGetLastError();
    status = cudaSuccess;
  }
  return leave(device, before, status);
}

/* Waits for all devices: launches and copies on any of them may still use the memory. */
static cudaError_t free_pieces(void *memory)
{
  cudaError_t status = cudaSuccess;
  int device = 0;
  cudaGetDevice(&device);
  for (int other = 0; other < MESI_DEVICE_MAX && status == cudaSuccess; other++) {
    if (!contexts[other].ready) continue;
    status = cudaSetDevice(mesi_cuda_local(other));
    if (status == cudaSuccess) status = cudaDeviceSynchronize();
  }
  cudaSetDevice(device);
  if (status == cudaSuccess) mesi_pieces_free(memory);
  return status;
}

static const char *cuda_reserve(int device, size_t bytes, void **ret_memory)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (mesi_ranks_elsewhere(device)) return leave_with_addresses(device, before, bytes, ret_memory);
  int local = mesi_cuda_local(device);
  *ret_memory = status == cudaSuccess ? mesi_pieces_reserve(local, bytes) : NULL;
  return leave(device, before, status);
}

static const char *cuda_back(int device, void *memory, size_t begin, size_t end, bool *ret_enough)
{
  int before;
  cudaError_t status = enter(device, &before);
  *ret_enough =
      status == cudaSuccess && (mesi_ranks_elsewhere(device) ||
                                mesi_pieces_back(mesi_cuda_local(device), memory, begin, end));
  return leave(device, before, status);
}

static const char *cuda_free(int device, void *memory)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (mesi_ranks_elsewhere(device) && mesi_cuda_addresses_back(memory))
    return leave(device, before, status);
  if (mesi_pieces_have(memory)) return leave(device, before, free_pieces(memory));
  struct context *context = &contexts[device];
  if (status == cudaSuccess)
    status =
        context->pool ? cudaFreeAsync(memory, context->lanes[MESI_TO_DEVICE]) : cudaFree(memory);
  return leave(device, before, status);
}

static const char *cuda_memory(int device, size_t *ret_total, size_t *ret_free)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess) status = cudaMemGetInfo(ret_free, ret_total);
  return leave(device, before, status);
}

/* A function of the driver: a program links the runtime interface alone. */
static void *driver_call(const char *name)
{
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return driver ? dlsym(driver, name) : NULL;
}

static bool cuda_extent(const void *memory, const void **ret_begin, size_t *ret_bytes)
{
  typedef int get_range(unsigned long long *begin, size_t *bytes, unsigned long long pointer);
  static _Atomic(void *) call; /* threads that ask at once find the same address */
  static _Atomic bool asked;
  unsigned long long begin = 0;
  if (!asked) call = driver_call("cuMemGetAddressRange_v2");
  asked = true;
  get_range *range = NULL;
  *(void **)&range = call;
  bool known = range && !range(&begin, ret_bytes, (unsigned long long)(uintptr_t)memory);
  *ret_begin = (const void *)(uintptr_t)begin;
  return known;
}

static const char *cuda_staging(int device, size_t bytes, void **ret_memory)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess) status = cudaHostAlloc(ret_memory, bytes, cudaHostAllocPortable);
  if (status == cudaErrorMemoryAllocation) {
    *ret_memory = NULL;
    cudaGetLastError();
    status = cudaSuccess;
  }
  return leave(device, before, status);
}

static void cuda_unpin(void *memory)
{
  if (cudaHostUnregister(memory) != cudaSuccess) cudaGetLastError();
}

static int cuda_pin(void *memory, size_t bytes)
{
  bool pinned = cudaHostRegister(memory, bytes, cudaHostRegisterPortable) == cudaSuccess;
  if (!pinned) cudaGetLastError();
  if (mesi_cuda_pinned_by_all(pinned)) return 0;
  if (pinned) cuda_unpin(memory);
  return -1;
}

/* ---- queues ---- */

/* A rank that takes times calls this alone: no message may go out. */
static const char *cuda_lane(int device, enum mesi_lane lane, void **ret_queue)
{
  int before;
  cudaError_t status =
      SEEDED(RANKS_TIMED_ALONE) ? enter(device, &before) : enter_beside_messages(device, &before);
  *ret_queue = contexts[device].lanes[lane];
  return leave(device, before, status);
}

static cudaError_t describe(cudaStream_t stream, struct mesi_stream_info *info)
{
  enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  unsigned long long id = (unsigned long long)(uintptr_t)stream;
  cudaError_t status = cudaStreamIsCapturing(stream, &capture);
#if CUDART_VERSION >= 12000
  /* not permitted in a capture */
  if (status == cudaSuccess && capture == cudaStreamCaptureStatusNone)
    status = cudaStreamGetId(stream, &id);
#endif
  *info = (struct mesi_stream_info){capture == cudaStreamCaptureStatusNone, false, id};
  return status;
}

/* Each thread's own default stream has the same handle, and so counts as a stream that may go
 * away. */
static const char *cuda_stream(int device, void *stream, struct mesi_stream_info *ret_info)
{
  if (!stream || stream == (void *)cudaStreamLegacy) {
    *ret_info = (struct mesi_stream_info){true, true, 0};
    return NULL;
  }
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess) status = describe(stream, ret_info);
  return leave(device, before, status);
}

static const char *cuda_copy(int device, enum mesi_lane lane, void *to, const void *from,
                             size_t bytes)
{
  int before;
  enum cudaMemcpyKind kind =
      lane == MESI_TO_DEVICE ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  cudaError_t status = enter(device, &before);
  const char *cause = NULL;
  cudaStream_t queue = contexts[device].lanes[lane];
  if (status == cudaSuccess && mesi_ranks_several())
    cause = mesi_cuda_rank_copy(device, lane == MESI_TO_HOST, to, from, bytes, queue);
  else if (status == cudaSuccess)
    status = cudaMemcpyAsync(to, from, bytes, kind, queue);
  const char *left = leave(device, before, status);
  return cause ? cause : left;
}

static const char *cuda_event(int device, bool timed, void **ret_event)
{
  int before;
  cudaError_t status = enter_beside_messages(device, &before);
  if (status == cudaSuccess)
    status = cudaEventCreateWithFlags((cudaEvent_t *)ret_event,
                                      timed ? cudaEventDefault : cudaEventDisableTiming);
  return leave(device, before, status);
}

static const char *cuda_record(int device, void *event, void *queue)
{
  int before;
  if (mesi_cuda_later(device, event, queue)) return NULL;
  cudaError_t status = enter_beside_messages(device, &before);
  if (status == cudaSuccess) status = cudaEventRecord(event, queue);
  return leave(device, before, status);
}

static const char *cuda_queue_wait(int device, void *queue, void *event)
{
  int before;
  const char *cause = mesi_cuda_before_wait(event);
  if (cause) return cause;
  cudaError_t status = enter_beside_messages(device, &before);
  if (status == cudaSuccess) status = cudaStreamWaitEvent(queue, event, 0);
  return leave(device, before, status);
}

static const char *cuda_event_wait(int device, void *event)
{
  int before;
  const char *cause = mesi_cuda_before_wait(event);
  if (cause) return cause;
  cudaError_t status = enter_beside_messages(device, &before);
  if (status == cudaSuccess) status = cudaEventSynchronize(event);
  return leave(device, before, status);
}

static const char *cuda_elapsed(int device, void *start, void *stop, double *ret_ms)
{
  int before;
  float ms = 0;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess) status = cudaEventSynchronize(start);
  if (status == cudaSuccess) status = cudaEventSynchronize(stop);
  if (status == cudaSuccess) status = cudaEventElapsedTime(&ms, start, stop);
  *ret_ms = ms;
  return leave(device, before, status);
}

static const char *cuda_wait(int device)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  return leave(device, before, status);
}

static const char *cuda_set_symbol(int device, const void *symbol, void *value)
{
  int before;
  cudaError_t status = enter(device, &before);
  cudaStream_t lane = contexts[device].lanes[MESI_TO_DEVICE];
  if (mesi_ranks_elsewhere(device)) return leave(device, before, status);
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  if (status == cudaSuccess)
    status = cudaMemcpyToSymbolAsync(symbol, &value, sizeof value, 0, cudaMemcpyHostToDevice, lane);
  if (status == cudaSuccess) status = cudaStreamSynchronize(lane);
  return leave(device, before, status);
}

/* ---- launches ---- */

static void cuda_before_launch(int device)
{
  (void)device;
  mesi_cuda_send_out();
  earlier = cudaPeekAtLastError();
}

static const char *cuda_launch_error(int device)
{
  (void)device;
  cudaError_t status = cudaPeekAtLastError();
  return status == earlier ? NULL : text(status);
}

#ifdef HAVE_NVTX
static void cuda_range_push(const char *name) { nvtxRangePushA(name); }

static void cuda_range_pop(void) { nvtxRangePop(); }
#endif

static dim3 shape(const unsigned size[3]) { return (dim3){size[0], size[1], size[2]}; }

static const char *cuda_launch(int device, const struct mesi_kernel_launch *launch)
{
  int before;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess)
    status = cudaLaunchKernel(launch->function, shape(launch->grid), shape(launch->block),
                              (void **)launch->args, launch->shared, cudaStreamLegacy);
  return leave(device, before, status);
}

static cudaError_t add_nodes(cudaGraph_t graph, const struct mesi_kernel_launch *const *launches,
                             unsigned count)
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

static const char *cuda_graph_create(int device, const struct mesi_kernel_launch *const *launches,
                                     unsigned count, void **ret_graph)
{
  int before;
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  cudaError_t status = enter(device, &before);
  if (status == cudaSuccess) status = cudaGraphCreate(&graph, 0);
  if (status == cudaSuccess) status = add_nodes(graph, launches, count);
  if (status == cudaSuccess) status = cudaGraphInstantiateWithFlags(&exec, graph, 0);
  if (graph) cudaGraphDestroy(graph);
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
  if (status == cudaSuccess) status = cudaGraphLaunch(graph, cudaStreamLegacy);
  return leave(device, before, status);
}

static void cuda_graph_free(int device, void *graph)
{
  (void)device;
  cudaGraphExecDestroy(graph);
}

/* ---- several devices ---- */

static const char *cuda_count(int *ret_count) { return text(cudaGetDeviceCount(ret_count)); }

static const char *cuda_use(int device)
{
  const char *cause = mesi_cuda_send_out();
  return cause ? cause : text(cudaSetDevice(mesi_cuda_local(device)));
}

/* Lets one device access the other's memory. Where it cannot, the driver copies through the
 * host. */
static cudaError_t reach(int device, int other)
{
  static bool tried[MESI_DEVICE_MAX][MESI_DEVICE_MAX];
  int possible = 0, local = mesi_cuda_local(device), peer = mesi_cuda_local(other);
  if (tried[device][other]) return cudaSuccess;
  tried[device][other] = true;
  cudaError_t status = cudaDeviceCanAccessPeer(&possible, local, peer);
  if (status != cudaSuccess || !possible) return status;
  status = cudaDeviceEnablePeerAccess(peer, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled) status = (cudaGetLastError(), cudaSuccess);
  if (status != cudaSuccess || !contexts[other].pool) return status;
  struct cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, local},
                                     cudaMemAccessFlagsProtReadWrite};
  return cudaMemPoolSetAccess(contexts[other].pool, &access, 1);
}

static const char *cuda_copy_between(int device, void *to, int other, const void *from,
                                     size_t bytes)
{
  int before;
  bool here = true;
  cudaError_t status = enter_beside_messages(device, &before);
  cudaStream_t lane = contexts[device].lanes[MESI_TO_DEVICE];
  const char *cause = NULL;
  if (status == cudaSuccess && mesi_ranks_several())
    cause = mesi_cuda_rank_between(device, to, other, from, bytes, lane, &here);
  if (status == cudaSuccess && here) status = reach(device, other);
  if (status == cudaSuccess && here)
    status =
        cudaMemcpyPeerAsync(to, mesi_cuda_local(device), from, mesi_cuda_local(other), bytes, lane);
  const char *left = leave(device, before, status);
  return cause ? cause : left;
}

const struct mesi_device_ops mesi_device = {
    .name = "cuda",
    .current = cuda_current,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .reserve = cuda_reserve,
    .back = cuda_back,
    .memory = cuda_memory,
    .extent = cuda_extent,
    .staging = cuda_staging,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .lane = cuda_lane,
    .stream = cuda_stream,
    .copy = cuda_copy,
    .event = cuda_event,
    .record = cuda_record,
    .queue_wait = cuda_queue_wait,
    .event_wait = cuda_event_wait,
    .elapsed = cuda_elapsed,
    .wait = cuda_wait,
    .set_symbol = cuda_set_symbol,
    .before_launch = cuda_before_launch,
    .launch_error = cuda_launch_error,
#ifdef HAVE_NVTX
    .range_push = cuda_range_push,
    .range_pop = cuda_range_pop,
#endif
    .launch = cuda_launch,
    .graph_create = cuda_graph_create,
    .graph_launch = cuda_graph_launch,
    .graph_free = cuda_graph_free,
    .count = cuda_count,
    .use = cuda_use,
    .copy_between = cuda_copy_between,
    .ranks = true,
    .on_host = mesi_cuda_on_host,
    .only = mesi_cuda_only,
    .together = mesi_cuda_together,
};
