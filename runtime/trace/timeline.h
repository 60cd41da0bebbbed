/* SPDX-License-Identifier: MIT */
/* timeline.h - the times of work on devices, from timed events. Internal to the runtime. Requires
 * the lock.
 *
 * An entry is two events around work in a queue. Their times are read later, many at once, so that
 * measuring waits for no work that is under way. */
#ifndef MESI_TIMELINE_H
#define MESI_TIMELINE_H

#include "../device/device.h"

struct mesi_entry { /* an entry of the timeline */
  int device;
  void *start, *stop; /* events */
  void *tag;          /* the caller's; `told` frees it */
};

struct mesi_times {
  double start, ms; /* ms since mesi_timeline_begin, and duration */
};

/* Is called for each entry, in the order of their ends. */
typedef void mesi_told_fn(const struct mesi_entry *entry, struct mesi_times times);

double mesi_timeline_now(void); /* ms, monotonic */

void mesi_timeline_begin(mesi_told_fn *told);

/* An event in the queue now; NULL: the device has no timed events. */
void *mesi_timeline_event(int device, void *queue);
void mesi_timeline_add(int device, void *start, void *queue, void *tag);
/* Reports all entries that are left; waits for their work. */
void mesi_timeline_flush(void);

#endif
