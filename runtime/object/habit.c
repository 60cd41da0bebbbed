/* SPDX-License-Identifier: MIT */
/* habit.c - the bytes that the host is expected to read after a launch: those that it has read
 * before.
 *
 *     for each frame f: sigmoid<<<...>>>(root, out[f]);     the launches write out[0], out[1], ...
 *     look(out);                                            the host reads all of them
 *
 * For each launch site an object keeps the bytes that a launch of it was the last to write, and
 * those of them that the host then read. In the next round each frame starts its way back as soon
 * as its own launch is done, beside the launches and transfers of the next frames. A prefetch is in
 * vain where the host does not read the bytes again, or reads them only after a later launch has
 * written them once more. Then the habit is dropped, and the site's next 2, 4, 8, ... chances pass.
 * Such a copy costs only time on the lane to the host: its bytes stay stale, and the launch that
 * writes them comes behind it.
 */
#include "habit.h"

#include "../base/lock.h"

enum {
  /* bytes that a site wrote, and that the host read of them; more scattered ones are dropped */
  MOST_INTERVALS = 64,
  MOST_MISSES = 10, /* after so many misses 1024 chances pass */
  /* bytes that PCIe 5 moves in 1.2 us, less than it takes to submit a copy */
  SMALL_PART = 64 << 10
};

static int number_of(const struct mesi_object *object, const struct mesi_site *site)
{
  for (int i = 0; i < MESI_HABITS; i++)
    if (object->habits[i].site == site) return i;
  return -1;
}

static struct mesi_habit *find(struct mesi_object *object, const struct mesi_site *site)
{
  int number = number_of(object, site);
  return number < 0 ? NULL : &object->habits[number];
}

static void finish(struct mesi_habit *habit)
{
  mesi_ranges_finish(&habit->wrote);
  mesi_ranges_finish(&habit->read);
  *habit = (struct mesi_habit){0};
}

/* The site's habit. Habits give way to new ones in turn. */
static struct mesi_habit *find_or_add(struct mesi_object *object, const struct mesi_site *site)
{
  struct mesi_habit *habit = find(object, site);
  if (habit) return habit;
  mesi_change();
  habit = &object->habits[object->next_habit++ % MESI_HABITS];
  finish(habit);
  habit->site = site;
  return habit;
}

static void add(struct mesi_ranges *set, struct mesi_span span)
{
  mesi_ranges_add(set, span);
  if (set->count > MOST_INTERVALS) mesi_ranges_finish(set);
}

/* ---- launches ---- */

static void note_written(struct mesi_object *object, struct mesi_habit *by, struct mesi_span span)
{
  for (int i = 0; i < MESI_HABITS; i++)
    if (&object->habits[i] != by && mesi_ranges_meet(&object->habits[i].wrote, span)) {
      mesi_ranges_remove(&object->habits[i].wrote, span);
      mesi_change();
    }
  if (mesi_ranges_contain(&by->wrote, span)) return;
  add(&by->wrote, span);
  mesi_change();
}

static size_t total_bytes(const struct mesi_ranges *set)
{
  size_t bytes = 0;
  for (size_t i = 0; i < set->count; i++) bytes += mesi_span_bytes(mesi_ranges_items(set)[i]);
  return bytes;
}

/* Is the part large enough for a copy of its own? Small parts come in one copy with the others when
 * the host uses them, unless there are no others. */
static bool worth_a_copy(const struct mesi_habit *habit, struct mesi_span part)
{
  return mesi_span_bytes(part) >= SMALL_PART || mesi_span_bytes(part) == total_bytes(&habit->read);
}

void mesi_habit_launched(struct mesi_object *object, int device, const struct mesi_site *site,
                         struct mesi_span span, mesi_prefetch_fn *prefetch)
{
  struct mesi_habit *habit = find_or_add(object, site);
  note_written(object, habit, span);
  if (!mesi_ranges_meet(&habit->read, span)) return;
  if (habit->pause) {
    habit->pause--;
    mesi_change();
    return;
  }
  while (!mesi_span_empty(span)) {
    struct mesi_span part = mesi_ranges_next(&habit->read, span);
    if (mesi_span_empty(part)) return;
    if (worth_a_copy(habit, part)) prefetch(object, device, part, site);
    span.begin = part.end;
  }
}

size_t mesi_habit_expected(const struct mesi_object *object, const struct mesi_site *site,
                           struct mesi_span span)
{
  int number = number_of(object, site);
  size_t bytes = 0;
  if (number < 0 || object->habits[number].pause) return 0;
  while (!mesi_span_empty(span)) {
    struct mesi_span part = mesi_ranges_next(&object->habits[number].read, span);
    bytes += mesi_span_bytes(part);
    span.begin = mesi_span_empty(part) ? span.end : part.end;
  }
  return bytes;
}

/* ---- the host ---- */

static void note_read(struct mesi_habit *habit, struct mesi_span span)
{
  while (!mesi_span_empty(span)) {
    struct mesi_span part = mesi_ranges_next(&habit->wrote, span);
    if (mesi_span_empty(part)) return;
    add(&habit->read, part);
    span.begin = part.end;
  }
}

void mesi_habit_host_reads(struct mesi_object *object, struct mesi_span span)
{
  while (!mesi_span_empty(span)) {
    struct mesi_span stale = mesi_ranges_next_gap(&object->host_valid, span);
    if (mesi_span_empty(stale)) return;
    for (int i = 0; i < MESI_HABITS; i++) note_read(&object->habits[i], stale);
    span.begin = stale.end;
  }
}

void mesi_habit_met(struct mesi_object *object, const struct mesi_site *site)
{
  struct mesi_habit *habit = find(object, site);
  if (habit && habit->misses) habit->misses--;
}

void mesi_habit_missed(struct mesi_object *object, const struct mesi_site *site,
                       struct mesi_span span)
{
  struct mesi_habit *habit = find(object, site);
  if (!habit) return;
  mesi_ranges_remove(&habit->read, span);
  if (habit->pause) /* the prefetch started before an earlier one was found to be in vain */
    return;
  if (habit->misses < MOST_MISSES) habit->misses++;
  habit->pause = 1u << habit->misses;
}

void mesi_habits_finish(struct mesi_object *object)
{
  for (int i = 0; i < MESI_HABITS; i++) finish(&object->habits[i]);
}
