/* transfer.c - copies: directly from page-locked memory, through a ring of page-locked slots otherwise.
 *
 * Page-locking an object takes longer than copying it once through the ring, so it is done when an object has moved
 * twice its size (the cost of waiting is then at most what was saved). In the ring the host's copy of one slot overlaps
 * the device's copy of another. An object with pointers is translated in a buffer of its own, on the way.
 */
#include "transfer.h"

#include "error.h"
#include "jobs.h"
#include "order.h"
#include "pointers.h"
#include "seeded.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum {
  SLOT_BYTES = 1 << 20, /* 20 us of PCIe 5: ten times what submitting a copy costs */
  SLOT_COUNT = 8,
  SMALL_CHUNK = 256 << 10, /* copied in less time than another thread takes to wake up, a few times over */
  SLOT_ALIGNMENT = 256,
  AHEAD = 4,            /* slots that the host's threads copy at a time, and that the device copies meanwhile */
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

struct chunk { /* on its way through a slot */
  struct slot *slot;
  char *memory;        /* in the slot */
  char *device, *host; /* its two ends */
  size_t bytes;
  uint64_t ticket;     /* of the copy between device and slot */
  struct mesi_job job; /* the copy between slot and host */
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

static struct chunk take_chunk(int device, char *there, char *host, size_t bytes)
{
  struct slot *slot = slot_with_room(device, bytes);
  return (struct chunk){ .slot = slot, .memory = take(slot, bytes), .device = there, .host = host, .bytes = bytes };
}

static uint64_t send_small(int device, char *to, const char *from, size_t bytes)
{
  struct slot *slot = slot_with_room(device, bytes);
  const char *memory = memcpy(take(slot, bytes), from, bytes);
  return slot->tickets[MESI_TO_DEVICE] = mesi_order_copy(device, MESI_TO_DEVICE, to, memory, bytes);
}

static uint64_t submit_chunk(int device, struct chunk *chunk)
{
  mesi_job_wait(&chunk->job);
  chunk->ticket = mesi_order_copy(device, MESI_TO_DEVICE, chunk->device, chunk->memory, chunk->bytes);
  return chunk->slot->tickets[MESI_TO_DEVICE] = chunk->ticket;
}

/* `from` may change on return. */
static uint64_t send_staged(int device, char *to, char *from, size_t bytes)
{
  struct chunk chunks[AHEAD];
  size_t taken = 0, submitted = 0;
  uint64_t ticket = 0;
  if (bytes <= SLOT_BYTES)
    return send_small(device, to, from, bytes);
  while (bytes || submitted < taken) {
    if (bytes && taken - submitted < AHEAD) {
      struct chunk *chunk = &chunks[taken++ % AHEAD];
      *chunk = take_chunk(device, to, from, chunk_of(bytes));
      mesi_job_start(&chunk->job, chunk->memory, from, chunk->bytes);
      bytes -= chunk->bytes, to += chunk->bytes, from += chunk->bytes;
    } else {
      ticket = submit_chunk(device, &chunks[submitted++ % AHEAD]);
    }
  }
  return ticket;
}

/* The slot's part of it has arrived and goes on to the host. */
static void land(int device, struct chunk *chunk)
{
  mesi_order_host_after(device, MESI_TO_HOST, chunk->ticket);
  if (chunk->bytes < SMALL_CHUNK)
    memcpy(chunk->host, chunk->memory, chunk->bytes);
  else
    mesi_job_start(&chunk->job, chunk->host, chunk->memory, chunk->bytes);
}

static void fetch_chunk(int device, struct chunk *chunk)
{
  chunk->ticket = mesi_order_copy(device, MESI_TO_HOST, chunk->memory, chunk->device, chunk->bytes);
  chunk->slot->tickets[MESI_TO_HOST] = chunk->ticket;
}

static void wait_landed(struct chunk *chunk)
{
  if (chunk->job.to)
    mesi_job_wait(&chunk->job);
}

/* Chunks are submitted, land and have landed in order; at most AHEAD of them are at each step. */
static uint64_t fetch_staged(int device, char *to, char *from, size_t bytes)
{
  struct chunk chunks[2 * AHEAD];
  size_t submitted = 0, landing = 0, landed = 0;
  uint64_t ticket = 0;
  while (bytes || landing < submitted) {
    if (bytes && submitted - landing < AHEAD) {
      if (submitted - landed == 2 * AHEAD - 1)
        wait_landed(&chunks[landed++ % (2 * AHEAD)]);
      struct chunk *chunk = &chunks[submitted++ % (2 * AHEAD)];
      *chunk = take_chunk(device, from, to, chunk_of(bytes));
      fetch_chunk(device, chunk);
      ticket = chunk->ticket;
      bytes -= chunk->bytes, to += chunk->bytes, from += chunk->bytes;
    } else {
      land(device, &chunks[landing++ % (2 * AHEAD)]);
    }
  }
  while (landed < submitted)
    wait_landed(&chunks[landed++ % (2 * AHEAD)]);
  return ticket;
}

static bool async_copies;

void mesi_async_copies(void)
{
  mesi_lock();
  async_copies = true;
  mesi_unlock();
}

/* Before a transfer: behind copies of the program's own that may still use the object's host memory. */
static void after_program(int device)
{
  if (async_copies)
    mesi_wait(device);
}

static void count_moved(struct mesi_object *object, size_t bytes)
{
  object->moved += bytes;
  if (object->pinned || object->pin_failed || object->constant ||
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
  after_program(device);
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
  char *from = (char *)copy->address + span.begin;
  char *view = object->view + span.begin;
  char *buffer = mesi_pointers_any(object) ? mesi_need(malloc(bytes)) : NULL;
  after_program(device);
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
  if (!SEEDED(FETCHED_UNTRANSLATED)) mesi_pointers_to_host(object, device, span, buffer);
  memcpy(view, buffer, bytes);
  free(buffer);
}

bool mesi_transfer_prefetch(struct mesi_object *object, int device, struct mesi_span span, const char *cause)
{
  struct mesi_copy *copy = &object->device[device];
  if (!object->pinned || async_copies || mesi_pointers_any(object) || copy->writers & 1u << MESI_STREAM_UNKNOWN)
    return false;
  count_moved(object, mesi_span_bytes(span));
  after_writers(copy, device);
  mesi_trace_transfer_starts(device, MESI_TO_HOST);
  copy->left = mesi_order_copy(device, MESI_TO_HOST, object->view + span.begin, (const char *)copy->address + span.begin,
                               mesi_span_bytes(span));
  mesi_trace_transfer(object, device, MESI_TO_HOST, span, cause);
  return true;
}
