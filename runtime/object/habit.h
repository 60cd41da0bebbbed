/* SPDX-License-Identifier: MIT */
/* habit.h - the bytes that the host is expected to read after a launch. Internal to the runtime.
 * All functions require the lock. */
#ifndef MESI_HABIT_H
#define MESI_HABIT_H

#include "../base/object_data.h"

/* Starts a copy of bytes that the host is expected to read after a launch of the site. */
typedef void mesi_prefetch_fn(struct mesi_object *object, int device, struct mesi_span span,
                              const struct mesi_site *site);

/* A launch of the site has written the bytes on the device. Prefetches those that the host is
 * expected to read, unless prefetches were in vain lately. */
void mesi_habit_launched(struct mesi_object *object, int device, const struct mesi_site *site,
                         struct mesi_span span, mesi_prefetch_fn *prefetch);

/* The number of bytes in the span that mesi_habit_launched would prefetch. */
size_t mesi_habit_expected(const struct mesi_object *object, const struct mesi_site *site,
                           struct mesi_span span);

/* The host is about to read bytes, some of which may be stale. */
void mesi_habit_host_reads(struct mesi_object *object, struct mesi_span span);

/* The host has used bytes that were prefetched for a site; or they have been written again before
 * the host used them. */
void mesi_habit_met(struct mesi_object *object, const struct mesi_site *site);
void mesi_habit_missed(struct mesi_object *object, const struct mesi_site *site,
                       struct mesi_span span);

void mesi_habits_finish(struct mesi_object *object);

#endif
