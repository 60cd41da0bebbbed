/* SPDX-License-Identifier: MIT */
/* object.c - the table of VS objects, by host address and by device address. */
#include "object.h"

#include "../base/error.h"
#include "../stream/devices.h"
#include "habit.h"
#include "../stream/order.h"
#include "../seeded.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct table { /* sorted by key */
  struct mesi_object **items;
  size_t count, capacity;
};

static struct table by_host;
static struct table by_device[MESI_DEVICE_MAX];
static uint64_t epoch = 1;

static _Atomic uintptr_t lowest = UINTPTR_MAX; /* the lowest address of any object so far */
static _Atomic uintptr_t highest;

/* The address by which the table is sorted; device < 0: the host's. */
static uintptr_t key(const struct mesi_object *object, int device)
{
  return (uintptr_t)(device < 0 ? (const void *)object->host : object->device[device].address);
}

static struct table *table_of(int device) { return device < 0 ? &by_host : &by_device[device]; }

/* The number of objects whose key is at most `address`. */
static size_t upper_bound(const struct table *table, int device, uintptr_t address)
{
  size_t low = 0, high = table->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (key(table->items[middle], device) <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void table_insert(int device, struct mesi_object *object)
{
  struct table *table = table_of(device);
  if (table->count == table->capacity) {
    table->capacity = table->capacity ? table->capacity * 2 : 64;
    table->items = mesi_need(realloc(table->items, table->capacity * sizeof *table->items));
  }
  size_t at = upper_bound(table, device, key(object, device));
  memmove(table->items + at + 1, table->items + at, (table->count - at) * sizeof *table->items);
  table->items[at] = object;
  table->count++;
  mesi_change();
}

static void table_remove(int device, const struct mesi_object *object)
{
  struct table *table = table_of(device);
  size_t at = upper_bound(table, device, key(object, device));
  while (at > 0 && table->items[at - 1] != object) at--;
  if (at == 0) return;
  memmove(table->items + at - 1, table->items + at, (table->count - at) * sizeof *table->items);
  table->count--;
  mesi_change();
}

static void widen_bounds(const struct mesi_object *object)
{
  uintptr_t low = (uintptr_t)object->host, high = low + object->extent;
  if (low < atomic_load(&lowest)) atomic_store(&lowest, low);
  if (high > atomic_load(&highest)) atomic_store(&highest, high);
}

void mesi_object_enter(struct mesi_object *object)
{
  if (!object->view) object->view = object->host;
  mesi_ranges_add(&object->host_valid, (struct mesi_span){0, mesi_object_capacity(object)});
  table_insert(-1, object);
  widen_bounds(object);
  mesi_object_changed(object);
  epoch++;
}

void mesi_object_settle(struct mesi_object *object, struct mesi_span span)
{
  for (int device = 0; device < object->device_count; device++) {
    const struct mesi_copy *copy = &object->device[device];
    mesi_order_host_after(device, MESI_TO_DEVICE, mesi_flights_ticket(&copy->arriving, span));
    mesi_order_host_after(device, MESI_TO_HOST, mesi_flights_ticket(&copy->leaving, span));
  }
}

static void finish_copy(struct mesi_copy *copy)
{
  mesi_ranges_finish(&copy->valid);
  mesi_ranges_finish(&copy->used);
  mesi_ranges_finish(&copy->backed);
  mesi_flights_finish(&copy->arriving);
  mesi_flights_finish(&copy->leaving);
  *copy = (struct mesi_copy){0};
}

/* Frees the memory in the lane to the device, behind all launches that use it. Requires: no
 * transfer of the object is under way. */
static void free_copy(struct mesi_object *object, int device)
{
  struct mesi_copy *copy = &object->device[device];
  if (!copy->address) return;
  table_remove(device, object);
  mesi_order_lane_after_streams(device, MESI_TO_DEVICE, copy->readers | copy->writers);
  mesi_check(mesi_device.free(device, copy->address), object, "freeing device memory");
  finish_copy(copy);
}

static void forget_copy(struct mesi_object *object, int device)
{
  struct mesi_copy *copy = &object->device[device];
  if (copy->address) table_remove(device, object);
  finish_copy(copy);
}

void mesi_object_in_child(struct mesi_object *object, unsigned writers, bool devices_lost)
{
  if (!SEEDED(CHILD_HOLDS_WRITERS)) object->writers = writers;
  for (int device = 0; device < object->device_count && devices_lost; device++)
    forget_copy(object, device);
  if (!devices_lost) return;
  object->device_count = 0;
  object->coming_count = 0;
  object->pinned = false;
  object->pin_failed = object->orphaned = true;
}

void mesi_object_leave(struct mesi_object *object)
{
  mesi_object_settle(object, (struct mesi_span){0, SIZE_MAX});
  table_remove(-1, object);
  for (int device = 0; device < object->device_count; device++) free_copy(object, device);
  if (object->pinned) mesi_device.unpin(object->view);
  object->pinned = false;
  mesi_ranges_finish(&object->host_valid);
  mesi_ranges_finish(&object->readable);
  mesi_ranges_finish(&object->writable);
  mesi_habits_finish(object);
  free(object->coming);
  object->coming = NULL;
  object->coming_count = object->coming_room = 0;
  free(object->reach);
  object->reach = NULL;
  epoch++;
}

bool mesi_object_reject(const void *address)
{
  uintptr_t at = (uintptr_t)address;
  return at < atomic_load_explicit(&lowest, memory_order_relaxed) ||
         at > atomic_load_explicit(&highest, memory_order_relaxed);
}

/* The last object that starts at or before the address. */
static struct mesi_object *starting_before(int device, const void *address)
{
  const struct table *table = table_of(device);
  size_t at = upper_bound(table, device, (uintptr_t)address);
  return at ? table->items[at - 1] : NULL;
}

struct mesi_object *mesi_object_containing(const void *address)
{
  struct mesi_object *object = starting_before(-1, address);
  return object && (uintptr_t)address - (uintptr_t)object->host < object->extent ? object : NULL;
}

struct mesi_object *mesi_object_of_pointer(const void *pointer)
{
  struct mesi_object *object = starting_before(-1, pointer);
  return object && (uintptr_t)pointer - (uintptr_t)object->host <= object->extent ? object : NULL;
}

struct mesi_object *mesi_object_on_device(int device, const void *address)
{
  struct mesi_object *object = starting_before(device, address);
  if (!object) return NULL;
  uintptr_t offset = (uintptr_t)address - (uintptr_t)object->device[device].address;
  return offset <= mesi_object_capacity(object) ? object : NULL;
}

size_t mesi_object_count(void) { return by_host.count; }

struct mesi_object *mesi_object_at(size_t index) { return by_host.items[index]; }

struct mesi_object *mesi_object_behind(const void *address)
{
  size_t at = upper_bound(&by_host, -1, (uintptr_t)address);
  return at < by_host.count ? by_host.items[at] : NULL;
}

void mesi_object_changed(struct mesi_object *object)
{
  static uint64_t versions;
  object->version = ++versions;
}

uint64_t mesi_objects_epoch(void) { return epoch; }

size_t mesi_object_capacity(const struct mesi_object *object)
{
  return object->slab ? object->extent : object->size;
}

static void fail_memory(const struct mesi_object *object, int device, size_t bytes)
{
  size_t total = 0, available = 0;
  mesi_check(mesi_device.memory(device, &total, &available), object,
             "asking for the device's memory size");
  if (bytes > total)
    mesi_fatal("object larger than the device's memory", object,
               "%zu bytes wanted, the device has %zu", bytes, total);
  if (mesi_devices_several())
    mesi_fatal("out of device memory", object,
               "device %d: %zu bytes wanted, %zu total, %zu free; MESI_DEVICES gives each device a "
               "copy of the object",
               device, bytes, total, available);
  mesi_fatal("out of device memory", object, "%zu bytes wanted, %zu total, %zu free", bytes, total,
             available);
}

/* The bytes to allocate: one more than the capacity, so that the end of one object is not the start
 * of another. */
static size_t device_bytes(const struct mesi_object *object)
{
  return mesi_object_capacity(object) + 1;
}

static void *take_memory(struct mesi_object *object, int device, void *memory)
{
  struct mesi_copy *copy = &object->device[device];
  size_t bytes = device_bytes(object);
  copy->address = memory;
  copy->arrived = mesi_order_mark(device, MESI_TO_DEVICE);
  mesi_flights_add(&copy->arriving, (struct mesi_span){0, bytes}, copy->arrived);
  if (device >= object->device_count) object->device_count = device + 1;
  table_insert(device, object);
  return memory;
}

void *mesi_object_room(struct mesi_object *object, int device)
{
  void *memory = object->device[device].address;
  if (memory) return object->device[device].reserved ? NULL : memory;
  mesi_no_cancel();
  mesi_check(mesi_device.alloc(device, device_bytes(object), &memory), object,
             "allocating device memory");
  return memory ? take_memory(object, device, memory) : NULL;
}

/* ---- objects for which a device lacks room, or that would take most of it ---- */

enum { LARGE = 2 };

static bool any_reserved;

bool mesi_objects_reserved(void) { return any_reserved; }

/* Would a copy on each device leave too little memory for other objects? */
static bool is_large(const struct mesi_object *object, int device)
{
  size_t total = 0, available = 0;
  if (!mesi_devices_several() || device_bytes(object) <= MESI_PIECE) return false;
  mesi_check(mesi_device.memory(device, &total, &available), object,
             "asking for the device's memory size");
  return device_bytes(object) > total / LARGE;
}

static void *reserve(struct mesi_object *object, int device)
{
  void *memory = NULL;
  if (!mesi_devices_several() || !mesi_device.reserve) return NULL;
  mesi_check(mesi_device.reserve(device, device_bytes(object), &memory), object,
             "reserving device memory");
  if (!memory) return NULL;
  object->device[device].reserved = any_reserved = true;
  return take_memory(object, device, memory);
}

void *mesi_object_device_memory(struct mesi_object *object, int device)
{
  struct mesi_copy *copy = &object->device[device];
  if (copy->address) return copy->address;
  void *memory = is_large(object, device) ? reserve(object, device) : NULL;
  if (!memory) memory = mesi_object_room(object, device);
  if (!memory) memory = reserve(object, device);
  if (!memory) fail_memory(object, device, device_bytes(object));
  return memory;
}

static void fail_back(const struct mesi_object *object, int device, struct mesi_span span)
{
  size_t total = 0, available = 0;
  mesi_check(mesi_device.memory(device, &total, &available), object,
             "asking for the device's memory size");
  mesi_fatal("out of device memory", object,
             "device %d: a launch or a part of it uses bytes %zu to %zu, %zu total, %zu free",
             device, span.begin, span.end, total, available);
}

void mesi_object_back(struct mesi_object *object, int device, struct mesi_span span)
{
  struct mesi_copy *copy = &object->device[device];
  if (!copy->reserved || mesi_span_empty(span)) return;
  size_t begin = span.begin / MESI_PIECE * MESI_PIECE;
  struct mesi_span rest = {begin, (span.end + MESI_PIECE - 1) / MESI_PIECE * MESI_PIECE};
  while (!mesi_span_empty(rest)) {
    bool enough = true;
    struct mesi_span gap = mesi_ranges_next_gap(&copy->backed, rest);
    if (mesi_span_empty(gap)) return;
    if (!SEEDED(NOT_BACKED))
      mesi_check(mesi_device.back(device, copy->address, gap.begin, gap.end, &enough), object,
                 "memory for a part of an object");
    if (!enough) fail_back(object, device, span);
    mesi_ranges_add(&copy->backed, gap);
    rest.begin = gap.end;
  }
}
