/* SPDX-License-Identifier: MIT */
/* flight.c - copies that may be under way.
 *
 *     add [0, 8M) 5, [8M, 16M) 6      a use of [8M, 9M) waits for 6, a host write of [0, 1M)
 *                                     only for 5
 *     add [0, 8M) 9                   replaces the first copy
 *
 * Nothing tells when a copy is done, so that a copy only leaves the set for a later one of the same
 * bytes. Where there are too many, the two oldest become one copy of all bytes from the first to
 * the last, with the later ticket: a wait may be too long, never too short.
 */
#include "flight.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static void remove_at(struct mesi_flights *flights, size_t at)
{
  flights->count--;
  memmove(flights->items + at, flights->items + at + 1,
          (flights->count - at) * sizeof *flights->items);
}

static void remove_covered(struct mesi_flights *flights, struct mesi_span span)
{
  size_t kept = 0;
  for (size_t i = 0; i < flights->count; i++)
    if (flights->items[i].span.begin < span.begin || flights->items[i].span.end > span.end)
      flights->items[kept++] = flights->items[i];
  flights->count = kept;
}

static void join_oldest(struct mesi_flights *flights)
{
  struct mesi_flight first = flights->items[0], *second = &flights->items[1];
  if (first.span.begin < second->span.begin) second->span.begin = first.span.begin;
  if (first.span.end > second->span.end) second->span.end = first.span.end;
  remove_at(flights, 0);
}

void mesi_flights_add(struct mesi_flights *flights, struct mesi_span span, uint64_t ticket)
{
  remove_covered(flights, span);
  if (flights->count == MOST) join_oldest(flights);
  if (flights->count == flights->capacity) {
    flights->capacity = flights->capacity ? flights->capacity * 2 : 4;
    flights->items = mesi_need(realloc(flights->items, flights->capacity * sizeof *flights->items));
  }
  flights->items[flights->count++] = (struct mesi_flight){span, ticket};
}

uint64_t mesi_flights_ticket(const struct mesi_flights *flights, struct mesi_span span)
{
  for (size_t i = flights->count; i-- > 0;)
    if (!mesi_span_empty(mesi_span_clip(flights->items[i].span, span)))
      return flights->items[i].ticket;
  return 0;
}

void mesi_flights_finish(struct mesi_flights *flights)
{
  free(flights->items);
  *flights = (struct mesi_flights){0};
}
