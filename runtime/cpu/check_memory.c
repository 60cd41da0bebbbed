/* SPDX-License-Identifier: MIT */
/* check_memory.c - the checker's own memory, and the object of an address.
 *
 * Device memory comes from one range of addresses. Objects have pages of their own with empty room
 * between them, so that a table by page gives the object near any address. A freed object's
 * addresses are reused only when the range is used up. Variables are in a list by address, shared
 * arrays in the block's.
 */
#define _GNU_SOURCE
#include "check_internal.h"
#include "forks.h"

#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE_SHIFT = 12, GAP_PAGES = 16, NEAR = 256 };
#define PAGE ((size_t)1 << PAGE_SHIFT)
#define RANGE_MOST ((size_t)1 << 38)
#define RANGE_LEAST ((size_t)1 << 30)

extern void __asan_poison_memory_region(const volatile void *, size_t) __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *, size_t) __attribute__((weak));

static struct {
  pthread_mutex_t mutex; /* allocations may come from several threads of the host */
  char *start, *next;    /* next: first address never used */
  size_t bytes;
  uint32_t *owners; /* by page: index in objects + 1; 0: none */
  struct object **objects;
  unsigned count, room;
} range = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void check_memory_fork(int when)
{
  if (when == 0)
    pthread_mutex_lock(&range.mutex);
  else
    pthread_mutex_unlock(&range.mutex);
}

static struct object *variables; /* by address */
static unsigned variable_count, variable_room;

static void *grown(void *items, unsigned count, unsigned *room, size_t size)
{
  if (count < *room) return items;
  *room = *room ? 2 * *room : 32;
  items = realloc(items, *room * size);
  if (!items) mesi_cpu_fail("no memory for the checker");
  return items;
}

static void *map(size_t bytes)
{
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* ---- device memory ---- */

static bool reserve(void)
{
  for (size_t bytes = RANGE_MOST; !range.start && bytes >= RANGE_LEAST; bytes /= 2) {
    range.start = range.next = map(bytes);
    range.owners = range.start ? map((bytes >> PAGE_SHIFT) * sizeof *range.owners) : NULL;
    if (range.start && !range.owners) {
      munmap(range.start, bytes);
      range.start = NULL;
    }
    range.bytes = bytes;
  }
  return range.start != NULL;
}

static size_t pages_of(size_t bytes) { return (bytes + PAGE - 1) >> PAGE_SHIFT; }

/* A freed object with enough room, for when the range is used up. */
static struct object *reused(size_t bytes)
{
  for (unsigned i = 0; i < range.count; i++)
    if (range.objects[i]->freed && pages_of(range.objects[i]->bytes) >= pages_of(bytes))
      return range.objects[i];
  return NULL;
}

static struct object *placed(size_t bytes)
{
  size_t whole = (pages_of(bytes) + 2 * GAP_PAGES) << PAGE_SHIFT;
  if (whole > range.bytes - (size_t)(range.next - range.start)) return reused(bytes);
  struct object *object = calloc(1, sizeof *object);
  if (!object) return NULL;
  range.objects = grown(range.objects, range.count, &range.room, sizeof *range.objects);
  range.objects[range.count++] = object;
  size_t first = (size_t)(range.next - range.start) >> PAGE_SHIFT;
  for (size_t i = 0; i < whole >> PAGE_SHIFT; i++) range.owners[first + i] = range.count;
  object->start = range.next + (GAP_PAGES << PAGE_SHIFT);
  if (__asan_poison_memory_region) __asan_poison_memory_region(range.next, whole);
  range.next += whole;
  return object;
}

static void *allocate(size_t bytes, const char *what)
{
  pthread_mutex_lock(&range.mutex);
  struct object *object = range.start || reserve() ? placed(bytes) : NULL;
  if (object) {
    *object = (struct object){
        .start = object->start, .bytes = bytes, .kind = OBJECT_DEVICE, .what = what};
    if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(object->start, bytes);
  }
  pthread_mutex_unlock(&range.mutex);
  return object ? object->start : NULL;
}

static void drop_cells(struct object *object)
{
  if (object->cells) munmap(object->cells, object->cell_bytes);
  object->cells = NULL;
}

static size_t release(void *memory)
{
  pthread_mutex_lock(&range.mutex);
  struct object *object =
      range.objects[range.owners[(size_t)((char *)memory - range.start) >> PAGE_SHIFT] - 1];
  object->freed = true;
  drop_cells(object);
  if (__asan_poison_memory_region) __asan_poison_memory_region(object->start, object->bytes);
  madvise(object->start, pages_of(object->bytes) << PAGE_SHIFT, MADV_DONTNEED);
  pthread_mutex_unlock(&range.mutex);
  return object->bytes;
}

void check_memory_install(void)
{
  static const struct mesi_cpu_memory memory = {allocate, release};
  mesi_cpu_memory = &memory;
}

/* ---- variables ---- */

void check_add_variable(const struct mesi_check_var *var)
{
  variables = grown(variables, variable_count, &variable_room, sizeof *variables);
  unsigned at = variable_count++;
  for (; at > 0 && variables[at - 1].start > (const char *)var->address; at--)
    variables[at] = variables[at - 1];
  variables[at] = (struct object){.start = (char *)(uintptr_t)var->address,
                                  .bytes = var->size,
                                  .kind = OBJECT_VARIABLE,
                                  .what = var->name};
}

static bool inside(const struct object *object, const char *address)
{
  return address >= object->start && address < object->start + object->bytes;
}

static struct object *find_variable(const char *address)
{
  unsigned low = 0, high = variable_count;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (variables[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low && inside(&variables[low - 1], address) ? &variables[low - 1] : NULL;
}

static int in_segment(struct dl_phdr_info *info, size_t size, void *pointer)
{
  (void)size;
  uintptr_t address = (uintptr_t) * (const char **)pointer;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && address >= start && address < start + segment->p_memsz)
      return 1;
  }
  return 0;
}

bool check_is_image(const char *address) { return dl_iterate_phdr(in_segment, &address) != 0; }

/* ---- shared memory ---- */

void check_begin_dynamic(struct check_block *block)
{
  const struct worker *w = block->worker;
  size_t bytes = w->launch->shared;
  if (block->dynamic.start == w->shared && block->dynamic.bytes == bytes &&
      block->launch == check.launches)
    return;
  drop_cells(&block->dynamic);
  for (unsigned i = 0; i < block->part_count; i++) drop_cells(&block->parts[i]);
  block->part_count = 0;
  block->last = NULL;
  block->dynamic = (struct object){
      .start = w->shared, .bytes = bytes, .kind = OBJECT_SHARED, .what = "dynamic shared memory"};
}

static struct object *object_at(struct object *objects, unsigned count, const void *address)
{
  for (unsigned i = 0; i < count; i++)
    if (objects[i].start == address) return &objects[i];
  return NULL;
}

struct object *check_shared_object(struct check_block *block, const void *address, size_t bytes,
                                   size_t element, const char *name)
{
  bool part = inside(&block->dynamic, address);
  struct object *object = part ? object_at(block->parts, block->part_count, address)
                               : object_at(block->shared, block->shared_count, address);
  if (object && object->bytes == bytes) return object;
  if (!object && part) {
    block->parts = grown(block->parts, block->part_count, &block->part_room, sizeof *block->parts);
    object = &block->parts[block->part_count++];
  } else if (!object) {
    block->shared =
        grown(block->shared, block->shared_count, &block->shared_room, sizeof *block->shared);
    object = &block->shared[block->shared_count++];
  } else {
    drop_cells(object);
  }
  block->last = NULL;
  *object = (struct object){.start = (char *)(uintptr_t)address,
                            .bytes = bytes,
                            .kind = OBJECT_SHARED,
                            .what = name,
                            .granule = element % 4 || (uintptr_t)address % 4 ? 1 : 4};
  return object;
}

static struct object *find_shared(struct check_block *block, const char *address)
{
  for (unsigned i = 0; i < block->part_count; i++)
    if (inside(&block->parts[i], address)) return &block->parts[i];
  if (inside(&block->dynamic, address)) return &block->dynamic;
  for (unsigned i = 0; i < block->shared_count; i++)
    if (block->shared[i].launch == check.launches && inside(&block->shared[i], address))
      return &block->shared[i];
  return NULL;
}

/* A shared array just beside an address that no other object has: the access means this array. */
static struct object *near_shared(struct check_block *block, const char *address)
{
  if (block->trusts) return NULL;
  struct object *dynamic = &block->dynamic;
  if (dynamic->bytes && address + NEAR > dynamic->start &&
      address < dynamic->start + dynamic->bytes + NEAR)
    return dynamic;
  for (unsigned i = 0; i < block->shared_count; i++) {
    struct object *object = &block->shared[i];
    if (object->launch != check.launches) continue;
    if (address + NEAR > object->start && address < object->start + object->bytes + NEAR)
      return object;
  }
  return NULL;
}

/* ---- look-up ---- */

static bool is_own_stack(const struct check_block *block, const char *address)
{
  const struct fiber *fiber = block->worker->running;
  return fiber && fiber->low && address >= fiber->low && address < (const char *)fiber;
}

struct object *check_find(struct check_block *block, const char *address)
{
  if (address >= range.start && address < range.next) {
    uint32_t owner = range.owners[(size_t)(address - range.start) >> PAGE_SHIFT];
    return owner ? range.objects[owner - 1] : NULL;
  }
  if (is_own_stack(block, address)) return NULL;
  struct object *object = find_shared(block, address);
  if (!object) object = find_variable(address);
  return object || check_is_image(address) ? object : near_shared(block, address);
}

extern bool mesi_slab_block_on_device(const void *address, const void **ret_start,
                                      size_t *ret_bytes) __attribute__((weak));

bool check_part(struct object *object, const char *address, struct object *ret_part)
{
  const void *start;
  size_t bytes;
  if (object->kind != OBJECT_DEVICE || object->undivided) return false;
  object->undivided =
      !mesi_slab_block_on_device || !mesi_slab_block_on_device(address, &start, &bytes);
  if (object->undivided) return false;
  *ret_part = (struct object){.start = (char *)(uintptr_t)start,
                              .bytes = bytes,
                              .kind = OBJECT_DEVICE,
                              .what = bytes ? "mesi_malloc" : "mesi_free",
                              .freed = !bytes};
  return true;
}

/* ---- cells ---- */

/* Gives each byte a copy of its cell, for elements smaller than four bytes. */
static bool refine(struct object *object)
{
  size_t bytes = object->bytes * sizeof(struct cell);
  struct cell *cells = map(bytes);
  if (!cells) return false;
  check_settle();
  if (check_block) check_settle_reads(check_block); /* they point to cells */
  bool keep = object->kind == OBJECT_SHARED || object->bytes <= (1u << 20);
  for (size_t i = 0; keep && i < object->bytes; i++) cells[i] = object->cells[i / 4];
  munmap(object->cells, object->cell_bytes);
  object->cells = cells;
  object->cell_bytes = bytes;
  object->granule = 1;
  return true;
}

struct cell *check_cells(struct object *object, size_t offset, size_t size)
{
  bool whole = offset % 4 == 0 && size % 4 == 0;
  if (!object->granule) object->granule = whole ? 4 : 1;
  if (!object->cells) {
    if (!whole) object->granule = 1;
    object->cell_bytes =
        (object->bytes + object->granule - 1) / object->granule * sizeof(struct cell);
    object->cells = map(object->cell_bytes);
    if (!object->cells) return NULL;
  }
  if (object->granule == 4 && !whole && !refine(object)) return NULL;
  return &object->cells[offset / object->granule];
}

void check_forget_cells(void)
{
  for (unsigned i = 0; i < range.count; i++) drop_cells(range.objects[i]);
  for (unsigned i = 0; i < variable_count; i++) drop_cells(&variables[i]);
  struct check_block *block = check_block;
  for (unsigned i = 0; block && i < block->shared_count; i++) drop_cells(&block->shared[i]);
}
