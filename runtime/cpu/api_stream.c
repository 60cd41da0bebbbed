/* SPDX-License-Identifier: MIT */
/* api_stream.c - streams and events. Every operation is finished when its call returns: a stream
 * never waits, and an event is a point in time. */
#define _GNU_SOURCE
#include "api_internal.h"

#include <stdlib.h>
#include <time.h>

enum { STREAM_MAGIC = 0x5354524d, EVENT_MAGIC = 0x45564e54, PRIORITY_GREATEST = -5 };

struct CUstream_st {
  unsigned magic, flags;
  int priority;
};
struct CUevent_st {
  unsigned magic, flags;
  bool recorded;
  struct timespec time;
};

bool api_stream_valid(cudaStream_t stream)
{
  return stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
         stream->magic == STREAM_MAGIC;
}

static bool is_created(cudaStream_t stream)
{
  return stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread &&
         stream->magic == STREAM_MAGIC;
}

static bool event_valid(cudaEvent_t event) { return event && event->magic == EVENT_MAGIC; }

static cudaError_t handle_error(bool valid)
{
  return api_return(valid ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
  if (!stream || flags > cudaStreamNonBlocking) return api_return(cudaErrorInvalidValue);
  cudaStream_t s = malloc(sizeof *s);
  if (!s) return api_return(cudaErrorMemoryAllocation);
  priority = priority > 0 ? 0 : priority < PRIORITY_GREATEST ? PRIORITY_GREATEST : priority;
  *s = (struct CUstream_st){STREAM_MAGIC, flags, priority};
  *stream = s;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
  if (!is_created(stream)) return api_return(cudaErrorInvalidResourceHandle);
  stream->magic = 0;
  free(stream);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  return handle_error(api_stream_valid(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return handle_error(api_stream_valid(stream)); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
  (void)flags;
  return handle_error(api_stream_valid(stream) && event_valid(event));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags)
{
  if (!callback || flags != 0) return api_return(cudaErrorInvalidValue);
  if (!api_stream_valid(stream)) return handle_error(false);
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
  if (!function) return api_return(cudaErrorInvalidValue);
  if (!api_stream_valid(stream)) return handle_error(false);
  function(data);
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
  if (!flags) return api_return(cudaErrorInvalidValue);
  if (!api_stream_valid(stream)) return handle_error(false);
  *flags = is_created(stream) ? stream->flags : 0;
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
  if (!priority) return api_return(cudaErrorInvalidValue);
  if (!api_stream_valid(stream)) return handle_error(false);
  *priority = is_created(stream) ? stream->priority : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
  if (least) *least = 0;
  if (greatest) *greatest = PRIORITY_GREATEST;
  return cudaSuccess;
}

/* ---- events ---- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
  if (!event) return api_return(cudaErrorInvalidValue);
  cudaEvent_t e = malloc(sizeof *e);
  if (!e) return api_return(cudaErrorMemoryAllocation);
  *e = (struct CUevent_st){.magic = EVENT_MAGIC, .flags = flags};
  *event = e;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
  if (!event_valid(event)) return handle_error(false);
  event->magic = 0;
  free(event);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
  if (!event_valid(event) || !api_stream_valid(stream)) return handle_error(false);
  event->recorded = true;
  clock_gettime(CLOCK_MONOTONIC, &event->time);
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
  (void)flags;
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) { return handle_error(event_valid(event)); }

cudaError_t cudaEventQuery(cudaEvent_t event) { return handle_error(event_valid(event)); }

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
  if (!milliseconds) return api_return(cudaErrorInvalidValue);
  if (!event_valid(start) || !event_valid(end) || !start->recorded || !end->recorded ||
      (start->flags | end->flags) & cudaEventDisableTiming)
    return handle_error(false);
  *milliseconds = (float)((double)(end->time.tv_sec - start->time.tv_sec) * 1e3 +
                          (double)(end->time.tv_nsec - start->time.tv_nsec) * 1e-6);
  return cudaSuccess;
}

/* ---- capture and graphs: a launch runs at once and cannot be recorded ---- */

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
  if (!status) return api_return(cudaErrorInvalidValue);
  *status = cudaStreamCaptureStatusNone;
  return handle_error(api_stream_valid(stream));
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
  (void)stream, (void)mode;
  return api_return(cudaErrorNotSupported);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
  (void)stream, (void)graph;
  return api_return(cudaErrorNotSupported);
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
  (void)graph, (void)flags;
  return api_return(cudaErrorNotSupported);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
  (void)exec, (void)graph, (void)flags;
  return api_return(cudaErrorNotSupported);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
  (void)exec, (void)stream;
  return api_return(cudaErrorNotSupported);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
  (void)exec, (void)stream;
  return api_return(cudaErrorNotSupported);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
  (void)graph, (void)nodes, (void)count;
  return api_return(cudaErrorNotSupported);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
  (void)graph;
  return api_return(cudaErrorNotSupported);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
  (void)exec;
  return api_return(cudaErrorNotSupported);
}
