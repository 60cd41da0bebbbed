/* SPDX-License-Identifier: MIT */
/* transfer.c - copies: directly where the host memory is page-locked, otherwise through the ring of
 * page-locked slots (ring.c).
 *
 * Page-locking costs about 0.25 ms a megabyte on the machines that were measured. The ring's copy
 * by the host costs 0.03 to 0.1 ms a megabyte. A copy of page-locked memory only takes time on the
 * lane, beside the program. An object should be page-locked once the ring has cost as much as
 * page-locking: whoever moves it once or twice never pays for page-locking, and nobody pays more
 * than twice the best choice. So an object is page-locked when it has moved twice its size; a copy
 * that could have been started ahead counts as well. An object with pointers is translated in a
 * buffer of its own, on the way.
 */
#include "transfer.h"

#include "../base/error.h"
#include "../base/ranks.h"
#include "../stream/devices.h"
#include "../object/guard.h"
#include "../stream/order.h"
#include "../object/pointers.h"
#include "../stream/ring.h"
#include "../seeded.h"
#include "../trace/trace.h"
#include "../stream/wait.h"

#include <stdlib.h>
#include <string.h>

enum { PIN_AFTER = 2 }; /* times its size that an object has moved before it is page-locked */

static bool async_copies;

void mesi_async_copies(void)
{
  mesi_lock();
  async_copies = true;
  mesi_unlock();
}

/* Before a transfer: waits for the program's own copies, which may still use the object's host
 * memory. */
static void after_program(int device)
{
  if (async_copies) mesi_wait(device);
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

/* A buffer with the span of the object, its pointers translated to the device's addresses. */
static char *translated(struct mesi_object *object, int device, struct mesi_span span)
{
  char *buffer = mesi_need(malloc(mesi_span_bytes(span)));
  memcpy(buffer, object->view + span.begin, mesi_span_bytes(span));
  mesi_pointers_to_device(object, device, span, buffer);
  return buffer;
}

/* Waits for copies from these bytes to other devices. */
static void after_takers(const struct mesi_object *object, int device, struct mesi_span span)
{
  for (int other = 0; mesi_devices_several() && other < object->device_count; other++)
    if (other != device && !SEEDED(SENT_OVER_TAKEN))
      mesi_order_lane_after_lane_of(device, MESI_TO_DEVICE, other,
                                    mesi_flights_ticket(&object->device[other].arriving, span));
}

/* Waits for launches that use these bytes. Launches that use other bytes of the object may still
 * run beside the copy. */
static void after_users(struct mesi_object *object, int device, struct mesi_span span)
{
  struct mesi_copy *copy = &object->device[device];
  after_takers(object, device, span);
  if (!mesi_ranges_meet(&copy->used, span) || SEEDED(SENT_OVER_LAUNCH)) return;
  uint64_t streams = copy->readers | copy->writers;
  mesi_order_lane_after_streams(device, MESI_TO_DEVICE, streams);
  if (mesi_devices_several()) {
    copy->hidden |= mesi_order_made_by_program(device, streams);
    object->settled[device] = mesi_order_mark(device, MESI_TO_DEVICE);
  }
  copy->readers = copy->writers = 0;
  mesi_ranges_finish(&copy->used);
}

void mesi_transfer_to_device(struct mesi_object *object, int device, struct mesi_span span,
                             const char *cause)
{
  struct mesi_copy *copy = &object->device[device];
  size_t bytes = mesi_span_bytes(span);
  char *to = (char *)copy->address + span.begin;
  mesi_no_cancel();
  after_program(device);
  char *buffer = mesi_pointers_any(object) ? translated(object, device, span) : NULL;
  count_moved(object, bytes);
  after_users(object, device, span);
  bool direct = object->pinned && !buffer;
  if (!direct) mesi_ring_prepare(device, bytes);
  mesi_trace_transfer_starts(device, MESI_TO_DEVICE);
  if (direct)
    copy->arrived = mesi_order_copy(device, MESI_TO_DEVICE, to, object->view + span.begin, bytes);
  else
    copy->arrived = mesi_ring_send(device, to, buffer ? buffer : object->view + span.begin, bytes);
  mesi_flights_add(&copy->arriving, span, copy->arrived);
  mesi_trace_transfer(object, device, MESI_TO_DEVICE, span, cause);
  free(buffer);
}

/* Not behind copies of other bytes to there: each device would wait for all before it. */
static void after_source(const struct mesi_object *object, int device, int other,
                         struct mesi_span span)
{
  const struct mesi_copy *from = &object->device[other];
  uint64_t brought = mesi_flights_ticket(&from->arriving, span);
  if (!SEEDED(PEER_BEFORE_KERNEL)) {
    mesi_order_lane_after_streams_of(device, other, from->writers);
    mesi_order_lane_after_lane_of(device, MESI_TO_DEVICE, other, object->settled[other]);
  }
  mesi_order_lane_after_lane_of(device, MESI_TO_DEVICE, other, brought);
}

void mesi_transfer_between(struct mesi_object *object, int device, int other, struct mesi_span span,
                           const char *cause)
{
  struct mesi_copy *copy = &object->device[device], *from = &object->device[other];
  mesi_no_cancel();
  after_program(device);
  after_program(other);
  after_users(object, device, span);
  after_source(object, device, other, span);
  mesi_trace_transfer_starts(device, MESI_TO_DEVICE);
  copy->arrived =
      mesi_order_copy_between(device, (char *)copy->address + span.begin, other,
                              (const char *)from->address + span.begin, mesi_span_bytes(span));
  mesi_flights_add(&copy->arriving, span, copy->arrived);
  mesi_trace_between(object, device, other, span, cause);
}

/* What another device was sending to the same bytes of the host, before they were written on this
 * one, and nobody waited for. */
static void after_leaving(const struct mesi_object *object, int device, struct mesi_span span)
{
  for (int other = 0; mesi_devices_several() && other < object->device_count; other++)
    if (other != device && !SEEDED(STALE_COPY_LATE))
      mesi_order_lane_after_lane_of(device, MESI_TO_HOST, other,
                                    mesi_flights_ticket(&object->device[other].leaving, span));
}

static void after_writers(const struct mesi_copy *copy, int device)
{
  mesi_order_lane_after_streams(device, MESI_TO_HOST, copy->writers);
  mesi_order_lane_after_lane(device, MESI_TO_HOST, MESI_TO_DEVICE, copy->arrived);
}

void mesi_transfer_to_host(struct mesi_object *object, int device, struct mesi_span span,
                           const char *cause)
{
  mesi_no_cancel();
  struct mesi_copy *copy = &object->device[device];
  size_t bytes = mesi_span_bytes(span);
  char *from = (char *)copy->address + span.begin;
  char *view = object->view + span.begin;
  uint64_t ticket;
  char *buffer = mesi_pointers_any(object) ? mesi_need(malloc(bytes)) : NULL;
  mesi_guard_own(object);
  after_program(device);
  count_moved(object, bytes);
  after_writers(copy, device);
  after_leaving(object, device, span);
  bool direct = object->pinned && !buffer;
  if (!direct) mesi_ring_prepare(device, bytes);
  mesi_trace_transfer_starts(device, MESI_TO_HOST);
  if (direct)
    ticket = mesi_order_copy(device, MESI_TO_HOST, view, from, bytes);
  else
    ticket = mesi_ring_fetch(device, buffer ? buffer : view, from, bytes);
  mesi_trace_transfer(object, device, MESI_TO_HOST, span, cause);
  mesi_order_host_after(device, MESI_TO_HOST, ticket);
  if (!buffer) return;
  if (!SEEDED(FETCHED_UNTRANSLATED)) mesi_pointers_to_host(object, device, span, buffer);
  memcpy(view, buffer, bytes);
  free(buffer);
}

uint64_t mesi_transfer_prefetch(struct mesi_object *object, int device, struct mesi_span span,
                                const char *cause)
{
  struct mesi_copy *copy = &object->device[device];
  mesi_guard_own(object);
  count_moved(object, mesi_span_bytes(span));
  if (mesi_ranks_several()) return 0; /* every copy to the host is a message to all, at once */
  if (!object->pinned || async_copies || mesi_pointers_any(object) ||
      copy->writers & 1u << MESI_STREAM_UNKNOWN)
    return 0;
  after_writers(copy, device);
  after_leaving(object, device, span);
  mesi_trace_transfer_starts(device, MESI_TO_HOST);
  uint64_t ticket =
      mesi_order_copy(device, MESI_TO_HOST, object->view + span.begin,
                      (const char *)copy->address + span.begin, mesi_span_bytes(span));
  mesi_flights_add(&copy->leaving, span, ticket);
  mesi_trace_transfer(object, device, MESI_TO_HOST, span, cause);
  return ticket;
}
