/* SPDX-License-Identifier: MIT */
/* pieces_cuda.c - reserved addresses that get memory piece by piece.
 *
 *     reserve 200 GB     the first half gets memory on device 0, the second on device 1,
 *                         each at its place in the object
 *
 * The calls are the driver's, which is already loaded: a program links the runtime interface alone.
 */
#include "pieces_cuda.h"

#include "device.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

struct piece {
  CUdeviceptr begin;
  size_t bytes;
  struct piece *next;
};

static struct range {
  CUdeviceptr memory;
  size_t bytes;
  struct piece *pieces; /* the pieces that have memory */
  struct range *next;
} * ranges;

static struct {
  CUresult (*granularity)(size_t *, const CUmemAllocationProp *, CUmemAllocationGranularity_flags);
  CUresult (*reserve)(CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long);
  CUresult (*give_back)(CUdeviceptr, size_t);
  CUresult (*create)(CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *,
                     unsigned long long);
  CUresult (*release)(CUmemGenericAllocationHandle);
  CUresult (*map)(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long);
  CUresult (*unmap)(CUdeviceptr, size_t);
  CUresult (*access)(CUdeviceptr, size_t, const CUmemAccessDesc *, size_t);
} driver;

static bool find(void *library, const char *name, void *ret_call)
{
  *(void **)ret_call = dlsym(library, name);
  return *(void **)ret_call != NULL;
}

static bool open_driver(void)
{
  static enum { UNASKED, YES, NO } known;
  void *library = known ? NULL : dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (!known)
    known = library && find(library, "cuMemGetAllocationGranularity", &driver.granularity) &&
                    find(library, "cuMemAddressReserve", &driver.reserve) &&
                    find(library, "cuMemAddressFree", &driver.give_back) &&
                    find(library, "cuMemCreate", &driver.create) &&
                    find(library, "cuMemRelease", &driver.release) &&
                    find(library, "cuMemMap", &driver.map) &&
                    find(library, "cuMemUnmap", &driver.unmap) &&
                    find(library, "cuMemSetAccess", &driver.access)
                ? YES
                : NO;
  return known == YES;
}

static CUmemAllocationProp memory_of(int device)
{
  return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                               .location = {CU_MEM_LOCATION_TYPE_DEVICE, device}};
}

void *mesi_pieces_reserve(int device, size_t bytes)
{
  CUmemAllocationProp properties = memory_of(device);
  size_t least = 0, whole = (bytes + MESI_PIECE - 1) / MESI_PIECE * MESI_PIECE;
  if (!open_driver() || driver.granularity(&least, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) ||
      !least || MESI_PIECE % least)
    return NULL;
  struct range *range = calloc(1, sizeof *range);
  if (!range || driver.reserve(&range->memory, whole, MESI_PIECE, 0, 0)) {
    free(range);
    return NULL;
  }
  range->bytes = whole;
  range->next = ranges;
  ranges = range;
  return (void *)(uintptr_t)range->memory;
}

static struct range **find_range(const void *memory)
{
  struct range **at = &ranges;
  while (*at && (*at)->memory != (CUdeviceptr)(uintptr_t)memory) at = &(*at)->next;
  return at;
}

/* Gives access to the device itself and to the devices that can copy from it. */
static bool allow(int device, const struct piece *piece)
{
  int count = 0;
  cudaGetDeviceCount(&count);
  for (int other = 0; other < count; other++) {
    int can = other == device;
    if (!can && cudaDeviceCanAccessPeer(&can, other, device)) can = 0;
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, other},
                              CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    if (can && driver.access(piece->begin, piece->bytes, &access, 1) && other == device)
      return false;
  }
  return true;
}

bool mesi_pieces_back(int device, void *memory, size_t begin, size_t end)
{
  struct range *range = *find_range(memory);
  struct piece *piece = malloc(sizeof *piece);
  CUmemAllocationProp properties = memory_of(device);
  CUmemGenericAllocationHandle handle;
  if (!piece) return false;
  *piece = (struct piece){range->memory + begin, end - begin, range->pieces};
  if (driver.create(&handle, piece->bytes, &properties, 0)) {
    free(piece);
    return false;
  }
  bool mapped = !driver.map(piece->begin, piece->bytes, 0, handle, 0);
  driver.release(handle); /* the mapping keeps it */
  if (!mapped || !allow(device, piece)) {
    if (mapped) driver.unmap(piece->begin, piece->bytes);
    free(piece);
    return false;
  }
  range->pieces = piece;
  return true;
}

bool mesi_pieces_have(const void *memory) { return ranges && *find_range(memory); }

void mesi_pieces_free(void *memory)
{
  struct range **at = find_range(memory), *range = *at;
  while (range->pieces) {
    struct piece *piece = range->pieces;
    range->pieces = piece->next;
    driver.unmap(piece->begin, piece->bytes);
    free(piece);
  }
  driver.give_back(range->memory, range->bytes);
  *at = range->next;
  free(range);
}
