/* SPDX-License-Identifier: MIT */
/* ring.c - copies through page-locked slots: the host copies one chunk while the device copies
 * another.
 *
 *     send   memory -> slot by the threads of jobs.c, slot -> device in the lane
 *     fetch  device -> slot in the lane, slot -> memory by the threads
 *
 * A megabyte of page-locked memory takes about 0.25 ms to get, as long as ten copies of it to the
 * device, and a slot is free again after 20 us. So there are few slots until a transfer has more
 * chunks than slots: waiting for the oldest slot is cheaper than a new one. Where the transfer is
 * small a chunk is a part of a slot: then the threads work on one megabyte together. At most 2 *
 * AHEAD - 1 chunks are on their way; the `least` slots hold them and one more, so that the oldest
 * slot holds none.
 */
#include "ring.h"

#include "../base/error.h"
#include "../base/jobs.h"
#include "order.h"
#include "wait.h"

#include <string.h>

enum {
  SLOT_BYTES = 1 << 20, /* 20 us of PCIe 5: ten times the submission of a copy */
  SLOT_COUNT = 8,
  FEW_SLOTS = 3,
  /* its copy takes less time than a few wake-ups of another thread */
  SMALL_CHUNK = 256 << 10,
  SMALL_TRANSFER = 4 << 20, /* goes in small chunks */
  SLOT_ALIGNMENT = 256,
  /* chunks that the host's threads copy at a time, and as many that the device copies meanwhile */
  AHEAD = 4
};

struct slot {
  char *memory; /* SLOT_BYTES, page-locked */
  size_t used;
  uint64_t tickets[MESI_LANE_COUNT]; /* of the last copies from and to it */
};

struct ring {
  struct slot slots[SLOT_COUNT];
  unsigned count, at; /* existing slots; the one in use */
};

struct chunk { /* a chunk on its way through a slot */
  struct slot *slot;
  char *memory;        /* in the slot */
  char *device, *host; /* its two ends */
  size_t bytes;
  uint64_t ticket;     /* of the copy between device and slot */
  struct mesi_job job; /* the copy between slot and host */
};

static struct ring rings[MESI_DEVICE_MAX];

/* Allocates the slots in one piece: each request costs time of its own. */
void mesi_ring_prepare(int device, size_t bytes)
{
  struct ring *ring = &rings[device];
  unsigned least = bytes > SMALL_TRANSFER ? SLOT_COUNT : FEW_SLOTS;
  if (ring->count >= least) return;
  void *memory = NULL;
  mesi_check(mesi_device.staging(device, (size_t)(least - ring->count) * SLOT_BYTES, &memory), NULL,
             "page-locked memory for transfers");
  mesi_need(memory);
  for (char *at = memory; ring->count < least; at += SLOT_BYTES)
    ring->slots[ring->count++].memory = at;
}

/* The slot in use, where it has room, otherwise the one that was used longest ago. */
static struct slot *slot_with_room(int device, size_t bytes)
{
  struct ring *ring = &rings[device];
  if (ring->slots[ring->at].used + bytes <= SLOT_BYTES) return &ring->slots[ring->at];
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

/* The bytes of the next chunk of a transfer with `bytes` left. */
static size_t chunk_of(size_t bytes)
{
  size_t most = bytes > SMALL_TRANSFER ? SLOT_BYTES : SMALL_CHUNK;
  return bytes < most ? bytes : most;
}

static struct chunk take_chunk(int device, char *there, char *host, size_t bytes)
{
  struct slot *slot = slot_with_room(device, bytes);
  return (struct chunk){
      .slot = slot, .memory = take(slot, bytes), .device = there, .host = host, .bytes = bytes};
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
  chunk->ticket =
      mesi_order_copy(device, MESI_TO_DEVICE, chunk->device, chunk->memory, chunk->bytes);
  return chunk->slot->tickets[MESI_TO_DEVICE] = chunk->ticket;
}

uint64_t mesi_ring_send(int device, char *to, char *from, size_t bytes)
{
  struct chunk chunks[AHEAD];
  size_t taken = 0, submitted = 0;
  uint64_t ticket = 0;
  if (bytes <= SMALL_CHUNK) return send_small(device, to, from, bytes);
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

/* The chunk has arrived in the slot, and goes on to the host. */
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
  if (chunk->job.to) mesi_job_wait(&chunk->job);
}

/* Chunks are submitted, land and finish in order; at most AHEAD of them are at each step. */
uint64_t mesi_ring_fetch(int device, char *to, char *from, size_t bytes)
{
  struct chunk chunks[2 * AHEAD];
  size_t submitted = 0, landing = 0, landed = 0;
  uint64_t ticket = 0;
  while (bytes || landing < submitted) {
    if (bytes && submitted - landing < AHEAD) {
      if (submitted - landed == 2 * AHEAD - 1) wait_landed(&chunks[landed++ % (2 * AHEAD)]);
      struct chunk *chunk = &chunks[submitted++ % (2 * AHEAD)];
      *chunk = take_chunk(device, from, to, chunk_of(bytes));
      fetch_chunk(device, chunk);
      ticket = chunk->ticket;
      bytes -= chunk->bytes, to += chunk->bytes, from += chunk->bytes;
    } else {
      land(device, &chunks[landing++ % (2 * AHEAD)]);
    }
  }
  while (landed < submitted) wait_landed(&chunks[landed++ % (2 * AHEAD)]);
  return ticket;
}
