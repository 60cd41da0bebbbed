/* SPDX-License-Identifier: MIT */
/* ranges.h - sets of bytes as sorted lists of intervals. Internal to the runtime.
 *
 * A set is disjoint, sorted and coalesced: two intervals never touch. All zero bits are the empty
 * set. */
#ifndef MESI_RANGES_H
#define MESI_RANGES_H

#include <stdbool.h>
#include <stddef.h>

struct mesi_span { /* bytes [begin, end) of an object; empty where begin >= end */
  size_t begin, end;
};

enum { MESI_RANGES_INLINE = 2 }; /* enough for nearly all objects: whole, or split once */

struct mesi_ranges {
  struct mesi_span *more; /* own array; NULL while `first` is enough */
  size_t count, capacity; /* capacity 0: MESI_RANGES_INLINE */
  struct mesi_span first[MESI_RANGES_INLINE];
};

static inline bool mesi_span_empty(struct mesi_span span) { return span.begin >= span.end; }

static inline size_t mesi_span_bytes(struct mesi_span span)
{
  return span.begin < span.end ? span.end - span.begin : 0;
}

static inline struct mesi_span mesi_span_clip(struct mesi_span span, struct mesi_span bounds)
{
  if (span.begin < bounds.begin) span.begin = bounds.begin;
  if (span.end > bounds.end) span.end = bounds.end;
  return span;
}

static inline const struct mesi_span *mesi_ranges_items(const struct mesi_ranges *set)
{
  return set->more ? set->more : set->first;
}

void mesi_ranges_add(struct mesi_ranges *set, struct mesi_span span);
void mesi_ranges_remove(struct mesi_ranges *set, struct mesi_span span);
void mesi_ranges_finish(struct mesi_ranges *set); /* empty, memory freed */

/* The first part of the span that is in the set, or is not; empty where there is none. */
struct mesi_span mesi_ranges_next(const struct mesi_ranges *set, struct mesi_span span);
struct mesi_span mesi_ranges_next_gap(const struct mesi_ranges *set, struct mesi_span span);

/* Is every byte of the span in the set; is at least one? An empty span is contained and meets
 * nothing. Mostly the first interval decides. */
static inline bool mesi_ranges_contain(const struct mesi_ranges *set, struct mesi_span span)
{
  const struct mesi_span *first = mesi_ranges_items(set);
  if (mesi_span_empty(span) || (set->count && first->begin <= span.begin && span.end <= first->end))
    return true;
  return set->count > 1 && mesi_span_empty(mesi_ranges_next_gap(set, span));
}

static inline bool mesi_ranges_meet(const struct mesi_ranges *set, struct mesi_span span)
{
  const struct mesi_span *first = mesi_ranges_items(set);
  if (mesi_span_empty(span) || !set->count) return false;
  if (first->begin < span.end && span.begin < first->end) return true;
  return set->count > 1 && !mesi_span_empty(mesi_ranges_next(set, span));
}

#endif
