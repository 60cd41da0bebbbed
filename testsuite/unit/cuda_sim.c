/* SPDX-License-Identifier: MIT */
/* cuda_sim.c - streams as queues that a thread works on in random order, one operation at a time.
 *
 * CUDA_SIM_DEVICES is the number of devices of the host (4); CUDA_VISIBLE_DEVICES is heeded. Memory
 * of a device is the host's, and is overwritten when it is freed. What the host waits for has to
 * happen within some seconds, or it counts as a deadlock. As with CUDA, an event belongs to a
 * device.
 */
#include "cuda_sim.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DEVICES = 8, STREAMS = 256, POISON = 0xA5, PATIENCE_S = 20, IDLE_US = 20 };

enum kind { COPY, STEP, RECORD, WAIT, FREE };

struct CUevent_st {
  unsigned recorded, done;
  int device;
  double ms;
};

struct operation {
  enum kind kind;
  void *to;
  const void *from;
  size_t bytes;
  bool (*step)(void *);
  cudaEvent_t event;
  unsigned generation;
  unsigned long long number; /* in the order of submission */
  struct operation *next;
};

struct CUstream_st {
  int device;
  bool blocking; /* in order with the default stream of its device */
  unsigned long long id;
  struct operation *first, *last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUstream_st streams[STREAMS]; /* the first of each device are the default streams */
static unsigned stream_count = DEVICES;
static _Thread_local int current;
static int visible = -1;

/* ---- the work ---- */

static double now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Has the operation happened? */
static bool perform(struct operation *operation)
{
  switch (operation->kind) {
  case COPY: memcpy(operation->to, operation->from, operation->bytes); return true;
  case STEP: return operation->step(operation->to);
  case RECORD:
    operation->event->done = operation->generation;
    operation->event->ms = now_ms();
    return true;
  case WAIT: return operation->event->done >= operation->generation;
  case FREE: memset(operation->to, POISON, malloc_usable_size(operation->to)); return true;
  }
  return true;
}

/* Does the stream hold an operation that was submitted before? */
static bool is_ahead(const struct CUstream_st *stream, const struct operation *operation)
{
  return stream->first && stream->first->number < operation->number;
}

/* The default stream and the blocking streams of a device wait for each other's work. */
static bool is_held(cudaStream_t stream, const struct operation *operation)
{
  cudaStream_t legacy = &streams[stream->device];
  if (stream->blocking) return is_ahead(legacy, operation);
  for (unsigned i = DEVICES; i < stream_count && stream == legacy; i++)
    if (streams[i].blocking && streams[i].device == stream->device &&
        is_ahead(&streams[i], operation))
      return true;
  return false;
}

static bool work_on(cudaStream_t stream)
{
  struct operation *first = stream->first;
  if (!first || is_held(stream, first) || !perform(first)) return false;
  stream->first = first->next;
  if (!stream->first) stream->last = NULL;
  free(first);
  return true;
}

static void *work(void *unused)
{
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&lock);
    bool any = false;
    unsigned start = (unsigned)rand() % stream_count;
    for (unsigned i = 0; i < stream_count && !any; i++)
      any = work_on(&streams[(start + i) % stream_count]);
    pthread_mutex_unlock(&lock);
    if (!any) usleep(IDLE_US);
  }
  return NULL;
}

static int count_visible(void)
{
  const char *list = getenv("CUDA_VISIBLE_DEVICES"), *all = getenv("CUDA_SIM_DEVICES");
  int count = all ? atoi(all) : 4, found = 0;
  if (!list) return count;
  while (*list) {
    char *end;
    if (strtol(list, &end, 10) >= count) break;
    found++;
    list = *end ? end + 1 : end;
  }
  return found;
}

static void start(void)
{
  pthread_t worker;
  visible = count_visible();
  for (int i = 0; i < DEVICES; i++) streams[i].device = i;
  srand((unsigned)getpid());
  pthread_create(&worker, NULL, work, NULL);
  pthread_detach(worker);
}

static void open_once(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

static cudaStream_t stream_of(cudaStream_t stream)
{
  bool legacy = !stream || stream == cudaStreamLegacy;
  return legacy ? &streams[current] : stream;
}

int cuda_sim_device_of(cudaStream_t stream) { return stream_of(stream)->device; }

static cudaError_t submit(cudaStream_t stream, struct operation operation)
{
  static unsigned long long number;
  struct operation *copy = malloc(sizeof *copy);
  *copy = operation;
  stream = stream_of(stream);
  pthread_mutex_lock(&lock);
  copy->number = ++number;
  if (operation.kind == RECORD) copy->generation = ++operation.event->recorded;
  if (operation.kind == WAIT) copy->generation = operation.event->recorded;
  if (stream->last)
    stream->last->next = copy;
  else
    stream->first = copy;
  stream->last = copy;
  pthread_mutex_unlock(&lock);
  return cudaSuccess;
}

void cuda_sim_submit(cudaStream_t stream, bool (*step)(void *), void *context)
{
  submit(stream, (struct operation){.kind = STEP, .step = step, .to = context});
}

/* The host waits until it is so. */
static cudaError_t await(bool (*so)(const void *), const void *what)
{
  double began = now_ms();
  for (;;) {
    pthread_mutex_lock(&lock);
    bool is = so(what);
    pthread_mutex_unlock(&lock);
    if (is) return cudaSuccess;
    if (now_ms() - began > PATIENCE_S * 1e3) {
      fprintf(stderr, "cuda_sim: deadlock: the host waits for what cannot happen\n");
      return cudaErrorLaunchTimeout;
    }
    usleep(IDLE_US);
  }
}

static bool is_empty(const void *stream) { return !((cudaStream_t)stream)->first; }

static bool is_done(const void *event)
{
  return ((cudaEvent_t)event)->done >= ((cudaEvent_t)event)->recorded;
}

/* ---- the library ---- */

cudaError_t cudaGetDeviceCount(int *ret_count)
{
  open_once();
  *ret_count = visible;
  return visible ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaGetDevice(int *ret_device)
{
  open_once();
  *ret_device = current;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
  open_once();
  if (device < 0 || device >= visible) return cudaErrorInvalidDevice;
  current = device;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
  cudaError_t status = cudaSuccess;
  for (unsigned i = 0; i < stream_count && status == cudaSuccess; i++)
    if (streams[i].device == current) status = await(is_empty, &streams[i]);
  return status;
}

cudaError_t cudaDeviceGetAttribute(int *ret_value, enum cudaDeviceAttr what, int device)
{
  (void)device;
  *ret_value = what == cudaDevAttrMemoryPoolsSupported;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *ret_least, int *ret_greatest)
{
  *ret_least = 0;
  *ret_greatest = -1;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *ret_can, int device, int other)
{
  *ret_can = device != other;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int other, unsigned flags)
{
  return flags || other >= visible ? cudaErrorInvalidDevice : cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *ret_stream, unsigned flags)
{
  static unsigned long long ids;
  if (stream_count == STREAMS) return cudaErrorMemoryAllocation;
  pthread_mutex_lock(&lock);
  *ret_stream = &streams[stream_count];
  streams[stream_count++] = (struct CUstream_st){
      .device = current, .blocking = !(flags & cudaStreamNonBlocking), .id = ++ids};
  pthread_mutex_unlock(&lock);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *ret_stream, unsigned flags, int priority)
{
  (void)priority;
  return cudaStreamCreateWithFlags(ret_stream, flags);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *ret_id)
{
  *ret_id = stream->id;
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *ret_status)
{
  (void)stream;
  *ret_status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  return await(is_empty, stream_of(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
  (void)flags;
  return submit(stream, (struct operation){.kind = WAIT, .event = event});
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *ret_event, unsigned flags)
{
  (void)flags;
  *ret_event = calloc(1, sizeof **ret_event);
  (*ret_event)->device = current;
  return cudaSuccess;
}

/* What is submitted still has it. */
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
  (void)event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
  if (event->device != cuda_sim_device_of(stream)) return cudaErrorInvalidResourceHandle;
  return submit(stream, (struct operation){.kind = RECORD, .event = event});
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) { return await(is_done, event); }

cudaError_t cudaEventElapsedTime(float *ret_ms, cudaEvent_t start_event, cudaEvent_t stop_event)
{
  const char *all = getenv("CUDA_SIM_MS"); /* what everything takes */
  *ret_ms = all ? (float)atof(all) : (float)(stop_event->ms - start_event->ms);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **ret_memory, size_t bytes)
{
  *ret_memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
  memset(*ret_memory, POISON, bytes);
  return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void **ret_memory, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
  (void)pool;
  (void)stream;
  return cudaMalloc(ret_memory, bytes);
}

cudaError_t cudaFree(void *memory)
{
  free(memory);
  return cudaSuccess;
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
  return submit(stream, (struct operation){.kind = FREE, .to = memory});
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *ret_pool, const struct cudaMemPoolProps *properties)
{
  *ret_pool = (cudaMemPool_t)(uintptr_t)(properties->location.id + 1);
  return properties->location.id < visible ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr what, void *value)
{
  (void)pool, (void)what, (void)value;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
  (void)pool, (void)list, (void)count;
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
  (void)pool, (void)bytes;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *ret_free, size_t *ret_total)
{
  *ret_free = *ret_total = (size_t)1 << 30;
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **ret_memory, size_t bytes, unsigned flags)
{
  (void)flags;
  return cudaMalloc(ret_memory, bytes);
}

/* Only every other process can. */
cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags)
{
  const char *odd = getenv("CUDA_SIM_PINS");
  (void)memory, (void)bytes, (void)flags;
  return odd && getenv("OMPI_COMM_WORLD_RANK") && strcmp(odd, getenv("OMPI_COMM_WORLD_RANK")) != 0
             ? cudaErrorMemoryAllocation
             : cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory)
{
  (void)memory;
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
  (void)kind;
  return submit(stream, (struct operation){.kind = COPY, .to = to, .from = from, .bytes = bytes});
}

cudaError_t cudaMemcpyPeerAsync(void *to, int device, const void *from, int other, size_t bytes,
                                cudaStream_t stream)
{
  if (device >= visible || other >= visible) return cudaErrorInvalidDevice;
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
  (void)kind, (void)stream;
  memcpy((char *)(uintptr_t)symbol + offset, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaGetLastError(void) { return cudaSuccess; }

cudaError_t cudaPeekAtLastError(void) { return cudaSuccess; }

const char *cudaGetErrorString(cudaError_t error)
{
  static _Thread_local char text[40];
  snprintf(text, sizeof text, "simulated error %d", (int)error);
  return text;
}

/* ---- no test makes these ---- */

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                             size_t shared, cudaStream_t stream)
{
  (void)function, (void)grid, (void)block, (void)args, (void)shared, (void)stream;
  abort();
}

cudaError_t cudaGraphCreate(cudaGraph_t *ret_graph, unsigned flags)
{
  (void)ret_graph, (void)flags;
  abort();
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *ret_node, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t count,
                                   const struct cudaKernelNodeParams *params)
{
  (void)ret_node, (void)graph, (void)before, (void)count, (void)params;
  abort();
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *ret_exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
  (void)ret_exec, (void)graph, (void)flags;
  abort();
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
  (void)graph;
  abort();
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
  (void)exec, (void)stream;
  abort();
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
  (void)exec;
  abort();
}
