/* SPDX-License-Identifier: MIT */
/* timeline.c - timed events, kept until a batch of them is read. Where there are several ranks, one
 * of them may take times alone: it waits for none while messages are held back. */
#include "timeline.h"

#include "../base/error.h"
#include "../seeded.h"
#include "../stream/order.h"
#include "../stream/wait.h"

#include <stdlib.h>
#include <time.h>

enum { BATCH = 1024 }; /* entries, before times are read */

struct base { /* per device: the event that times are relative to */
  void *event;
  double ms; /* since mesi_timeline_begin */
};

static mesi_told_fn *told;
static double began; /* ms */
static struct base bases[MESI_DEVICE_MAX];
static struct mesi_entry *entries;
static size_t count, room;
static void **free_events[MESI_DEVICE_MAX];
static size_t free_count[MESI_DEVICE_MAX], free_room[MESI_DEVICE_MAX];

double mesi_timeline_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

void mesi_timeline_begin(mesi_told_fn *function)
{
  told = function;
  began = mesi_timeline_now();
}

static void check(int device, const char *cause)
{
  if (cause) mesi_wait(device);
  mesi_check(cause, NULL, "timing");
}

static void give_event(int device, void *event)
{
  if (free_count[device] == free_room[device]) {
    free_room[device] = free_room[device] ? free_room[device] * 2 : 64;
    free_events[device] =
        mesi_need(realloc(free_events[device], free_room[device] * sizeof(void *)));
  }
  free_events[device][free_count[device]++] = event;
}

static void *new_event(int device)
{
  void *event = NULL;
  if (free_count[device]) return free_events[device][--free_count[device]];
  check(device, mesi_device.event(device, true, &event));
  return event;
}

static void set_base(int device, void *queue)
{
  struct base *base = &bases[device];
  if (base->event) return;
  check(device, mesi_device.event(device, true, &base->event));
  check(device, mesi_device.record(device, base->event, queue));
  check(device, mesi_device.event_wait(device, base->event));
  base->ms = mesi_timeline_now() - began;
}

void *mesi_timeline_event(int device, void *queue)
{
  set_base(device, queue);
  void *event = new_event(device);
  check(device, mesi_device.record(device, event, queue));
  return event;
}

void mesi_timeline_flush(void)
{
  for (size_t i = 0; i < count; i++) {
    const struct mesi_entry *entry = &entries[i];
    struct mesi_times times = {0, 0};
    check(entry->device, mesi_device.elapsed(entry->device, entry->start, entry->stop, &times.ms));
    check(entry->device, mesi_device.elapsed(entry->device, bases[entry->device].event,
                                             entry->start, &times.start));
    times.start += bases[entry->device].ms;
    told(entry, times);
    give_event(entry->device, entry->start);
    give_event(entry->device, entry->stop);
  }
  count = 0;
}

void mesi_timeline_add(int device, void *start, void *queue, void *tag)
{
  if (count == room) {
    room = room ? 2 * room : BATCH;
    entries = mesi_need(realloc(entries, room * sizeof *entries));
  }
  entries[count++] = (struct mesi_entry){device, start, mesi_timeline_event(device, queue), tag};
  bool held = mesi_order_is_together();
  if (SEEDED(RANKS_TIMES_READ_EARLY) ? held : count >= BATCH && !held) mesi_timeline_flush();
}
