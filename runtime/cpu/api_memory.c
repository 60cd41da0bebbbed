/* SPDX-License-Identifier: MIT */
/* api_memory.c - allocations. Device memory is host memory that starts as 0xA5, so that a program
 * that reads unwritten memory does not see zeros. Allocations are sorted by address, for cudaFree
 * and pointer queries. */
#define _GNU_SOURCE
#include "api_internal.h"
#include "../base/watch.h"
#include "../dump.h"
#include "forks.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POISON = 0xA5, ALIGNMENT = 512, PITCH = 512 };

struct allocation {
  char *start;
  size_t bytes;
  enum cudaMemoryType type;
  bool registered;
  unsigned flags;
  uint64_t serial;
  bool workspace;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void api_memory_fork(int when)
{
  if (when == 0)
    pthread_mutex_lock(&mutex);
  else
    pthread_mutex_unlock(&mutex);
}
static struct allocation *table;   /* by start */
static size_t count, room, in_use; /* in_use: bytes of device and managed memory */

size_t api_total_memory(void)
{
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : (size_t)1 << 30;
}

/* Position of the first allocation that starts after the pointer. Requires the mutex. */
static size_t position_after(const char *pointer)
{
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table[middle].start <= pointer)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static struct allocation *find(const void *pointer)
{
  size_t after = position_after(pointer);
  if (after == 0) return NULL;
  struct allocation *a = &table[after - 1];
  return (const char *)pointer < a->start + a->bytes || pointer == a->start ? a : NULL;
}

/* The memory with each address of an allocation in the place that a run of the same program gives
 * it, too: the allocation's number and the offset. NULL: there is no such address. */
static char *without_addresses(const struct allocation *memory)
{
  char *copy = NULL;
  for (size_t at = 0; at + sizeof(char *) <= memory->bytes; at += sizeof(char *)) {
    char *pointer;
    memcpy(&pointer, memory->start + at, sizeof pointer);
    const struct allocation *a = find(pointer);
    if (!a || a->workspace) continue;
    if (!copy && (copy = malloc(memory->bytes))) memcpy(copy, memory->start, memory->bytes);
    uint64_t place = MESI_DUMP_POINTER(a->serial, pointer - a->start);
    if (copy) memcpy(copy + at, &place, sizeof place);
  }
  return copy;
}

/* Shows a device's memory to prove's watcher: before it is freed, and all remaining memory at the
 * end, in the order of allocation. */
static void show_to_watcher(const struct allocation *a)
{
  if (!mesi_watch_object || a->type == cudaMemoryTypeHost || a->workspace) return;
  char *shown_instead = without_addresses(a);
  mesi_watch_object("cudaMalloc", 0, a->start, shown_instead, a->bytes);
  free(shown_instead);
}

static int by_serial(const void *left, const void *right)
{
  const struct allocation *a = left, *b = right;
  return (a->serial > b->serial) - (a->serial < b->serial);
}

static bool shown; /* at the end of the program, which may still free memory */

static void show_rest(void)
{
  struct allocation *sorted = malloc((count + 1) * sizeof *sorted);
  if (!sorted) return;
  if (count) memcpy(sorted, table, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, by_serial);
  for (size_t i = 0; i < count; i++) show_to_watcher(&sorted[i]);
  free(sorted);
  shown = true;
}

static uint64_t made; /* allocations, without workspaces */

static bool insert(struct allocation a)
{
  static bool watched;
  if (!watched && mesi_watch_object) atexit(show_rest);
  watched = true;
  a.serial = ++made;
  if (count == room) {
    size_t wanted = room ? 2 * room : 64;
    struct allocation *grown = realloc(table, wanted * sizeof *table);
    if (!grown) return false;
    table = grown;
    room = wanted;
  }
  size_t at = position_after(a.start);
  memmove(table + at + 1, table + at, (count - at) * sizeof *table);
  table[at] = a;
  count++;
  return true;
}

static void remove_entry(struct allocation *a)
{
  size_t at = (size_t)(a - table);
  memmove(table + at, table + at + 1, (--count - at) * sizeof *table);
}

static char *obtain(size_t bytes, enum cudaMemoryType type)
{
  static const char *const names[] = {[cudaMemoryTypeHost] = "cudaMallocHost",
                                      [cudaMemoryTypeDevice] = "cudaMalloc",
                                      [cudaMemoryTypeManaged] = "cudaMallocManaged"};
  if (mesi_cpu_memory) return mesi_cpu_memory->allocate(bytes, names[type]);
  return aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1));
}

static void give_back(void *memory)
{
  if (mesi_cpu_memory && memory)
    mesi_cpu_memory->release(memory);
  else
    free(memory);
}

static cudaError_t allocate(void **ret_pointer, size_t bytes, enum cudaMemoryType type,
                            unsigned flags)
{
  if (!ret_pointer) return api_return(cudaErrorInvalidValue);
  if (bytes == 0) {
    *ret_pointer = NULL;
    return cudaSuccess;
  }
  bool device = type != cudaMemoryTypeHost;
  pthread_mutex_lock(&mutex);
  bool fits = bytes <= api_total_memory() && in_use <= api_total_memory() - bytes;
  char *memory = fits ? obtain(bytes, type) : NULL;
  bool done = memory && insert((struct allocation){memory, bytes, type, false, flags, 0, false});
  if (done && device) in_use += bytes;
  pthread_mutex_unlock(&mutex);
  if (!done) {
    give_back(memory);
    return api_return(cudaErrorMemoryAllocation);
  }
  if (device) memset(memory, POISON, bytes);
  *ret_pointer = memory;
  return cudaSuccess;
}

void mesi_cpu_workspace(const void *pointer)
{
  pthread_mutex_lock(&mutex);
  struct allocation *a = find(pointer);
  if (a) a->workspace = true;
  if (a && a->serial == made) made--; /* the program's own have the same numbers at each level */
  pthread_mutex_unlock(&mutex);
}

static cudaError_t release(void *pointer, bool host)
{
  if (!pointer) return cudaSuccess;
  pthread_mutex_lock(&mutex);
  struct allocation *a = find(pointer);
  bool mine = a && a->start == pointer && !a->registered && (a->type == cudaMemoryTypeHost) == host;
  if (mine) {
    if (!host) in_use -= a->bytes;
    if (!shown) show_to_watcher(a);
    remove_entry(a);
  }
  pthread_mutex_unlock(&mutex);
  if (!mine) return api_return(cudaErrorInvalidValue);
  give_back(pointer);
  return cudaSuccess;
}

/* ---- device, managed and page-locked memory ---- */

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
  return allocate(pointer, bytes, cudaMemoryTypeDevice, 0);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
  return api_stream_valid(stream) ? cudaMalloc(pointer, bytes)
                                  : api_return(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
  (void)pool;
  return cudaMallocAsync(pointer, bytes, stream);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
  if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return api_return(cudaErrorInvalidValue);
  return allocate(pointer, bytes, cudaMemoryTypeManaged, flags);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
  if (!pitch) return api_return(cudaErrorInvalidValue);
  *pitch = (width + PITCH - 1) & ~(size_t)(PITCH - 1);
  return cudaMalloc(pointer, *pitch * height);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
{
  if (!pointer) return api_return(cudaErrorInvalidValue);
  void *memory;
  size_t pitch;
  cudaError_t error = cudaMallocPitch(&memory, &pitch, extent.width, extent.height * extent.depth);
  if (error == cudaSuccess)
    *pointer = make_cudaPitchedPtr(memory, pitch, extent.width, extent.height);
  return error;
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
  return allocate(pointer, bytes, cudaMemoryTypeHost, cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
  return allocate(pointer, bytes, cudaMemoryTypeHost, flags);
}

cudaError_t cudaFree(void *pointer) { return release(pointer, false); }

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
  return api_stream_valid(stream) ? cudaFree(pointer) : api_return(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaFreeHost(void *pointer) { return release(pointer, true); }

/* ---- host memory of the program ---- */

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
  if (!pointer || bytes == 0) return api_return(cudaErrorInvalidValue);
  pthread_mutex_lock(&mutex);
  cudaError_t error = find(pointer) ? cudaErrorHostMemoryAlreadyRegistered : cudaSuccess;
  if (!error &&
      !insert((struct allocation){pointer, bytes, cudaMemoryTypeHost, true, flags, 0, false}))
    error = cudaErrorMemoryAllocation;
  pthread_mutex_unlock(&mutex);
  return api_return(error);
}

cudaError_t cudaHostUnregister(void *pointer)
{
  pthread_mutex_lock(&mutex);
  struct allocation *a = pointer ? find(pointer) : NULL;
  bool registered = a && a->registered && a->start == pointer;
  if (registered) remove_entry(a);
  pthread_mutex_unlock(&mutex);
  return api_return(registered ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

static bool look_up(const void *pointer, struct allocation *ret_allocation)
{
  pthread_mutex_lock(&mutex);
  struct allocation *a = pointer ? find(pointer) : NULL;
  if (a) *ret_allocation = *a;
  pthread_mutex_unlock(&mutex);
  return a != NULL;
}

int mesi_cpu_extent(const void *pointer, const void **ret_begin, size_t *ret_bytes)
{
  struct allocation a;
  bool known = look_up(pointer, &a);
  *ret_begin = known ? a.start : NULL;
  *ret_bytes = known ? a.bytes : 0;
  return known;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
  struct allocation a;
  if (!device || flags != 0 || !look_up(host, &a) || a.type != cudaMemoryTypeHost)
    return api_return(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
  struct allocation a;
  if (!flags || !look_up(host, &a) || a.type != cudaMemoryTypeHost)
    return api_return(cudaErrorInvalidValue);
  *flags = a.flags | cudaHostAllocMapped;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
  struct allocation a = {.type = cudaMemoryTypeUnregistered};
  if (!attributes || !pointer) return api_return(cudaErrorInvalidValue);
  bool known = look_up(pointer, &a);
  memset(attributes, 0, sizeof *attributes);
  attributes->type = a.type;
  attributes->device = known ? 0 : cudaInvalidDeviceId;
  attributes->devicePointer = known ? (void *)(uintptr_t)pointer : NULL;
  attributes->hostPointer =
      a.type == cudaMemoryTypeDevice || !known ? NULL : (void *)(uintptr_t)pointer;
  if (!known) attributes->hostPointer = (void *)(uintptr_t)pointer;
  return cudaSuccess;
}

/* ---- the rest ---- */

cudaError_t cudaMemGetInfo(size_t *ret_free, size_t *total)
{
  if (!ret_free || !total) return api_return(cudaErrorInvalidValue);
  pthread_mutex_lock(&mutex);
  *total = api_total_memory();
  *ret_free = *total - in_use;
  pthread_mutex_unlock(&mutex);
  return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t length,
                                     unsigned int flags)
{
  (void)length, (void)flags;
  struct allocation a;
  if (!api_stream_valid(stream)) return api_return(cudaErrorInvalidResourceHandle);
  return api_return(look_up(pointer, &a) && a.type == cudaMemoryTypeManaged
                        ? cudaSuccess
                        : cudaErrorInvalidValue);
}

/* cudaMemAdvise and cudaMemPrefetchAsync: host and device share the memory, so that only the range
 * is checked. Managed variables are not in the table. */
cudaError_t mesi_cpu_managed_hint(const void *pointer, size_t bytes);
cudaError_t mesi_cpu_managed_hint(const void *pointer, size_t bytes)
{
  struct allocation a;
  if (!pointer || bytes == 0) return api_return(cudaErrorInvalidValue);
  if (look_up(pointer, &a) &&
      (a.type != cudaMemoryTypeManaged || (const char *)pointer + bytes > a.start + a.bytes))
    return api_return(cudaErrorInvalidValue);
  return cudaSuccess;
}

/* One pool, whose attributes are accepted; memory goes back to the host at once. */
static const char default_pool;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
  if (!pool) return api_return(cudaErrorInvalidValue);
  if (device != 0) return api_return(cudaErrorInvalidDevice);
  *pool = (cudaMemPool_t)(uintptr_t)&default_pool;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
  (void)attr;
  return api_return(pool && value ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
  if (!pool || !value) return api_return(cudaErrorInvalidValue);
  if (attr <= cudaMemPoolReuseAllowInternalDependencies)
    *(int *)value = 1;
  else
    *(unsigned long long *)value = attr >= cudaMemPoolAttrReservedMemCurrent ? in_use : 0;
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
  (void)keep;
  return api_return(pool ? cudaSuccess : cudaErrorInvalidValue);
}
