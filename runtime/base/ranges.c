/* SPDX-License-Identifier: MIT */
/* ranges.c - sets of bytes.
 *
 * Example: { [0, 64) [128, 256) } with [32, 130) removed is { [0, 32) [130, 256) }; with [64, 128)
 * added it is { [0, 256) }. */
#include "ranges.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>

static struct mesi_span *items(struct mesi_ranges *set)
{
  return set->more ? set->more : set->first;
}

static size_t room(const struct mesi_ranges *set)
{
  return set->more ? set->capacity : MESI_RANGES_INLINE;
}

/* Index of the first interval that ends after `at`. */
static size_t first_after(const struct mesi_ranges *set, size_t at)
{
  const struct mesi_span *spans = mesi_ranges_items(set);
  size_t low = 0, high = set->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (spans[middle].end <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void reserve(struct mesi_ranges *set, size_t count)
{
  if (count <= room(set)) return;
  size_t capacity = room(set) * 2 > count ? room(set) * 2 : count;
  struct mesi_span *more = mesi_need(malloc(capacity * sizeof *more));
  memcpy(more, mesi_ranges_items(set), set->count * sizeof *more);
  free(set->more);
  set->more = more;
  set->capacity = capacity;
}

/* Replaces the intervals [from, to) by the `count` given ones. */
static void replace(struct mesi_ranges *set, size_t from, size_t to, const struct mesi_span *with,
                    size_t count)
{
  reserve(set, set->count - (to - from) + count);
  struct mesi_span *spans = items(set);
  memmove(spans + from + count, spans + to, (set->count - to) * sizeof *spans);
  memcpy(spans + from, with, count * sizeof *spans);
  set->count = set->count - (to - from) + count;
}

void mesi_ranges_add(struct mesi_ranges *set, struct mesi_span span)
{
  if (mesi_span_empty(span)) return;
  const struct mesi_span *spans = mesi_ranges_items(set);
  size_t from = first_after(set, span.begin ? span.begin - 1 : 0), to = from;
  while (to < set->count && spans[to].begin <= span.end) to++;
  if (from < to) {
    if (spans[from].begin < span.begin) span.begin = spans[from].begin;
    if (spans[to - 1].end > span.end) span.end = spans[to - 1].end;
  }
  replace(set, from, to, &span, 1);
}

void mesi_ranges_remove(struct mesi_ranges *set, struct mesi_span span)
{
  if (mesi_span_empty(span)) return;
  const struct mesi_span *spans = mesi_ranges_items(set);
  size_t from = first_after(set, span.begin), to = from, count = 0;
  struct mesi_span left[2];
  while (to < set->count && spans[to].begin < span.end) to++;
  if (from == to) return;
  if (spans[from].begin < span.begin)
    left[count++] = (struct mesi_span){spans[from].begin, span.begin};
  if (spans[to - 1].end > span.end) left[count++] = (struct mesi_span){span.end, spans[to - 1].end};
  replace(set, from, to, left, count);
}

void mesi_ranges_finish(struct mesi_ranges *set)
{
  free(set->more);
  *set = (struct mesi_ranges){0};
}

struct mesi_span mesi_ranges_next(const struct mesi_ranges *set, struct mesi_span span)
{
  size_t at = first_after(set, span.begin);
  if (mesi_span_empty(span) || at == set->count) return (struct mesi_span){span.end, span.end};
  return mesi_span_clip(mesi_ranges_items(set)[at], span);
}

struct mesi_span mesi_ranges_next_gap(const struct mesi_ranges *set, struct mesi_span span)
{
  const struct mesi_span *spans = mesi_ranges_items(set);
  size_t at = first_after(set, span.begin);
  if (at < set->count && spans[at].begin <= span.begin) span.begin = spans[at++].end;
  if (at < set->count && spans[at].begin < span.end) span.end = spans[at].begin;
  return span;
}
