/* SPDX-License-Identifier: MIT */
/* order.c - events between lanes and streams.
 *
 * Example: a launch in stream 3 reads an array that has just been sent with ticket 17 of the lane
 * to the device. mesi_order_stream_after(0, 3, MESI_TO_DEVICE, 17) makes stream 3 wait for the
 * event of ticket 17, once: the latest ticket that a stream has waited for is kept, and a lane's
 * tickets are done in order. After the launch the array carries bit 3; a later copy back calls
 * mesi_order_lane_after_streams(0, MESI_TO_HOST, 1 << 3).
 *
 * The events of a lane are reused in turn: an event that now stands for a later ticket stands for
 * the earlier one as well. A stream has one event, for its latest launch. It is recorded after each
 * launch in a stream that the program may destroy, and in the default stream only when other work
 * is to wait for it.
 */
#include "order.h"

#include "batch.h"
#include "../base/error.h"
#include "../base/limit.h"
#include "../base/lock.h"
#include "../base/ranks.h"
#include "../seeded.h"
#include "wait.h"

#include <stdatomic.h>
#include <stddef.h>

/* with more copies under way, a wait for the oldest becomes one for a later one */
enum { LANE_EVENTS = 256 };

struct lane {
  void *queue;
  void *events[LANE_EVENTS];      /* of ticket t at t % LANE_EVENTS */
  uint64_t issued;                /* the latest ticket */
  uint64_t done;                  /* the latest ticket that the host has waited for */
  uint64_t seen[MESI_STREAM_MAX]; /* by stream: the launches that the lane comes after */
  uint64_t seen_lane[MESI_LANE_COUNT];
  uint64_t seen_other[MESI_DEVICE_MAX]; /* tickets of other devices' lanes of the same kind */
};

struct stream {
  void *handle;
  uint64_t id;
  bool permanent;
  void *event;
  uint64_t launches;                    /* made so far */
  uint64_t recorded;                    /* launches that the event comes after */
  uint64_t seen[MESI_LANE_COUNT];       /* tickets that the stream comes after */
  uint64_t seen_other[MESI_DEVICE_MAX]; /* of the lanes to other devices */
};

struct device_order {
  bool open;
  struct lane lanes[MESI_LANE_COUNT];
  /* [MESI_STREAM_UNKNOWN]: only its count of launches is used */
  struct stream streams[MESI_STREAM_MAX];
  unsigned stream_count;
  unsigned latest; /* the stream of the latest request */
};

static struct device_order orders[MESI_DEVICE_MAX];
static bool used; /* this process, or one that it was forked from, has used a device */
static bool lost; /* the devices that were used are lost */
static void (*_Atomic first_use)(void); /* NULL: it has been called */

static void check_lost(void)
{
  if (lost && !SEEDED(LOST_DEVICE_USED))
    mesi_fatal("no device", NULL,
               "this process was forked when a device had been used: it may use what is valid on "
               "the host, or exec");
}

void mesi_order_tell(void (*first)(void)) { atomic_store(&first_use, first); }

bool mesi_order_used(void) { return used; }

int mesi_order_device(void)
{
  int device = 0;
  check_lost();
  mesi_check(mesi_device.current(&device), NULL, "no device");
  used = true;
  void (*first)(void) = atomic_load(&first_use);
  if (first && atomic_exchange(&first_use, NULL)) first();
  return device;
}

void mesi_order_lost(void)
{
  lost = used;
  for (int device = 0; device < MESI_DEVICE_MAX; device++) orders[device].open = false;
}

static struct device_order *order_of(int device)
{
  struct device_order *order = &orders[device];
  if (order->open) return order;
  check_lost();
  for (int lane = 0; lane < MESI_LANE_COUNT; lane++)
    mesi_check(mesi_device.lane(device, lane, &order->lanes[lane].queue), NULL,
               "opening the device");
  order->stream_count = MESI_STREAM_UNKNOWN + 1;
  order->open = true;
  return order;
}

static void *new_event(int device)
{
  void *event = NULL;
  mesi_check(mesi_device.event(device, false, &event), NULL, "creating an event");
  return event;
}

/* Ends the program where `cause` is given: it is the failure of an earlier kernel. */
static void submitted(int device, const char *cause)
{
  if (!cause) return;
  mesi_wait(device);
  mesi_check(cause, NULL, "ordering transfers and launches");
}

static struct stream *find_stream(struct device_order *order, const void *handle)
{
  for (unsigned index = MESI_STREAM_UNKNOWN + 1; index < order->stream_count; index++)
    if (order->streams[index].handle == handle) return &order->streams[index];
  return NULL;
}

/* Waits for the work of an earlier stream with the same handle, so that the index stands for
 * both. */
static void take_over(int device, struct stream *stream, uint64_t id)
{
  if (stream->launches)
    submitted(device, mesi_device.queue_wait(device, stream->handle, stream->event));
  for (int lane = 0; lane < MESI_LANE_COUNT; lane++) stream->seen[lane] = 0;
  for (int other = 0; other < MESI_DEVICE_MAX; other++) stream->seen_other[other] = 0;
  stream->id = id;
}

unsigned mesi_order_stream(int device, void *handle)
{
  struct device_order *order = order_of(device);
  struct mesi_stream_info info;
  mesi_check(mesi_device.stream(device, handle, &info), NULL, "the launch's stream");
  if (!info.known) return MESI_STREAM_UNKNOWN;
  struct stream *stream = &order->streams[order->latest];
  if (!order->latest || stream->handle != handle) stream = find_stream(order, handle);
  if (!stream && order->stream_count == MESI_STREAM_MAX) return MESI_STREAM_UNKNOWN;
  if (!stream) {
    stream = &order->streams[order->stream_count++];
    *stream = (struct stream){
        .handle = handle, .id = info.id, .permanent = info.permanent, .event = new_event(device)};
  } else if (stream->id != info.id) {
    take_over(device, stream, info.id);
  }
  return order->latest = (unsigned)(stream - order->streams);
}

static void record_stream(int device, struct stream *stream)
{
  if (stream->recorded == stream->launches) return;
  mesi_batch_flush();
  submitted(device, mesi_device.record(device, stream->event, stream->handle));
  stream->recorded = stream->launches;
}

void mesi_order_launched(int device, unsigned index)
{
  struct stream *stream = &order_of(device)->streams[index];
  stream->launches++;
  if (index != MESI_STREAM_UNKNOWN && !stream->permanent) record_stream(device, stream);
}

static uint64_t issue(int device, struct lane *lane)
{
  void **event = &lane->events[++lane->issued % LANE_EVENTS];
  if (!*event) *event = new_event(device);
  submitted(device, mesi_device.record(device, *event, lane->queue));
  return lane->issued;
}

uint64_t mesi_order_copy(int device, enum mesi_lane which, void *to, const void *from, size_t bytes)
{
  struct lane *lane = &order_of(device)->lanes[which];
  mesi_limit_begin("device", device);
  const char *cause = mesi_device.copy(device, which, to, from, bytes);
  mesi_limit_end();
  submitted(device, cause);
  return issue(device, lane);
}

uint64_t mesi_order_mark(int device, enum mesi_lane which)
{
  return issue(device, &order_of(device)->lanes[which]);
}

static void lane_after_stream(int device, struct lane *lane, unsigned index)
{
  struct stream *stream = &orders[device].streams[index];
  if (lane->seen[index] == stream->launches && index != MESI_STREAM_UNKNOWN) return;
  if (index == MESI_STREAM_UNKNOWN) {
    mesi_wait(device);
  } else {
    record_stream(device, stream);
    submitted(device, mesi_device.queue_wait(device, lane->queue, stream->event));
  }
  lane->seen[index] = stream->launches;
}

void mesi_order_lane_after_streams(int device, enum mesi_lane which, uint64_t streams)
{
  struct device_order *order = order_of(device);
  for (unsigned index = 0; streams; index++, streams >>= 1)
    if (streams & 1) lane_after_stream(device, &order->lanes[which], index);
}

void mesi_order_lane_after_lane(int device, enum mesi_lane which, enum mesi_lane other,
                                uint64_t ticket)
{
  struct device_order *order = order_of(device);
  struct lane *lane = &order->lanes[which], *before = &order->lanes[other];
  if (ticket <= before->done || ticket <= lane->seen_lane[other]) return;
  submitted(device,
            mesi_device.queue_wait(device, lane->queue, before->events[ticket % LANE_EVENTS]));
  lane->seen_lane[other] = ticket;
}

void mesi_order_stream_after(int device, unsigned index, enum mesi_lane which, uint64_t ticket)
{
  struct device_order *order = order_of(device);
  struct lane *lane = &order->lanes[which];
  struct stream *stream = &order->streams[index];
  if (ticket <= lane->done) return;
  if (index == MESI_STREAM_UNKNOWN) {
    mesi_order_host_after(device, which, ticket);
  } else if (ticket > stream->seen[which]) {
    mesi_batch_submit();
    submitted(device,
              mesi_device.queue_wait(device, stream->handle, lane->events[ticket % LANE_EVENTS]));
    stream->seen[which] = ticket;
  }
}

void mesi_order_host_after(int device, enum mesi_lane which, uint64_t ticket)
{
  struct lane *lane = &order_of(device)->lanes[which];
  if (ticket <= lane->done) return;
  mesi_no_cancel();
  mesi_limit_begin("device", device);
  const char *cause = mesi_device.event_wait(device, lane->events[ticket % LANE_EVENTS]);
  mesi_limit_end();
  if (cause) mesi_wait_failed(cause);
  lane->done = ticket;
}

static void stream_after(int device, struct stream *stream, struct stream *other)
{
  mesi_batch_submit();
  record_stream(device, other);
  submitted(device, mesi_device.queue_wait(device, stream->handle, other->event));
}

void mesi_order_stream_after_streams(int device, unsigned stream, uint64_t streams)
{
  struct device_order *order = order_of(device);
  for (unsigned index = 0; streams; index++, streams >>= 1) {
    if (!(streams & 1) || index == stream) continue;
    if (index == MESI_STREAM_UNKNOWN || stream == MESI_STREAM_UNKNOWN)
      mesi_wait(device);
    else
      stream_after(device, &order->streams[stream], &order->streams[index]);
  }
}

bool mesi_order_made_by_program(int device, uint64_t streams)
{
  const struct device_order *order = order_of(device);
  for (unsigned index = 0; streams; index++, streams >>= 1)
    if ((streams & 1) && !order->streams[index].permanent) return true;
  return false;
}

/* ---- between devices ---- */

uint64_t mesi_order_copy_between(int device, void *to, int other, const void *from, size_t bytes)
{
  struct lane *lane = &order_of(device)->lanes[MESI_TO_DEVICE];
  mesi_limit_begin("device", device);
  const char *cause = mesi_device.copy_between(device, to, other, from, bytes);
  mesi_limit_end();
  submitted(device, cause);
  return issue(device, lane);
}

static bool together;

void mesi_order_together(bool begins)
{
  together = begins;
  if (mesi_device.together && mesi_ranks_several())
    mesi_check(mesi_device.together(begins), NULL, "messages between ranks");
}

bool mesi_order_is_together(void) { return together; }

/* The queue waits for the work in a stream of the other device. */
static void queue_after_stream_of(int device, void *queue, int other, unsigned index)
{
  struct stream *stream = &order_of(other)->streams[index];
  if (index == MESI_STREAM_UNKNOWN) {
    mesi_wait(other);
  } else if (stream->launches) {
    record_stream(other, stream);
    submitted(device, mesi_device.queue_wait(device, queue, stream->event));
  }
}

void mesi_order_lane_after_streams_of(int device, int other, uint64_t streams)
{
  void *queue = order_of(device)->lanes[MESI_TO_DEVICE].queue;
  for (unsigned index = 0; streams; index++, streams >>= 1)
    if (streams & 1) queue_after_stream_of(device, queue, other, index);
}

void mesi_order_stream_after_stream_of(int device, unsigned stream, int other,
                                       unsigned other_stream)
{
  mesi_batch_submit();
  queue_after_stream_of(device, order_of(device)->streams[stream].handle, other, other_stream);
}

static void queue_after_lane_of(int device, void *queue, uint64_t *seen, int other,
                                enum mesi_lane which, uint64_t ticket)
{
  struct lane *before = &order_of(other)->lanes[which];
  if (ticket <= before->done || ticket <= *seen) return;
  submitted(device, mesi_device.queue_wait(device, queue, before->events[ticket % LANE_EVENTS]));
  *seen = ticket;
}

void mesi_order_lane_after_lane_of(int device, enum mesi_lane which, int other, uint64_t ticket)
{
  struct lane *lane = &order_of(device)->lanes[which];
  queue_after_lane_of(device, lane->queue, &lane->seen_other[other], other, which, ticket);
}

void mesi_order_stream_after_lane_of(int device, unsigned index, int other, uint64_t ticket)
{
  struct stream *stream = &order_of(device)->streams[index];
  mesi_batch_submit();
  if (index == MESI_STREAM_UNKNOWN)
    mesi_order_host_after(other, MESI_TO_DEVICE, ticket);
  else
    queue_after_lane_of(device, stream->handle, &stream->seen_other[other], other, MESI_TO_DEVICE,
                        ticket);
}
