/* transfer.c - copies: directly from page-locked memory, through a ring of page-locked slots otherwise.
 *
 * Page-locking an object takes longer than copying it once through the ring, so it is done when an object has moved
 * twice its size (the cost of waiting is then at most what was saved). In the ring the host's copy of one slot overlaps
 * the device's copy of another. An object with pointers is translated in a buffer of its own, on the way.
 */
#include "transfer.h"

#include "error.h"
#include "order.h"
#include "pointers.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum {
  SLOT_BYTES = 1 << 20, /* 20 us of PCIe 5: ten times what submitting a copy costs */
  SLOT_COUNT = 8,
  SLOT_ALIGNMENT = 256,
  AHEAD = 4,            /* slots on the way to the host at a time */
  PIN_AFTER = 2         /* times its size that an object has moved before it is page-locked */
};

struct slot {
  char *memory;                      /* SLOT_BYTES, page-locked */
  size_t used;
  uint64_t tickets[MESI_LANE_COUNT]; /* of the last copies from and to it */
};

struct ring {
  struct slot slots[SLOT_COUNT];
  unsigned count, at; /* slots that exist; the one in use */
};

struct chunk { /* on its way to the host through a slot */
  const char *from;
  char *to;
  size_t bytes;
  uint64_t ticket;
};

static struct ring rings[MESI_DEVICE_MAX];

static struct slot *add_slot(struct ring *ring, int device)
{
  void *memory = NULL;
  mesi_check(mesi_device.staging(device, SLOT_BYTES, &memory), NULL, "page-locked memory for transfers");
  ring->slots[ring->count].memory = mesi_need(memory);
  return &ring->slots[ring->at = ring->count++];
}

/* The slot in use, where it has room, otherwise a new one, or the one that has not been used for longest. */
static struct slot *slot_with_room(int device, size_t bytes)
{
  struct ring *ring = &rings[device];
  if (ring->count && ring->slots[ring->at].used + bytes <= SLOT_BYTES)
    return &ring->slots[ring->at];
  if (ring->count < SLOT_COUNT)
    return add_slot(ring, device);
  ring->at = (ring->at + 1) % ring->count;
  struct slot *slot = &ring->slots[ring->at];
  for (int lane = 0; lane < MESI_LANE_COUNT; lane++)
    mesi_order_host_after(device, lane, slot->tickets[lane]);
  slot->used = 0;
  return slot;
}

static char *take(struct slot *slot, size_t bytes)
{
  char *memory = slot->memory + slot->used;
  slot->used += (bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
  return memory;
}

static size_t chunk_of(size_t bytes)
{
  return bytes < SLOT_BYTES ? bytes : SLOT_BYTES;
}

/* `from` may change on return. */
static uint64_t send_staged(int device, char *to, const char *from, size_t bytes)
{
  uint64_t ticket = 0;
  for (size_t chunk; bytes; bytes -= chunk, to += chunk, from += chunk) {
    chunk = chunk_of(bytes);
    struct slot *slot = slot_with_room(device, chunk);
    const char *source = memcpy(take(slot, chunk), from, chunk);
    ticket = slot->tickets[MESI_TO_DEVICE] = mesi_order_copy(device, MESI_TO_DEVICE, to, source, chunk);
  }
  return ticket;
}

static void land(int device, const struct chunk *chunk)
{
  mesi_order_host_after(device, MESI_TO_HOST, chunk->ticket);
  memcpy(chunk->to, chunk->from, chunk->bytes);
}

static struct chunk launch_chunk(int device, char *to, const char *from, size_t bytes)
{
  struct slot *slot = slot_with_room(device, bytes);
  char *memory = take(slot, bytes);
  uint64_t ticket = slot->tickets[MESI_TO_HOST] = mesi_order_copy(device, MESI_TO_HOST, memory, from, bytes);
  return (struct chunk){ memory, to, bytes, ticket };
}

static uint64_t fetch_staged(int device, char *to, const char *from, size_t bytes)
{
  struct chunk under_way[AHEAD];
  size_t submitted = 0, landed = 0;
  while (bytes || landed < submitted) {
    if (bytes && submitted - landed < AHEAD) {
      size_t chunk = chunk_of(bytes);
      under_way[submitted++ % AHEAD] = launch_chunk(device, to, from, chunk);
      bytes -= chunk, to += chunk, from += chunk;
    } else {
      land(device, &under_way[landed++ % AHEAD]);
    }
  }
  return submitted ? under_way[(submitted - 1) % AHEAD].ticket : 0;
}

static void count_moved(struct mesi_object *object, size_t bytes)
{
  object->moved += bytes;
  if (object->pinned || object->pin_failed || object->constant || object->size < mesi_device.pin_smallest ||
      object->moved / PIN_AFTER <= object->size)
    return;
  size_t whole = object->mode == MESI_GUARDED ? object->extent : object->size;
  object->pinned = mesi_device.pin(object->view, whole) == 0;
  object->pin_failed = !object->pinned;
}

/* The part of the object in a buffer, with its pointers as the device has them. */
static char *translated(struct mesi_object *object, int device, struct mesi_span span)
{
  char *buffer = mesi_need(malloc(mesi_span_bytes(span)));
  memcpy(buffer, object->view + span.begin, mesi_span_bytes(span));
  mesi_pointers_to_device(object, device, span, buffer);
  return buffer;
}

void mesi_transfer_to_device(struct mesi_object *object, int device, struct mesi_span span, const char *cause)
{
  struct mesi_copy *copy = &object->device[device];
  size_t bytes = mesi_span_bytes(span);
  char *to = (char *)copy->address + span.begin;
  char *buffer = mesi_pointers_any(object) ? translated(object, device, span) : NULL;
  count_moved(object, bytes);
  mesi_order_lane_after_streams(device, MESI_TO_DEVICE, copy->readers | copy->writers);
  mesi_trace_transfer_starts(device, MESI_TO_DEVICE);
  if (object->pinned && !buffer)
    copy->arrived = mesi_order_copy(device, MESI_TO_DEVICE, to, object->view + span.begin, bytes);
  else
    copy->arrived = send_staged(device, to, buffer ? buffer : object->view + span.begin, bytes);
  copy->readers = copy->writers = 0;
  mesi_trace_transfer(object, device, MESI_TO_DEVICE, span, cause);
  free(buffer);
}

static void after_writers(const struct mesi_copy *copy, int device)
{
  mesi_order_lane_after_streams(device, MESI_TO_HOST, copy->writers);
  mesi_order_lane_after_lane(device, MESI_TO_HOST, MESI_TO_DEVICE, copy->arrived);
}

void mesi_transfer_to_host(struct mesi_object *object, int device, struct mesi_span span, const char *cause)
{
  struct mesi_copy *copy = &object->device[device];
  size_t bytes = mesi_span_bytes(span);
  const char *from = (const char *)copy->address + span.begin;
  char *view = object->view + span.begin;
  char *buffer = mesi_pointers_any(object) ? mesi_need(malloc(bytes)) : NULL;
  count_moved(object, bytes);
  after_writers(copy, device);
  mesi_trace_transfer_starts(device, MESI_TO_HOST);
  if (object->pinned && !buffer)
    copy->left = mesi_order_copy(device, MESI_TO_HOST, view, from, bytes);
  else
    copy->left = fetch_staged(device, buffer ? buffer : view, from, bytes);
  mesi_trace_transfer(object, device, MESI_TO_HOST, span, cause);
  mesi_order_host_after(device, MESI_TO_HOST, copy->left);
  if (!buffer)
    return;
  mesi_pointers_to_host(object, device, span, buffer);
  memcpy(view, buffer, bytes);
  free(buffer);
}

bool mesi_transfer_prefetch(struct mesi_object *object, int device, struct mesi_span span, const char *cause)
{
  struct mesi_copy *copy = &object->device[device];
  if (!object->pinned || mesi_pointers_any(object) || copy->writers & 1u << MESI_STREAM_UNKNOWN)
    return false;
  count_moved(object, mesi_span_bytes(span));
  after_writers(copy, device);
  mesi_trace_transfer_starts(device, MESI_TO_HOST);
  copy->left = mesi_order_copy(device, MESI_TO_HOST, object->view + span.begin, (const char *)copy->address + span.begin,
                               mesi_span_bytes(span));
  mesi_trace_transfer(object, device, MESI_TO_HOST, span, cause);
  return true;
}
