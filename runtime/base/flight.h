/* SPDX-License-Identifier: MIT */
/* flight.h - copies that may be under way, by the bytes that they move. Internal to the runtime.
 *
 * All copies of one set are in one lane: a wait for a ticket is a wait for the earlier ones as
 * well. */
#ifndef MESI_FLIGHT_H
#define MESI_FLIGHT_H

#include "ranges.h"

#include <stdint.h>

struct mesi_flight {
  struct mesi_span span; /* bytes of the object */
  uint64_t ticket;       /* see order.h */
};

struct mesi_flights {        /* zeroed: no copies */
  struct mesi_flight *items; /* in the order of their tickets; own array */
  size_t count, capacity;
};

/* A copy has been submitted, with a ticket above all others. */
void mesi_flights_add(struct mesi_flights *, struct mesi_span span, uint64_t ticket);

/* The ticket of the last copy that moves any byte of the span; 0: none moves one. */
uint64_t mesi_flights_ticket(const struct mesi_flights *, struct mesi_span span);

void mesi_flights_finish(struct mesi_flights *); /* empty, memory freed */

#endif
